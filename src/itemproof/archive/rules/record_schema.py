"""Every line of a records file is a record."""

from __future__ import annotations

import re
from collections.abc import Iterator

from itemproof.archive.rules.base import BrokenLine
from itemproof.archive.stored import NO_RECORD
from itemproof.core.findings import Finding
from itemproof.core.where import Where

__all__ = ["record_schema"]


#: How the decoder ends a message about a place within the line.
_PLACE = re.compile(r" - at `(\$.*)`$")


def record_schema(seen: BrokenLine) -> Iterator[Finding]:
    """The line is a JSON object with the fields of a record in their types."""
    place = _PLACE.search(seen.reason)
    reason = seen.reason[: place.start()] if place else seen.reason
    text = f"{reason}. Records are made by the import and never edited: bring the file back from a copy of the archive."
    yield Finding(NO_RECORD, text, Where(line=seen.line, path=place[1] if place else "$"))
