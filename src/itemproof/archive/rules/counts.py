"""A manifest counts right."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from itemproof.archive.rules.base import RecordsSeen, manifest_path
from itemproof.core.findings import Code, Finding
from itemproof.core.where import Where

__all__ = ["counts"]

MISCOUNTED: Final = Code("A040", "a count in a manifest is not what the files give")


def counts(seen: RecordsSeen) -> Iterator[Finding]:
    """Each count of the entry is that of its files, as far as they could be read."""
    for name, said, found in _compared(seen):
        if said != found:
            text = f"The manifest says {said:,} and the files of {seen.entry.name!r} give {found:,}"
            yield _miscounted(seen, name, text)
    if seen.records is None or seen.broken:
        return
    said_of_each = sum(seen.entry.warnings.values())
    if seen.warnings < said_of_each:
        text = f"The manifest counts {said_of_each:,}; the records have {seen.warnings:,}"
        yield _miscounted(seen, "warnings", text)
    scopes = seen.entry.scopes
    if scopes.get("ambiguous", 0) > scopes.get("run-local", 0):
        text = "More records are said to be ambiguous than run-local, of which they are a part"
        yield _miscounted(seen, "scopes.ambiguous", text)


def _compared(seen: RecordsSeen) -> Iterator[tuple[str, int, int]]:
    """What can be counted: its name in the entry, what the manifest says, and what the files give."""
    entry = seen.entry
    if seen.raw_lines is not None:
        yield "lines", entry.lines, seen.raw_lines
    if seen.records is not None:
        yield "records", entry.records, seen.records
    if seen.is_intact:
        yield "longest_record_bytes", entry.longest_record_bytes, seen.longest
    if seen.records is not None and not seen.broken:
        yield "scopes.stable", entry.scopes.get("stable", 0), seen.stable
        yield "scopes.run-local", entry.scopes.get("run-local", 0), seen.records - seen.stable


def _miscounted(seen: RecordsSeen, name: str, what: str) -> Finding:
    text = f"{what}. Bring back whichever was changed, the manifest or the files, from a copy of the archive."
    return Finding(MISCOUNTED, text, Where(file=manifest_path(seen.run), path=f"{seen.place}.{name}"))
