"""The edge of the disk: strict reading, atomic writing, locks, safe names."""
