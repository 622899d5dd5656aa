"""What an import is asked to do, and what came of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from itemproof.adapters.base import Adapter, Options, Tally
from itemproof.archive.normalise import Normalised
from itemproof.archive.raw import RawCopy
from itemproof.archive.transaction import NewRun
from itemproof.files.jsonl import MAX_LINE_BYTES
from itemproof.records.manifest import ImportEntry

__all__ = ["Conclusion", "Imported", "ImportedFile", "Request", "SourceFile", "Standing"]


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceFile:
    """A file to import.

    Attributes:
        path: Where it lies.
        options: What the user said about its lines.
        task: The task that its name or its results file gives.
        results: The parsed results file beside it.
        results_path: Where that lies; it is among the request's attachments.
    """

    path: Path
    options: Options
    task: str | None = None
    results: Mapping[str, Any] | None = None
    results_path: Path | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportedFile:
    """What became of one file."""

    source: SourceFile
    adapter: Adapter
    why: str
    raw: RawCopy
    raw_path: str
    normalised: Normalised

    @property
    def tally(self) -> Tally:
        """What the adapter counted."""
        return self.normalised.tally


@dataclass(frozen=True, slots=True, kw_only=True)
class Conclusion:
    """What the files together say, for the manifest.

    Attributes:
        facts: By task, for the import's entry.
        metadata: For the run where it has nothing under these names.
        reproduced: How the imported lines agree with the producer's own table.
        notices: For the user and the entry.
    """

    facts: dict[str, Any] = field(default_factory=dict)
    metadata: dict[str, Any] = field(default_factory=dict)
    reproduced: dict[str, Any] | None = None
    notices: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """What the run is before the import."""

    model: str
    metadata: Mapping[str, Any]


def _nothing_to_conclude(_: Sequence[ImportedFile], __: Standing) -> Conclusion:
    return Conclusion()


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """One import.

    Attributes:
        run_id: The run that receives the records.
        sources: The files, in order.
        create: Makes the run in the same commit; None where it must be there.
        adapter: The format; None decides by each file's first record.
        attachments: Files that are kept beside the records, in the same commit.
        options: What shaped the records, by name, for the manifest.
        variant: The wording that the user named for all files, for the manifest.
        conclude: Given the imported files and the run's metadata, says what they mean together; may refuse.
        max_line_bytes: Longer lines are refused.
    """

    run_id: str
    sources: Sequence[SourceFile]
    create: NewRun | None = None
    adapter: Adapter | None = None
    attachments: Sequence[Path] = ()
    options: Mapping[str, Any] = field(default_factory=dict)
    variant: str | None = None
    conclude: Callable[[Sequence[ImportedFile], Standing], Conclusion] = _nothing_to_conclude
    max_line_bytes: int = MAX_LINE_BYTES


@dataclass(frozen=True, slots=True, kw_only=True)
class Imported:
    """A committed import."""

    run_id: str
    entry: ImportEntry
    files: Sequence[ImportedFile]
