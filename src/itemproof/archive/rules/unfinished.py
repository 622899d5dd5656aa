"""What an unfinished write has moved into place is told from what nobody knows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from itemproof.archive.rules.base import FolderSeen
from itemproof.core.findings import Code, Finding
from itemproof.core.where import Where

__all__ = ["unfinished"]

UNFINISHED: Final = Code("A025", "a file of a write that has not finished")


def unfinished(seen: FolderSeen) -> Iterator[Finding]:
    """A note for each file that is not registered yet and that a journal names."""
    for path, _ in seen.strangers:
        if path in seen.unfinished:
            text = (
                "A write that has not finished put it here; nothing registered depends on it. If no writer is at "
                "work, `itemproof recover` removes it, and so does the next write."
            )
            yield Finding(UNFINISHED, text, Where(file=path))
