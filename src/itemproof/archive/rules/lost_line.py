"""No raw line was lost on its way to a record."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from itemproof.archive.rules.base import RecordsSeen
from itemproof.core.findings import Code, Finding
from itemproof.core.where import Where

__all__ = ["lost_line"]

LOST_LINE: Final = Code("A035", "a raw line has no record")


def lost_line(seen: RecordsSeen) -> Iterator[Finding]:
    """Each raw line that is not blank is the source of a record."""
    for line in seen.lost:
        text = (
            f"The line holds something and no record in {seen.entry.records_path} comes from it: an item is lost. "
            "Bring back whichever of the two files was changed, from a copy of the archive."
        )
        yield Finding(LOST_LINE, text, Where(file=seen.entry.raw_path, line=line))
