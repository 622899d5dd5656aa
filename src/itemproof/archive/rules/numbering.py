"""Imports and files are numbered upwards, and no number serves twice."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from itemproof.archive.rules.base import RunSeen
from itemproof.archive.rules.stored_paths import safe_paths
from itemproof.core.findings import Code, Finding
from itemproof.files.paths import number_of
from itemproof.records.manifest import FileEntry

__all__ = ["numbering"]

OUT_OF_ORDER: Final = Code("A043", "an import or a stored file is numbered out of order")

_MEND = "Bring back the manifest as itemproof wrote it, from a copy of the archive."


def numbering(seen: RunSeen) -> Iterator[Finding]:
    """Imports count from `import-0001`, raw files and attachments ascend, records have their raw file's number.

    Paths that are not followed anyway are left to their own rule.
    """
    safe = safe_paths(seen)
    raw, attached = [], []
    for at, entry in enumerate(seen.manifest.imports):
        yield from _import_id(seen, at, entry.id)
        for number, file in enumerate(entry.files):
            if {file.raw_path, file.records_path} <= safe:
                place = f"$.imports[{at}].files[{number}]"
                raw.append((f"{place}.raw_path", file.raw_path))
                yield from _same_number(seen, f"{place}.records_path", file)
    for at, attachment in enumerate(seen.manifest.attachments):
        if attachment.path in safe:
            attached.append((f"$.attachments[{at}].path", attachment.path))
    yield from _ascending(seen, raw)
    yield from _ascending(seen, attached)


def _import_id(seen: RunSeen, at: int, found: str) -> Iterator[Finding]:
    due = f"import-{at + 1:04d}"
    if found != due:
        text = f"The import's id is {found!r}; by its place among the imports it is {due!r}. {_MEND}"
        yield Finding(OUT_OF_ORDER, text, seen.at(f"$.imports[{at}].id"))


def _same_number(seen: RunSeen, place: str, file: FileEntry) -> Iterator[Finding]:
    if _number(file.records_path) != _number(file.raw_path):
        text = f"{file.records_path!r} has another number than its raw file {file.raw_path!r}. {_MEND}"
        yield Finding(OUT_OF_ORDER, text, seen.at(place))


def _ascending(seen: RunSeen, paths: Sequence[tuple[str, str]]) -> Iterator[Finding]:
    last = 0
    for place, path in paths:
        number = _number(path)
        if number <= last:
            text = f"{path!r} has the number {number}; the file before it has {last}, and numbers only grow. {_MEND}"
            yield Finding(OUT_OF_ORDER, text, seen.at(place))
        last = max(last, number)


def _number(path: str) -> int:
    return number_of(path.rpartition("/")[2])
