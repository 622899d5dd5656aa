"""The adapter still takes the raw file."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from itemproof.archive.rules.base import DerivedSeen
from itemproof.core.findings import Code, Finding
from itemproof.core.where import Where

__all__ = ["not_rederived"]

NOT_MADE_AGAIN: Final = Code("A051", "the records of a raw file cannot be made again")


def not_rederived(seen: DerivedSeen) -> Iterator[Finding]:
    """The adapter refuses no line of the raw file that it once took."""
    for finding in seen.refused:
        text = f"The {seen.format} adapter refuses it now ({finding.code}): {finding.text}"
        place = Where(file=seen.entry.raw_path, line=finding.where.line, path=finding.where.path)
        yield Finding(NOT_MADE_AGAIN, text, place)
