"""Pairing by identity, and what the pairs say."""
