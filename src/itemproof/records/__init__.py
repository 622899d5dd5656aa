"""Every shape that is read or written."""
