"""Whether an archive is what its manifests say: every rule is asked, every file is read once, nothing is written.

Reads only, takes no lock and makes no cache, so it works beside a writer and on media that cannot be written. Damage is
what it is for and never an error: whatever cannot be read is a finding.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from itertools import chain, islice
from pathlib import Path
from typing import TypeVar

from itemproof.adapters.registry import adapter
from itemproof.archive.duplicates import KeyedFile, find_duplicates
from itemproof.archive.layout import Layout
from itemproof.archive.rules.base import ImportSeen, Listing, Registered, RunSeen, judge
from itemproof.archive.rules.duplicate import KeyPlaces
from itemproof.archive.rules.lists import (
    ARCHIVE_RULES,
    FOLDER_NOTES,
    FOLDER_RULES,
    IMPORT_NOTES,
    KEY_RULES,
    RUN_RULES,
)
from itemproof.archive.rules.see_all import inspect_all
from itemproof.archive.rules.see_derived import Renormalise
from itemproof.archive.rules.see_file import AttachmentTask, FileTask, Inspected, Task
from itemproof.archive.rules.see_run import see_archive, see_beside_runs, see_journal, see_marker, see_run
from itemproof.archive.rules.stored_paths import safe_paths
from itemproof.archive.workers import usable_cores
from itemproof.core.errors import InvalidInput, ItemproofError
from itemproof.core.findings import Finding
from itemproof.files.paths import BAD_ID, utf8_text

__all__ = ["Checked", "Validation", "validate"]

T = TypeVar("T")


@dataclass(slots=True, kw_only=True)
class Checked:
    """What was looked at.

    Attributes:
        runs: Runs with a manifest that can be read.
        imports: Imports.
        files: Imported files.
        records: Lines of their records files.
        attachments: Attachments.
        bytes: Bytes read of all these.
    """

    runs: int = 0
    imports: int = 0
    files: int = 0
    records: int = 0
    attachments: int = 0
    bytes: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Validation:
    """What came of a validation.

    Attributes:
        checked: What was looked at.
        findings: Every fault, ordered by code, file, line and JSON path.
        notes: What a reader should know and is no fault, in the same order.
    """

    checked: Checked
    findings: Sequence[Finding]
    notes: Sequence[Finding]

    @property
    def ok(self) -> bool:
        """Whether everything is intact, which is not a statement that scores are right."""
        return not self.findings


def validate(
    root: Path,
    run_ids: Sequence[str] = (),
    *,
    jobs: int | None = None,
    progress: Callable[[int], None] = lambda _: None,
    renormalise: Renormalise | None = None,
) -> Validation:
    """Every rule was asked about the archive and these runs (contract, validation and missing values).

    Args:
        root: The archive's folder.
        run_ids: The runs to look at; none means all of them and what lies beside them.
        jobs: How many cores to use; None takes all that there are. What is found is the same for every number.
        progress: Told how many bytes more are read.
        renormalise: Makes a file's records again, to be compared with the stored ones; None leaves that out.

    Raises:
        Unavailable: A worker process was killed, most likely for want of memory (D020).
    """
    validator = _Validator(Layout(root.absolute()), run_ids, renormalise)
    return validator.run(jobs=usable_cores() if jobs is None else jobs, progress=progress)


class _Validator:
    """One validation."""

    def __init__(self, layout: Layout, run_ids: Sequence[str], renormalise: Renormalise | None) -> None:
        self._layout = layout
        self._asked_for = run_ids
        self._renormalise = renormalise
        self._checked = Checked()
        self._findings: list[Finding] = []
        self._notes: list[Finding] = []

    def run(self, *, jobs: int, progress: Callable[[int], None]) -> Validation:
        """Looks at the archive, then at its runs, then at all their files."""
        runs = [run for name in self._look_at_archive() if (run := self._look_at_run(name))]
        tasks = [self._tasks(run) for run in runs]
        with closing(inspect_all(list(chain(*tasks)), jobs=jobs, progress=progress)) as results:
            for those in tasks:
                self._take(list(islice(results, len(those))))
        return Validation(
            checked=self._checked, findings=self._in_order(self._findings), notes=self._in_order(self._notes)
        )

    def _look_at_archive(self) -> Sequence[str]:
        """The names of the run folders to look into."""
        layout = self._layout
        self._notes.extend(see_journal(layout)[1])
        self._attempt("archive.json", lambda: see_marker(layout))
        beside = self._attempt("runs", lambda: see_beside_runs(layout))
        seen = self._attempt("runs", lambda: see_archive(layout, self._asked_for)) if beside else None
        if beside is None or seen is None:
            return []
        if not self._asked_for:
            self._findings.extend(judge(FOLDER_RULES, beside))
        found = list(judge(ARCHIVE_RULES, seen))
        self._findings.extend(found)
        misnamed = {finding.where.file for finding in found if finding.code is BAD_ID}
        return [name for name in seen.chosen if f"runs/{utf8_text(name)}" not in misnamed]

    def _look_at_run(self, name: str) -> RunSeen | None:
        """The run's manifest, unless nothing more can be said of the run."""
        looked = self._attempt(f"runs/{name}", lambda: see_run(self._layout, name))
        if looked is None:
            return None
        folder, run = looked
        if run is not None:
            self._findings.extend(judge(RUN_RULES, run))
            if not run.is_at_home:
                return None
        self._findings.extend(judge(FOLDER_RULES, folder))
        self._notes.extend(judge(FOLDER_NOTES, folder))
        return run

    def _attempt(self, file: str, look: Callable[[], T]) -> T | None:
        """What the look gives; what keeps it from being looked at is a finding."""
        try:
            return look()
        except ItemproofError as error:
            self._findings.extend(finding.at(file=file) for finding in error.findings)
            return None

    def _tasks(self, run: RunSeen) -> list[Task]:
        """What is to be read of a run, in the manifest's order."""
        manifest = run.manifest
        safe = safe_paths(run)
        tasks: list[Task] = []
        for number, entry in enumerate(manifest.imports):
            seen = ImportSeen(run.folder, f"$.imports[{number}]", entry, _version_now(entry.format))
            self._notes.extend(judge(IMPORT_NOTES, seen))
            tasks.extend(
                FileTask(
                    layout=self._layout,
                    run=run,
                    place=f"{seen.place}.files[{at}]",
                    origin=entry,
                    entry=file,
                    renormalise=self._renormalise,
                    is_current=seen.version_now == entry.normaliser_version,
                )
                for at, file in enumerate(entry.files)
                if {file.raw_path, file.records_path} <= safe
            )
        attached = [each for each in manifest.attachments if each.path in safe]
        tasks.extend(AttachmentTask(self._layout, Registered(each.path, each.bytes, each.sha256)) for each in attached)
        self._checked.runs += 1
        self._checked.imports += len(manifest.imports)
        self._checked.files += len(manifest.files)
        self._checked.attachments += len(manifest.attachments)
        return tasks

    def _take(self, results: Sequence[Inspected]) -> None:
        """What came of one run's tasks, and what only all its records together can tell."""
        for result in results:
            self._findings.extend(result.findings)
            self._notes.extend(result.notes)
            self._checked.records += result.records
            self._checked.bytes += result.size_bytes
        self._look_for_duplicates([result for result in results if result.keys])

    def _look_for_duplicates(self, results: Sequence[Inspected]) -> None:
        files = [result.records_path for result in results]
        keyed = [KeyedFile(self._layout.root / result.records_path, result.keys) for result in results]
        listing = Listing()
        try:
            for key, places in find_duplicates(keyed):
                listing.extend(judge(KEY_RULES, KeyPlaces(key, places, files)))
        except ItemproofError as error:
            listing.extend(error.findings)
        self._findings.extend(listing.done())

    def _in_order(self, findings: Iterable[Finding]) -> list[Finding]:
        """Sorted, with every file relative to the archive, also where the disk named it."""
        root = f"{utf8_text(str(self._layout.root))}/"
        named = [
            replace(each, where=replace(each.where, file=(each.where.file or "").removeprefix(root)))
            for each in findings
        ]
        return sorted(named, key=_place)


def _version_now(name: str) -> int | None:
    """The version of the installed adapter of a format, None if there is none that works."""
    try:
        return adapter(name).version
    except InvalidInput:
        return None


def _place(finding: Finding) -> tuple[str, str, int, str, str]:
    where = finding.where
    return finding.code.id, where.file or "", where.line or 0, where.path or "", finding.text
