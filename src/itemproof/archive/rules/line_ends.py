"""No tool has rewritten the line ends of a registered file."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from itemproof.archive.rules.base import StoredSeen
from itemproof.core.findings import Code, Finding
from itemproof.core.where import Where

__all__ = ["line_ends"]

LINE_ENDS: Final = Code("A004", "the line ends of a registered file were changed")


def line_ends(seen: StoredSeen) -> Iterator[Finding]:
    """The bytes did not become others by their line ends alone."""
    if seen.line_ends:
        found = {"LF": "CRLF", "CRLF": "LF"}[seen.line_ends]
        text = (
            f"Nothing but its line ends was changed: they are {found}, and with {seen.line_ends} the registered bytes "
            "are back. Git or an editor does this; see that the archive's .gitattributes (which marks runs/** as "
            "binary) is there and committed, then check the file out again or bring it back from a copy."
        )
        yield Finding(LINE_ENDS, text, Where(file=seen.due.path))
