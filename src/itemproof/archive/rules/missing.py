"""Every registered file is there."""

from __future__ import annotations

from collections.abc import Iterator

from itemproof.archive.layout import MISSING
from itemproof.archive.rules.base import MEND, StoredSeen
from itemproof.core.findings import Finding
from itemproof.core.where import Where

__all__ = ["missing"]


def missing(seen: StoredSeen) -> Iterator[Finding]:
    """The file exists."""
    if seen.size_bytes is None:
        text = f"It is not there; {seen.due.size_bytes:,} bytes were registered. {MEND}"
        yield Finding(MISSING, text, Where(file=seen.due.path))
