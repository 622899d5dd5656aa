"""Every record's source line exists."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from itemproof.archive.rules.base import MEND, SourceLine
from itemproof.core.findings import Code, Finding
from itemproof.core.where import Where

__all__ = ["no_such_line"]

NO_SUCH_LINE: Final = Code("A033", "a record's source line does not exist")


def no_such_line(seen: SourceLine) -> Iterator[Finding]:
    """The line that the record names is not behind the end of the raw file."""
    if seen.source > seen.raw_lines:
        text = f"It names line {seen.source} of {seen.raw_path}, which has {seen.raw_lines:,} lines. {MEND}"
        yield Finding(NO_SUCH_LINE, text, Where(line=seen.line, path="$.source.line"))
