"""The command line: read options, make one call, show."""
