"""Every record was made of the raw file that it is filed with."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from itemproof.archive.rules.base import MEND, RecordSeen
from itemproof.core.findings import Code, Finding
from itemproof.core.where import Where

__all__ = ["other_source"]

OTHER_SOURCE: Final = Code("A032", "a record's source is not the raw file that its records file was made of")


def other_source(seen: RecordSeen) -> Iterator[Finding]:
    """The record's source is the raw file of its entry in the manifest."""
    found, due = seen.record.source.path, seen.entry.raw_path
    if found != due:
        known = "another file of the run" if found in seen.run.paths else "no file that is registered"
        text = f"The source {found!r} is {known}; these records were made of {due!r}. {MEND}"
        yield Finding(OTHER_SOURCE, text, Where(line=seen.line, path="$.source.path"))
