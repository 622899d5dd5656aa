"""`add`: the logs below some paths, a run for each model, each imported in a transaction of its own."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, TypeAlias

from itemproof.adapters.harness_folder import Evaluation
from itemproof.app.imports import (
    NOTHING_IMPORTED,
    Choices,
    Found,
    Means,
    chosen,
    discover_some,
    found_of,
    import_found,
    nameless,
)
from itemproof.archive.archive import Archive
from itemproof.archive.request import Imported
from itemproof.archive.transaction import NewRun
from itemproof.core.errors import InvalidInput, ItemproofError, invalid
from itemproof.core.findings import Code
from itemproof.files.atomic import disk_faults
from itemproof.files.paths import check_id

__all__ = ["Added", "Gathered", "add", "gather", "open_or_create", "run_id_for"]

OTHER_CHOICES: Final = Code("W028", "logs that an archive holds were added with other options")

#: The recorded choices that make other records of the same lines.
_SHAPING: Final = ("benchmark", "language", "script", "filter", "name_pattern")
_LONGEST_ID: Final = 120


#: Models whose logs were refused, and why; logs of a form that is not read stand there without a model.
Failures: TypeAlias = list[tuple[str, ItemproofError]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Gathered:
    """The logs that an `add` is to bring in; nothing was written for it.

    Attributes:
        parts: By model.
        failed: What was refused already; only with `keep_going`.
        notices: What there is to say about what was found.
        left_out: Files in folders that are no logs.
    """

    parts: Sequence[tuple[str, Found]]
    failed: Failures
    notices: Sequence[str]
    left_out: Sequence[Path]


@dataclass(frozen=True, slots=True, kw_only=True)
class Added:
    """What came of an `add`.

    Attributes:
        imported: The runs that were made.
        present: Runs that hold the same bytes already.
        failed: What was refused, with `keep_going` or after a run was made.
        not_tried: Models behind one that was refused.
        notices: Why runs are called what they are called.
    """

    notices: list[str] = field(default_factory=list)
    imported: list[Imported] = field(default_factory=list)
    present: list[str] = field(default_factory=list)
    failed: Failures = field(default_factory=list)
    not_tried: list[str] = field(default_factory=list)


def open_or_create(root: Path | None, means: Means) -> tuple[Archive, bool]:
    """The archive at the root, or found upward from here, or made there; and whether it was made."""
    if root is None:
        try:
            return Archive.find(Path()), False
        except InvalidInput as error:
            if error.code.id != "W007":
                raise
    place = root or Path()
    made = not (place / "archive.json").exists()
    return Archive.create(place, clock=means.clock, lock_timeout_s=means.lock_timeout_s), made


def gather(paths: Sequence[Path], choices: Choices, *, model: str | None, keep_going: bool) -> Gathered:
    """Every log below the paths, by model, each task once or as numbered repeats.

    Args:
        paths: Files and folders.
        choices: What the user said about the logs.
        model: The model of logs beside which no results file names one.
        keep_going: Whether what is refused is kept for later instead.

    Raises:
        InvalidInput: A path leads nowhere, a log is refused, or nothing names its model (W023).
        Unavailable: A folder or file cannot be read.
    """
    discovery = discover_some(paths)
    failed: Failures = []
    if discovery.refused:
        _refuse(failed, "", InvalidInput(discovery.refused, NOTHING_IMPORTED), keep_going=keep_going)
    parts: list[tuple[str, Found]] = []
    for named, evaluations in _by_model(discovery.evaluations).items():
        name = named or model
        try:
            if name is None:
                raise nameless(evaluations)
            parts.append((name, found_of(discovery, chosen(evaluations, choices))))
        except InvalidInput as error:
            _refuse(failed, name or "", error, keep_going=keep_going)
    return Gathered(parts=parts, failed=failed, notices=discovery.notices, left_out=discovery.left_out)


def add(archive: Archive, gathered: Gathered, choices: Choices, *, keep_going: bool, means: Means) -> Added:
    """Every log stands in the run of its model; the same logs again change nothing.

    A run's id comes from the model's name. Where another run has that id and other bytes, `.2` follows it, and so on.

    Args:
        archive: The archive.
        gathered: The logs.
        choices: What the user said about them.
        keep_going: Whether the logs of one model are imported although another's were refused before.
        means: How the work is done.

    Raises:
        InvalidInput: A log is refused before any run was made.
        Refused: Another writer holds the archive. The outcome names the runs that were made before.
        Unavailable: The disk did not take it; the same.
    """
    added = Added(failed=[*gathered.failed])
    for number, (name, part) in enumerate(gathered.parts, start=1):
        try:
            _add_one(archive, name, part, choices, means, added)
        except InvalidInput as error:
            _refuse(added.failed, name, error, keep_going=keep_going or bool(added.imported))
            if not keep_going:
                added.not_tried.extend(model for model, _ in gathered.parts[number:])
                break
        except ItemproofError as error:
            if added.imported:
                made = ", ".join(one.run_id for one in added.imported)
                error.outcome = f"{error.outcome} Imported before it: {made}.".lstrip()
            raise
    return added


def _refuse(failed: Failures, model: str, error: InvalidInput, *, keep_going: bool) -> None:
    if not keep_going:
        raise error
    failed.append((model, error))


def _by_model(evaluations: Sequence[Evaluation]) -> dict[str | None, list[Evaluation]]:
    groups: dict[str | None, list[Evaluation]] = {}
    for evaluation in evaluations:
        groups.setdefault(evaluation.model, []).append(evaluation)
    return groups


def _add_one(archive: Archive, model: str, part: Found, choices: Choices, means: Means, added: Added) -> None:
    present, run_id = _place(archive, model, part, added.notices)
    if present:
        _refuse_other_choices(archive, run_id, choices)
        added.present.append(run_id)
        return
    imported = import_found(archive, run_id, part, choices, create=NewRun(model=model), means=means)
    added.imported.append(imported)


def _refuse_other_choices(archive: Archive, run_id: str, choices: Choices) -> None:
    """Refuses to leave a run as it is when its logs are asked for in another way."""
    for entry in archive.run(run_id).manifest.imports:
        asked, held = choices.recorded(), entry.options
        same = all(asked.get(name) == held.get(name) for name in _SHAPING)
        if not same or entry.id_selection != list(choices.id_field) or entry.variant != choices.variant:
            text = (
                f"the run {run_id} holds these logs already, imported with other options. Discard it first "
                f"(`itemproof discard {run_id}`), or import the logs into a run of another name with --create."
            )
            raise invalid(OTHER_CHOICES, text, outcome=NOTHING_IMPORTED)


def _place(archive: Archive, model: str, part: Found, notices: list[str]) -> tuple[bool, str]:
    """Whether a run of this model holds the logs already, and its id; else the first id that is free."""
    base, number = run_id_for(model), 1
    taken = {run_id.casefold(): run_id for run_id in archive.run_ids()}
    digests: set[str] | None = None
    while True:
        run_id = base if number == 1 else f"{base}.{number}"
        if run_id.casefold() not in taken:
            return False, run_id
        manifest = archive.run(taken[run_id.casefold()]).manifest
        digests = digests if digests is not None else {_sha256(one.samples) for one in part.evaluations}
        held = digests & {file.raw_sha256 for file in manifest.files}
        if manifest.model == model and held == digests:
            return True, manifest.run_id
        if manifest.model == model and held:
            notices.append(
                f"{manifest.run_id} holds {len(held)} of these {len(digests)} logs, so they all went into a run of "
                f"their own; `itemproof import {manifest.run_id} FILE` adds a new log to an open run."
            )
        number += 1


def _sha256(path: Path) -> str:
    with disk_faults(path), path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def run_id_for(model: str) -> str:
    """A run id that reads like the model's name: every run of characters that an id cannot have becomes `__`."""
    readable = re.sub(r"[^A-Za-z0-9._-]+", "__", model)[:_LONGEST_ID].strip("._-") or "run"
    try:
        check_id(readable, "run")
    except InvalidInput:  # a device on Windows
        return f"run-{readable}"
    return readable
