"""The sides of a comparison: runs of an archive, and paths that are imported into a throw-away one by the same code."""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import msgspec

from itemproof.adapters.fields import NO_BENCHMARK
from itemproof.app.imports import NO_MODEL, Choices, Found, Means, find, import_found, model_named
from itemproof.archive.archive import Archive, Run
from itemproof.archive.layout import Layout
from itemproof.archive.rederive import Rederiver
from itemproof.archive.transaction import NewRun
from itemproof.core.errors import InvalidInput, invalid
from itemproof.core.findings import Code
from itemproof.files.atomic import disk_faults
from itemproof.files.jsonl import first_line
from itemproof.records.identity import AUTO, LOOKUP, parse_id_selection, value_at
from itemproof.records.manifest import FileEntry, ImportEntry

__all__ = ["OpenSide", "SideMaker", "identified_by", "is_path"]

NO_SUCH_SIDE: Final = Code("U021", "a side of a comparison is neither a run nor a log")
STRICT: Final = Code("I023", "identities of a strict run cannot be chosen anew")
NOT_MADE_AGAIN: Final = Code("I024", "the records of a run cannot be made again with other identities")
NOT_YET: Final = Code("U022", "a kind of side that this version does not read")

_LOG_ENDS: Final = (".jsonl", ".json", ".jsonl.gz", ".jsonl.zst")
_CONTENT: Final = "doc_hash"


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenSide:
    """A side whose records lie on the disk.

    Attributes:
        given: As the person named it.
        run: What holds its records; of a path a run of a throw-away archive, of a run with other identities a view.
        is_path: Whether it was a path.
        is_view: Whether the raw lines of a run were read again for other identities.
        notices: What the import of a path had to say.
    """

    given: str
    run: Run
    is_path: bool
    is_view: bool = False
    notices: tuple[str, ...] = ()


def is_path(given: str | Path) -> bool:
    """Whether a side means a path: a `Path`, or a text with a slash or a log's suffix; anything else is a run."""
    if isinstance(given, Path):
        return True
    separators = {"/", os.sep, *(os.altsep or "")}
    return any(mark in given for mark in separators) or given in (".", "..") or given.lower().endswith(_LOG_ENDS)


class SideMaker:
    """Opens sides.

    Args:
        folder: For what is thrown away; it must outlive the sides.
        archive: Gives the archive whose runs may be named.
        choices: How paths are imported. `auto` stands in where no id field is asked for; a benchmark is taken only for
            lines that nothing else gives one.
        means: How the work is done.
    """

    def __init__(self, folder: Path, archive: Callable[[], Archive], choices: Choices, means: Means) -> None:
        self._folder = folder
        self._archive = archive
        self._choices = choices
        self._means = means

    def open(self, given: str | Path, name: str) -> OpenSide:
        """The side; `name` tells it from the others.

        Raises:
            InvalidInput: There is no such run or log, or it is refused.
            Refused: As an import.
            Unavailable: The disk refused.
        """
        text = str(given)
        if text.startswith("hf://"):
            raise invalid(NOT_YET, f"{text}: this version reads runs and local paths. Download it first.")
        if is_path(given):
            return self._imported(Path(given), text, name)
        run = self._found(text)
        if not self._choices.id_field:
            return OpenSide(given=text, run=run, is_path=False)
        return OpenSide(given=text, run=self._viewed(run, name), is_path=False, is_view=True)

    def _found(self, run_id: str) -> Run:
        try:
            return self._archive().run(run_id)
        except InvalidInput as error:
            if not Path(run_id).exists():
                raise
            text = f"{error.text} There is a file or folder of that name: write ./{run_id} to compare it."
            raise invalid(NO_SUCH_SIDE, text, outcome="Nothing was compared.") from error

    def _imported(self, path: Path, text: str, name: str) -> OpenSide:
        choices = replace(self._choices, benchmark=None, id_field=self._choices.id_field or (AUTO,))
        found = find([path], choices)
        archive = Archive.create(self._folder / name, clock=self._means.clock)
        new = NewRun(model=_model(found, path))
        try:
            imported = import_found(archive, name, found, choices, create=new, means=self._means)
        except InvalidInput as error:
            benchmark = self._choices.benchmark
            if benchmark is None or any(finding.code != NO_BENCHMARK for finding in error.findings):
                raise
            named = replace(choices, benchmark=benchmark)  # it is asked for, and nothing else names one
            imported = import_found(archive, name, found, named, create=new, means=self._means)
        notices = (*found.notices, *imported.entry.notices)
        return OpenSide(given=text, run=archive.run(name), is_path=True, notices=tuple(dict.fromkeys(notices)))

    def _viewed(self, run: Run, name: str) -> Run:
        """The run with its records made again from the raw lines, under the identities asked for."""
        if run.manifest.metadata.get("benchmark_contract") is not None:
            text = f"the run {run.id} is strict: its item bank names the questions. Compare it without --id-field."
            raise invalid(STRICT, text, outcome="Nothing was compared.")
        layout = Layout(self._folder / name)
        again = Rederiver(run.layout)
        imports = []
        for entry in run.manifest.imports:
            selected = msgspec.structs.replace(entry, id_selection=list(self._choices.id_field))
            files = [_write_view(again, run, selected, file, layout) for file in entry.files]
            imports.append(msgspec.structs.replace(selected, files=files))
        return Run(layout, msgspec.structs.replace(run.manifest, imports=imports))


def _write_view(again: Rederiver, run: Run, entry: ImportEntry, file: FileEntry, layout: Layout) -> FileEntry:
    """The records of a file stand in the view; their entry registers them as they are there."""
    chunks = again(run.manifest, entry, file)
    if chunks is None:
        text = f"{file.raw_path} was imported as {entry.format}, and that adapter is not installed."
        raise invalid(NOT_MADE_AGAIN, text, outcome="Nothing was compared.")
    path = layout.root / file.records_path
    with disk_faults(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        digest, size_bytes = hashlib.sha256(), 0
        with path.open("wb") as out:
            for chunk in chunks:
                digest.update(chunk)
                size_bytes += out.write(chunk)
    return msgspec.structs.replace(file, records_bytes=size_bytes, records_sha256=digest.hexdigest())


def _model(found: Found, path: Path) -> str:
    """The model that the results files or the first line name, else the path's own name."""
    try:
        return model_named(found)
    except InvalidInput as error:
        if error.code != NO_MODEL:
            raise
    _, line = first_line(found.evaluations[0].samples, name=str(path), max_line_bytes=sys.maxsize)
    model = line.get("model")
    return model if isinstance(model, str) and model.strip() else path.name or "model"


def identified_by(side: OpenSide, files: Iterable[int]) -> set[str]:
    """The fields that name the questions of the first lines of some files; none for a file of which it is not known.

    Args:
        side: The side.
        files: Their numbers, in the order of the manifest.
    """
    listed = [(entry, file) for entry in side.run.manifest.imports for file in entry.files]
    names = (_field_of(side, *listed[number]) for number in files)
    return {name for name in names if name is not None}


def _field_of(side: OpenSide, entry: ImportEntry, file: FileEntry) -> str | None:
    selection = parse_id_selection(entry.id_selection)
    if selection.given and not selection.auto:
        return ", ".join(selection.given)
    place = side.run.layout.stored(file.raw_path)
    if not place.is_file():  # a view has no raw lines of its own
        return None
    _, line = first_line(place, max_line_bytes=sys.maxsize)
    named = next((path for path in LOOKUP if isinstance(value_at(line, path.split(".")), str | int)), None)
    return named or (_CONTENT if selection.auto else None)
