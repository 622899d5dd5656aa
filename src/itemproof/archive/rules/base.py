"""What a rule is, and what the rules are shown.

A rule is a function that is given one thing that was seen and yields its findings. Seeing and judging are apart, so
that each file is read once however many rules there are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, TypeAlias, TypeVar

from itemproof.core.findings import Finding
from itemproof.core.where import Where
from itemproof.files.walk import Entry
from itemproof.records.manifest import FileEntry, ImportEntry, RunManifest
from itemproof.records.record import Record

__all__ = [
    "LISTED",
    "MEND",
    "ArchiveSeen",
    "BrokenLine",
    "DerivedSeen",
    "FolderSeen",
    "ImportSeen",
    "Listing",
    "RecordSeen",
    "RecordsSeen",
    "Registered",
    "Rule",
    "RunSeen",
    "SourceLine",
    "StoredSeen",
    "judge",
    "manifest_path",
]

Seen = TypeVar("Seen")
Rule: TypeAlias = Callable[[Seen], Iterator[Finding]]

#: So many findings of one code in one file are listed one by one; the last one counts the rest.
LISTED: Final = 1000

#: The next step for bytes that are not those that were registered.
MEND: Final = "Bring back the file as it was, from a copy of the archive."


def judge(rules: Iterable[Rule[Seen]], seen: Seen) -> Iterator[Finding]:
    """What the rules find, in their order."""
    for rule in rules:
        yield from rule(seen)


def manifest_path(run_id: str) -> str:
    """Where a run's manifest lies, relative to the archive."""
    return f"runs/{run_id}/manifest.json"


@dataclass(frozen=True, slots=True)
class ArchiveSeen:
    """The archive as a whole.

    Attributes:
        has_marker: Whether there is an `archive.json`.
        run_ids: The runs.
        folders: The folders where runs lie, those without a manifest too, in order.
        asked_for: The runs that the user named; empty means all.
    """

    has_marker: bool
    run_ids: Sequence[str]
    folders: Sequence[str]
    asked_for: Sequence[str]

    @property
    def chosen(self) -> Sequence[str]:
        """The folders that are looked into."""
        return [name for name in self.folders if not self.asked_for or name in self.asked_for]


@dataclass(frozen=True, slots=True)
class FolderSeen:
    """What lies in a managed folder.

    Attributes:
        folder: The folder, relative to the archive.
        has_manifest: Whether it has a manifest; `runs` itself needs none.
        registered: The paths that belong there, relative to the archive.
        entries: What was found.
        unfinished: Paths that the journal of a write names.
    """

    folder: str
    has_manifest: bool
    registered: frozenset[str]
    entries: Sequence[Entry]
    unfinished: frozenset[str]

    @property
    def strangers(self) -> Iterator[tuple[str, Entry]]:
        """What is there and not registered, with its path relative to the archive."""
        for entry in self.entries:
            path = f"{self.folder}/{entry.relative}"
            if path not in self.registered:
                yield path, entry


@dataclass(frozen=True, slots=True)
class RunSeen:
    """A run's manifest.

    Attributes:
        folder: The name of the run's folder.
        manifest: What it says.
        content: The same as plain JSON values.
    """

    folder: str
    manifest: RunManifest
    content: dict[str, Any]

    @property
    def is_at_home(self) -> bool:
        """Whether the manifest is that of the folder it lies in."""
        return self.manifest.run_id == self.folder

    def at(self, path: str) -> Where:
        """A place in the manifest."""
        return Where(file=manifest_path(self.folder), path=path)


@dataclass(frozen=True, slots=True)
class Registered:
    """A file as a manifest registers it."""

    path: str
    size_bytes: int
    sha256: str


@dataclass(frozen=True, slots=True)
class StoredSeen:
    """A registered file beside its bytes.

    Attributes:
        due: As it was registered.
        size_bytes: What is there; None if nothing is.
        sha256: The digest of what is there.
        line_ends: `CRLF` or `LF` if the registered bytes come back when the line ends become these; else empty.
    """

    due: Registered
    size_bytes: int | None = None
    sha256: str = ""
    line_ends: str = ""

    @property
    def is_intact(self) -> bool:
        """Whether these are the registered bytes."""
        return self.size_bytes == self.due.size_bytes and self.sha256 == self.due.sha256


@dataclass(frozen=True, slots=True)
class BrokenLine:
    """A line of a records file that is no record, and why."""

    line: int
    reason: str


@dataclass(frozen=True, slots=True)
class RecordSeen:
    """A record that says something else than its run or its file.

    Attributes:
        line: Its line in the records file.
        record: What it says.
        run: The run that it lies in.
        entry: The file that it lies in.
    """

    line: int
    record: Record
    run: RunManifest
    entry: FileEntry


@dataclass(frozen=True, slots=True)
class SourceLine:
    """A record's reference to a line that is none to make a record of.

    Attributes:
        line: The record's line in the records file.
        source: The raw line that it names.
        raw_path: The raw file.
        raw_lines: How many lines that has.
    """

    line: int
    source: int
    raw_path: str
    raw_lines: int


@dataclass(slots=True)
class RecordsSeen:
    """What one file's records amount to, beside its entry in the manifest.

    Attributes:
        run: The run's folder.
        place: The entry's place in the manifest, a JSON path.
        entry: What the manifest says.
        raw_lines: The lines of the raw file; None if they could not be counted.
        records: The lines of the records file; None if there is none to read.
        is_intact: Whether the records file has its registered bytes.
        broken: How many of them are no records.
        stable: Records with a stable identity.
        warnings: Texts of warnings.
        longest: The longest record line, in bytes.
        lost: Raw lines that hold something and have no record.
    """

    run: str
    place: str
    entry: FileEntry
    raw_lines: int | None = None
    records: int | None = None
    is_intact: bool = False
    broken: int = 0
    stable: int = 0
    warnings: int = 0
    longest: int = 0
    lost: Iterable[int] = ()


@dataclass(frozen=True, slots=True)
class ImportSeen:
    """An import beside the adapter of its format.

    Attributes:
        folder: The run's folder.
        place: The import's place in the manifest, a JSON path.
        entry: What the manifest says.
        version_now: The version of the adapter that is installed; None if none is.
    """

    folder: str
    place: str
    entry: ImportEntry
    version_now: int | None


@dataclass(frozen=True, slots=True)
class DerivedSeen:
    """The stored records of a file beside those that the adapter makes of it now.

    Attributes:
        format: The adapter's name.
        entry: The file.
        is_possible: Whether there was an adapter to make them.
        differs_at: The first line of the records file that differs; None if none does.
        refused: Why the adapter refused the raw file.
    """

    format: str
    entry: FileEntry
    is_possible: bool = True
    differs_at: int | None = None
    refused: Sequence[Finding] = ()


@dataclass(slots=True)
class Listing:
    """Findings of one file: of each code the first `LISTED`, the last of which counts the rest."""

    _kept: list[Finding] = field(default_factory=list)
    _counts: Counter[str] = field(default_factory=Counter)

    def add(self, finding: Finding) -> None:
        """Lists the finding, or counts it."""
        self._counts[finding.code.id] += 1
        if self._counts[finding.code.id] <= LISTED:
            self._kept.append(finding)

    def extend(self, findings: Iterable[Finding]) -> None:
        """Lists or counts each finding."""
        for finding in findings:
            self.add(finding)

    def done(self) -> list[Finding]:
        """The list, in the order in which they were added."""
        last = {finding.code.id: finding for finding in self._kept}
        return [self._counting(finding) if finding is last[finding.code.id] else finding for finding in self._kept]

    def _counting(self, finding: Finding) -> Finding:
        more = self._counts[finding.code.id] - LISTED
        return (
            replace(finding, text=f"{finding.text} {more:,} more of this kind in this file are not listed.")
            if more > 0
            else finding
        )
