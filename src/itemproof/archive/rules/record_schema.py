"""Every line of a records file is a record."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from itemproof.archive.rules.base import BrokenLine
from itemproof.core.findings import Code, Finding
from itemproof.core.where import Where

__all__ = ["record_schema"]

NO_RECORD: Final = Code("A030", "a line of a records file is no record")

#: How the decoder ends a message about a place within the line.
_PLACE = re.compile(r" - at `(\$.*)`$")


def record_schema(seen: BrokenLine) -> Iterator[Finding]:
    """The line is a JSON object with the fields of a record in their types."""
    place = _PLACE.search(seen.reason)
    reason = seen.reason[: place.start()] if place else seen.reason
    text = f"{reason}. Records are made by the import and never edited: bring the file back from a copy of the archive."
    yield Finding(NO_RECORD, text, Where(line=seen.line, path=place[1] if place else "$"))
