"""Every registered file has its size."""

from __future__ import annotations

from collections.abc import Iterator

from itemproof.archive.rules.base import MEND, StoredSeen
from itemproof.archive.seal import OTHER_SIZE
from itemproof.core.findings import Finding
from itemproof.core.where import Where

__all__ = ["other_size"]


def other_size(seen: StoredSeen) -> Iterator[Finding]:
    """As many bytes are there as were registered, or changed line ends explain the difference."""
    if seen.size_bytes is not None and seen.size_bytes != seen.due.size_bytes and not seen.line_ends:
        text = f"It has {seen.size_bytes:,} bytes; {seen.due.size_bytes:,} were registered. {MEND}"
        yield Finding(OTHER_SIZE, text, Where(file=seen.due.path))
