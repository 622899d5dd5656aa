"""Runnable measurements: each prints a ratio against a floor or a peer in the same run, with peak memory."""
