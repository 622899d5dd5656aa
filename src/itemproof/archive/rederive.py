"""The records of a stored raw file made again, by what its manifest says of the import."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from itemproof.adapters.base import Adapter, FileContext, Options
from itemproof.adapters.registry import adapter, is_builtin, names
from itemproof.archive.decisions import normalise_file, pieces_by_blocks
from itemproof.archive.layout import Layout
from itemproof.archive.normalise import Work
from itemproof.core.errors import InvalidInput
from itemproof.files.atomic import disk_faults
from itemproof.files.strict_json import loads
from itemproof.records.identity import parse_id_selection
from itemproof.records.manifest import FileEntry, ImportEntry, RunManifest

__all__ = ["Rederiver"]

_CHUNK_BYTES: Final = 1 << 20


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
            InvalidInput: The adapter refuses a line.
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
        with tempfile.TemporaryDirectory(prefix="itemproof-") as name:
            made = Path(name, "records")
            done = normalise_file(work, made, pieces_by_blocks)
            if done.findings:
                raise InvalidInput(done.findings)
            with disk_faults(made), made.open("rb") as records:
                while chunk := records.read(_CHUNK_BYTES):
                    yield chunk

    def _context(self, run: RunManifest, entry: ImportEntry, file: FileEntry) -> FileContext:
        return FileContext(
            run_id=run.run_id,
            model=run.model,
            metadata=run.metadata,
            name=file.name,
            task=file.task,
            raw_path=file.raw_path,
            raw_sha256=file.raw_sha256,
            options=Options(ids=parse_id_selection(entry.id_selection), **file.options),
            results=self._results(file),
        )

    def _results(self, file: FileEntry) -> Mapping[str, Any] | None:
        if file.results_path is None:
            return None
        path = self._layout.stored(file.results_path)
        with disk_faults(path):
            found = loads(path.read_bytes())
        return found if isinstance(found, Mapping) else None
