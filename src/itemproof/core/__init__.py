"""The words that every floor speaks: errors, places, findings, canonical bytes, digests, time."""
