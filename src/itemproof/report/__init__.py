"""A comparison as files for people and programs."""
