"""Every record's source line holds something."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from itemproof.archive.rules.base import MEND, SourceLine
from itemproof.core.findings import Code, Finding
from itemproof.core.where import Where

__all__ = ["blank_line"]

BLANK_LINE: Final = Code("A034", "a record's source line is blank")


def blank_line(seen: SourceLine) -> Iterator[Finding]:
    """The line that the record names, if it exists, is not blank."""
    if seen.source <= seen.raw_lines:
        text = f"It names line {seen.source} of {seen.raw_path}, which is blank. {MEND}"
        yield Finding(BLANK_LINE, text, Where(line=seen.line, path="$.source.line"))
