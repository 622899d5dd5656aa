"""One imported file, or one attachment, is looked at in one go: the unit of work that may be done side by side."""

from __future__ import annotations

import sys
from array import array
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Protocol

from itemproof.archive.layout import Layout
from itemproof.archive.rules.base import Listing, RecordsSeen, Registered, RunSeen, StoredSeen, judge
from itemproof.archive.rules.lists import ADAPTER_NOTES, DERIVED_RULES, RECORDS_RULES, STORED_RULES
from itemproof.archive.rules.see_derived import NO_TEMPORARY, Renormalise, see_derived
from itemproof.archive.rules.see_raw import RawLines, whole_lines
from itemproof.archive.rules.see_records import RecordsReader
from itemproof.archive.rules.see_stored import Look, Progress, Tap, see_stored
from itemproof.core.errors import InvalidInput, ItemproofError
from itemproof.core.findings import Code, Finding
from itemproof.files.compression import compression_of
from itemproof.files.jsonl import read_blocks
from itemproof.records.manifest import FileEntry, ImportEntry

__all__ = ["AttachmentTask", "FileTask", "Inspected", "Task"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Inspected:
    """What came of a task.

    Attributes:
        findings: The faults.
        notes: What is no fault.
        size_bytes: How much was read.
        records: How many records were read.
        records_path: The records file, relative to the archive; empty for an attachment.
        keys: For each of its lines the hash of the record's key.
    """

    findings: list[Finding]
    notes: list[Finding] = field(default_factory=list)
    size_bytes: int
    records: int = 0
    records_path: str = ""
    keys: array[int] = field(default_factory=lambda: array("q"))


class Task(Protocol):
    """Something to look at."""

    @property
    def size_bytes(self) -> int:
        """How much there is to read."""
        ...

    def inspect(self, progress: Progress) -> Inspected:
        """Looks at it."""
        ...


@dataclass(frozen=True, slots=True)
class AttachmentTask:
    """A file that is only hashed."""

    layout: Layout
    due: Registered

    @property
    def size_bytes(self) -> int:
        """How much there is to read."""
        return self.due.size_bytes

    def inspect(self, progress: Progress) -> Inspected:
        """Whether the file has its registered bytes."""
        listing = Listing()
        stored = _stored(self.layout, self.due, progress, lambda _: None, listing=listing)
        return Inspected(findings=listing.done(), size_bytes=(stored and stored.size_bytes) or 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class FileTask:
    """A raw file and the records made of it.

    Attributes:
        layout: The archive's paths.
        run: The run's manifest.
        place: The file's place in it, a JSON path.
        origin: The import.
        entry: The file.
        renormalise: Makes the records again; None leaves that out.
        is_current: Whether the adapter is the one that made them.
    """

    layout: Layout
    run: RunSeen
    place: str
    origin: ImportEntry
    entry: FileEntry
    renormalise: Renormalise | None
    is_current: bool

    @property
    def size_bytes(self) -> int:
        """How much there is to read."""
        return self.entry.raw_bytes + self.entry.records_bytes

    def inspect(self, progress: Progress) -> Inspected:
        """Whether both files have their registered bytes, and whether each record and each raw line has its other."""
        listing = Listing()
        lines = RawLines()
        raw = self._read_raw(lines, progress, listing)
        counted = lines if lines.is_complete else None
        seen = RecordsSeen(self.run.folder, self.place, self.entry, raw_lines=len(lines) if counted else None)
        reader = RecordsReader(self.run.manifest, seen, counted, listing)
        due = Registered(self.entry.records_path, self.entry.records_bytes, self.entry.records_sha256)
        records = _stored(self.layout, due, progress, reader.read, listing=listing)
        seen.is_intact = _is_intact(records)
        if counted is not None and seen.records is not None:
            seen.lost = counted.lost()
        listing.extend(judge(RECORDS_RULES, seen))
        notes = self._rederive(listing) if _is_intact(raw) and seen.is_intact else []
        return Inspected(
            findings=listing.done(),
            notes=notes,
            size_bytes=sum(stored.size_bytes or 0 for stored in (raw, records) if stored),
            records=seen.records or 0,
            records_path=self.entry.records_path if records else "",
            keys=reader.keys,
        )

    def _read_raw(self, lines: RawLines, progress: Progress, listing: Listing) -> StoredSeen | None:
        """The raw file; its lines are counted if it is plain, or compressed and intact."""
        due = Registered(self.entry.raw_path, self.entry.raw_bytes, self.entry.raw_sha256)
        path = self.layout.root / due.path

        def look(tap: Tap) -> None:
            if _is_plain(path, self.entry.name):
                lines.take(tap.texts())

        stored = _stored(self.layout, due, progress, look, listing=listing)
        if _is_intact(stored) and not lines.is_complete:
            blocks = read_blocks(path, name=self.entry.name, max_line_bytes=sys.maxsize)
            with _faults_into(listing, due.path):
                lines.take(text for block in blocks for text in whole_lines(block.data))
        return stored

    def _rederive(self, listing: Listing) -> list[Finding]:
        """Makes the records again; what another version of the adapter makes otherwise is only a note."""
        if self.renormalise is None:
            return []
        notes: list[Finding] = []
        with _faults_into(listing, self.entry.records_path, but=NO_TEMPORARY):
            seen = see_derived(self.layout, self.renormalise, self.run.manifest, self.origin, file=self.entry)
            notes.extend(judge(ADAPTER_NOTES, seen))
            if self.is_current:
                listing.extend(judge(DERIVED_RULES, seen))
            else:
                notes.extend(judge(DERIVED_RULES, seen))
        return notes


def _stored(layout: Layout, due: Registered, progress: Progress, look: Look, *, listing: Listing) -> StoredSeen | None:
    """The file beside its bytes, judged; None if it could not be read, and then that is listed."""
    seen = None
    with _faults_into(listing, due.path):
        seen = see_stored(layout, due, progress, look)
        listing.extend(judge(STORED_RULES, seen))
    return seen


@contextmanager
def _faults_into(listing: Listing, file: str, *, but: Code | None = None) -> Iterator[None]:
    """What keeps a file from being read is a finding like others, but for one that says nothing about the archive."""
    try:
        yield
    except ItemproofError as error:
        if error.code == but:
            raise
        listing.extend(replace(finding, where=replace(finding.where, file=file)) for finding in error.findings)


def _is_intact(stored: StoredSeen | None) -> bool:
    return stored is not None and stored.is_intact


def _is_plain(path: Path, name: str) -> bool:
    """Whether the lines can be read as they lie; damage that makes the name a lie says no."""
    try:
        return compression_of(path, name=name) is None
    except InvalidInput:
        return False
