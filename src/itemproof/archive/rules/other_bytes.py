"""Every registered file has its bytes."""

from __future__ import annotations

from collections.abc import Iterator

from itemproof.archive.layout import OTHER_BYTES
from itemproof.archive.rules.base import MEND, StoredSeen
from itemproof.core.findings import Finding
from itemproof.core.where import Where

__all__ = ["other_bytes"]


def other_bytes(seen: StoredSeen) -> Iterator[Finding]:
    """The digest is the registered one; a file of another size is left to the rule for sizes."""
    if seen.size_bytes == seen.due.size_bytes and seen.sha256 != seen.due.sha256 and not seen.line_ends:
        text = f"Its SHA-256 is {seen.sha256}; {seen.due.sha256} was registered. {MEND}"
        yield Finding(OTHER_BYTES, text, Where(file=seen.due.path))
