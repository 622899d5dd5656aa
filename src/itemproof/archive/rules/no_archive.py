"""The folder is an archive."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from itemproof.archive.rules.base import ArchiveSeen
from itemproof.core.findings import Code, Finding
from itemproof.core.where import Where

__all__ = ["no_archive"]

NO_MARKER: Final = Code("A020", "there is no archive to validate")


def no_archive(seen: ArchiveSeen) -> Iterator[Finding]:
    """There is an `archive.json`."""
    if not seen.has_marker:
        text = (
            "It is missing, and it is what makes a folder an archive. Name the archive's folder with --root; if this "
            "is it, bring the file back from a copy."
        )
        yield Finding(NO_MARKER, text, Where(file="archive.json"))
