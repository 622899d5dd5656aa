"""Every registered file has its size."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from itemproof.archive.layout import OTHER_SIZE
from itemproof.archive.rules.base import MEND, StoredSeen
from itemproof.core.findings import Finding
from itemproof.core.where import Where

__all__ = ["other_size"]

_MEND_MANIFEST: Final = "Its SHA-256 is the registered one, so the manifest was changed: bring that back from a copy."


def other_size(seen: StoredSeen) -> Iterator[Finding]:
    """As many bytes are there as were registered, or changed line ends explain the difference."""
    if seen.size_bytes is not None and seen.size_bytes != seen.due.size_bytes and not seen.line_ends:
        mend = _MEND_MANIFEST if seen.sha256 == seen.due.sha256 else MEND
        text = f"It has {seen.size_bytes:,} bytes; {seen.due.size_bytes:,} were registered. {mend}"
        yield Finding(OTHER_SIZE, text, Where(file=seen.due.path))
