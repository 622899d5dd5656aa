"""`add`: the logs below some paths, a run for each model, each imported in a transaction of its own."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from itemproof.app.imports import NO_MODEL, Choices, Found, Means, find, import_found
from itemproof.archive.archive import Archive
from itemproof.archive.request import Imported
from itemproof.archive.transaction import NewRun
from itemproof.core.errors import InvalidInput, ItemproofError, invalid
from itemproof.core.where import Where
from itemproof.files.atomic import disk_faults

__all__ = ["Added", "add", "open_or_create", "run_id_for"]

_LONGEST_ID: Final = 120


@dataclass(frozen=True, slots=True, kw_only=True)
class Added:
    """What came of an `add`.

    Attributes:
        imported: The runs that were made.
        present: Runs that hold the same bytes already.
        failed: Models whose logs were refused, and why; only with `keep_going`.
        found: What was found.
    """

    found: Found
    imported: list[Imported] = field(default_factory=list)
    present: list[str] = field(default_factory=list)
    failed: list[tuple[str, ItemproofError]] = field(default_factory=list)


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


def add(
    archive: Archive,
    paths: Sequence[Path],
    choices: Choices,
    *,
    model: str | None,
    keep_going: bool,
    means: Means,
) -> Added:
    """Every log below the paths stands in the run of its model; the same logs again change nothing.

    A run's id comes from the model's name. Where another run has that id and other bytes, `.2` follows it, and so on.

    Args:
        archive: The archive.
        paths: Files and folders.
        choices: What the user said about the logs.
        model: The model of logs beside which no results file names one.
        keep_going: Whether the logs of one model are imported although another's were refused.
        means: How the work is done.

    Raises:
        InvalidInput: A log is refused, or nothing names its model (W023); runs that were made before stay.
        Refused: Another writer holds the archive.
        Unavailable: The disk did not take it.
    """
    found = find(paths, choices)
    added = Added(found=found)
    for name, part in _by_model(found, model):
        try:
            _add_one(archive, name, part, choices, means, added)
        except InvalidInput as error:
            if not keep_going:
                raise
            added.failed.append((name, error))
    return added


def _by_model(found: Found, model: str | None) -> Iterator[tuple[str, Found]]:
    for named in dict.fromkeys(one.model for one in found.evaluations):
        part = found.of_model(named)
        name = named or model
        if name is None:
            text = "no results file lies beside it, so nothing names the model; name it with --model."
            raise invalid(NO_MODEL, text, Where(file=str(part.evaluations[0].samples)), outcome="Nothing was imported.")
        yield name, part


def _add_one(archive: Archive, model: str, part: Found, choices: Choices, means: Means, added: Added) -> None:
    present, run_id = _place(archive, model, part)
    if present:
        added.present.append(run_id)
        return
    imported = import_found(archive, run_id, part, choices, create=NewRun(model=model), means=means)
    added.imported.append(imported)


def _place(archive: Archive, model: str, part: Found) -> tuple[bool, str]:
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
        if manifest.model == model and digests <= {file.raw_sha256 for file in manifest.files}:
            return True, manifest.run_id
        number += 1


def _sha256(path: Path) -> str:
    with disk_faults(path), path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def run_id_for(model: str) -> str:
    """A run id that reads like the model's name: every run of characters that an id cannot have becomes `__`."""
    readable = re.sub(r"[^A-Za-z0-9._-]+", "__", model)[:_LONGEST_ID].strip("._-")
    return readable or "run"
