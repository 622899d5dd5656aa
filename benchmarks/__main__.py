"""`python -m benchmarks` runs every measurement at its full size, one after the other."""

from __future__ import annotations

from benchmarks import comparing, importing, memory, startup, validating

if __name__ == "__main__":
    for part in (startup, importing, validating, comparing, memory):
        part.main()
