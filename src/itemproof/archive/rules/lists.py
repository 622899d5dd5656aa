"""Every rule, by what it is shown and in the order in which it is asked; a new rule is a file and a name here."""

from __future__ import annotations

from typing import Final, TypeAlias

from itemproof.archive.rules.base import (
    ArchiveSeen,
    BrokenLine,
    DerivedSeen,
    FolderSeen,
    ImportSeen,
    RecordSeen,
    RecordsSeen,
    Rule,
    RunSeen,
    Seen,
    SourceLine,
    StoredSeen,
)
from itemproof.archive.rules.blank_line import blank_line
from itemproof.archive.rules.counts import counts
from itemproof.archive.rules.duplicate import KeyPlaces, duplicate
from itemproof.archive.rules.line_ends import line_ends
from itemproof.archive.rules.lost_line import lost_line
from itemproof.archive.rules.missing import missing
from itemproof.archive.rules.no_adapter import no_adapter
from itemproof.archive.rules.no_archive import no_archive
from itemproof.archive.rules.no_manifest import no_manifest
from itemproof.archive.rules.no_runs import no_runs
from itemproof.archive.rules.no_such_line import no_such_line
from itemproof.archive.rules.no_such_run import no_such_run
from itemproof.archive.rules.not_rederived import not_rederived
from itemproof.archive.rules.numbering import numbering
from itemproof.archive.rules.open_run import open_run
from itemproof.archive.rules.other_bytes import other_bytes
from itemproof.archive.rules.other_context import other_context
from itemproof.archive.rules.other_normaliser import other_normaliser
from itemproof.archive.rules.other_run import other_run
from itemproof.archive.rules.other_size import other_size
from itemproof.archive.rules.other_source import other_source
from itemproof.archive.rules.record_schema import record_schema
from itemproof.archive.rules.rederived import rederived
from itemproof.archive.rules.results_file import results_file
from itemproof.archive.rules.run_ids import run_ids
from itemproof.archive.rules.sealed_run import sealed_run
from itemproof.archive.rules.stored_paths import stored_paths
from itemproof.archive.rules.unfinished import unfinished
from itemproof.archive.rules.untracked import untracked

__all__ = [
    "ADAPTER_NOTES",
    "ARCHIVE_RULES",
    "DERIVED_RULES",
    "FOLDER_NOTES",
    "FOLDER_RULES",
    "IMPORT_NOTES",
    "KEY_RULES",
    "LINE_RULES",
    "RECORDS_RULES",
    "RECORD_RULES",
    "RUN_RULES",
    "SOURCE_RULES",
    "STORED_RULES",
]

Rules: TypeAlias = tuple[Rule[Seen], ...]

ARCHIVE_RULES: Final[Rules[ArchiveSeen]] = (no_archive, no_runs, no_such_run, run_ids)
FOLDER_RULES: Final[Rules[FolderSeen]] = (no_manifest, untracked)
RUN_RULES: Final[Rules[RunSeen]] = (other_run, stored_paths, numbering, results_file, sealed_run, open_run)
STORED_RULES: Final[Rules[StoredSeen]] = (missing, line_ends, other_size, other_bytes)
LINE_RULES: Final[Rules[BrokenLine]] = (record_schema,)
RECORD_RULES: Final[Rules[RecordSeen]] = (other_context, other_source)
SOURCE_RULES: Final[Rules[SourceLine]] = (no_such_line, blank_line)
RECORDS_RULES: Final[Rules[RecordsSeen]] = (lost_line, counts)
KEY_RULES: Final[Rules[KeyPlaces]] = (duplicate,)
DERIVED_RULES: Final[Rules[DerivedSeen]] = (rederived, not_rederived)

# What these find is no fault.
FOLDER_NOTES: Final[Rules[FolderSeen]] = (unfinished,)
IMPORT_NOTES: Final[Rules[ImportSeen]] = (other_normaliser,)
ADAPTER_NOTES: Final[Rules[DerivedSeen]] = (no_adapter,)
