"""One check a file, each with its own code."""
