"""The records of a stored raw file made again, by what its manifest says of the import."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import msgspec

from itemproof.adapters.base import Adapter, FileContext, Options
from itemproof.adapters.harness_folder import read_results
from itemproof.adapters.registry import adapter, is_builtin, names
from itemproof.archive.decisions import normalise_file, pieces_by_blocks
from itemproof.archive.layout import Layout
from itemproof.archive.normalise import Work
from itemproof.archive.rules.see_derived import NO_TEMPORARY
from itemproof.core.errors import InvalidInput, Unavailable, invalid, unavailable
from itemproof.core.where import Where
from itemproof.files.atomic import disk_faults
from itemproof.records.identity import parse_id_selection
from itemproof.records.manifest import UNREADABLE, FileEntry, ImportEntry, RunManifest

__all__ = ["Rederiver"]

_CHUNK_BYTES: Final = 1 << 20


class _Recorded(msgspec.Struct, forbid_unknown_fields=True):
    """The options of a file as an import records them."""

    variant: str | None = None
    benchmark: str | None = None
    language: str | None = None
    script: str | None = None
    filter: str | None = None
    repeat_id: int | str | None = None


class Rederiver:
    """Makes a file's record lines anew; writes beside no archive, but in the system's folder for temporary files.

    Args:
        layout: The archive.
    """

    def __init__(self, layout: Layout) -> None:
        self._layout = layout

    def __call__(self, run: RunManifest, entry: ImportEntry, file: FileEntry) -> Iterator[bytes] | None:
        """The record lines of a file, cut anywhere; None where there is no adapter to make them.

        Raises:
            InvalidInput: The adapter refuses a line, or the manifest's options are none of an import (A010).
            Unavailable: The folder for temporary files is full or refuses (D021), or the archive cannot be read.
        """
        if entry.format not in names():
            return None
        return self._made(run, entry, file, adapter(entry.format))

    def _made(self, run: RunManifest, entry: ImportEntry, file: FileEntry, format_: Adapter) -> Iterator[bytes]:
        work = Work(
            adapter=format_,
            context=self._context(run, entry, file),
            shown=file.raw_path,
            raw=self._layout.stored(file.raw_path),
            max_line_bytes=sys.maxsize,
            check=not is_builtin(format_),
        )
        with _temporary_folder() as folder:
            made = folder / "records"
            with _temporary_faults(folder):
                done = normalise_file(work, made, pieces_by_blocks)
            if done.findings:
                raise InvalidInput(done.findings)
            with made.open("rb") as records:
                while chunk := records.read(_CHUNK_BYTES):
                    yield chunk

    def _context(self, run: RunManifest, entry: ImportEntry, file: FileEntry) -> FileContext:
        return FileContext(
            run_id=run.run_id,
            model=run.model,
            metadata=entry.metadata,
            name=file.name,
            task=file.task,
            raw_path=file.raw_path,
            raw_sha256=file.raw_sha256,
            options=_options(entry, file),
            results=self._results(file),
        )

    def _results(self, file: FileEntry) -> Mapping[str, Any] | None:
        if file.results_path is None:
            return None
        return read_results(self._layout.stored(file.results_path))


def _options(entry: ImportEntry, file: FileEntry) -> Options:
    """The options of an import as its manifest has them, which somebody may have written by hand."""
    try:
        recorded = msgspec.convert(file.options, _Recorded)
    except msgspec.ValidationError as error:
        text = f"its options in the manifest are not what an import records: {error}. Bring the manifest back."
        raise invalid(UNREADABLE, text) from error
    return Options(ids=parse_id_selection(entry.id_selection), **msgspec.structs.asdict(recorded))


@contextmanager
def _temporary_folder() -> Iterator[Path]:
    """A folder of this process's own, which is gone behind the block."""
    try:
        with disk_faults(Path("TMPDIR")):
            folder = tempfile.TemporaryDirectory(prefix="itemproof-", ignore_cleanup_errors=True)
    except Unavailable as fault:
        raise _no_temporary(fault) from fault
    with folder as name:
        yield Path(name)


@contextmanager
def _temporary_faults(folder: Path) -> Iterator[None]:
    """Within the block a fault of the folder is told from one of the archive.

    Raises:
        Unavailable: Something in the folder could not be written or read (D021), or any other fault as it is.
    """
    try:
        yield
    except Unavailable as fault:
        if not (fault.where.file or "").startswith(str(folder)):
            raise
        raise _no_temporary(fault) from fault


def _no_temporary(fault: Unavailable) -> Unavailable:
    text = (
        f"{fault.text} The records of each file are written once more there, to be compared: for each of --jobs as "
        "much room is needed as the largest records file has; TMPDIR names another folder. Nothing is said of the "
        "archive."
    )
    return unavailable(NO_TEMPORARY, text, Where(file=fault.where.file))
