"""Records are made again of a raw file and held against the stored ones, chunk by chunk."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Final, TypeAlias

from itemproof.archive.layout import Layout
from itemproof.archive.rules.base import DerivedSeen
from itemproof.core.errors import InvalidInput
from itemproof.core.findings import Code
from itemproof.files.atomic import disk_faults
from itemproof.records.manifest import FileEntry, ImportEntry, RunManifest

__all__ = ["NO_TEMPORARY", "Renormalise", "see_derived"]

NO_TEMPORARY: Final = Code("D021", "the folder for temporary files did not take what a check needs")

#: Gives the bytes of a file's record lines, made anew with the import's options and cut anywhere; None where there is
#: no adapter to make them.
Renormalise: TypeAlias = Callable[[RunManifest, ImportEntry, FileEntry], Iterator[bytes] | None]


def see_derived(
    layout: Layout, renormalise: Renormalise, run: RunManifest, entry: ImportEntry, *, file: FileEntry
) -> DerivedSeen:
    """The stored records of a file beside those that are made of it now; both files must be intact.

    Raises:
        Unavailable: The disk cannot read them, or has no room to make records again (D021).
    """
    try:
        made = renormalise(run, entry, file)
        if made is None:
            return DerivedSeen(entry.format, file, is_possible=False)
        return DerivedSeen(entry.format, file, differs_at=_first_difference(layout.stored(file.records_path), made))
    except InvalidInput as error:
        return DerivedSeen(entry.format, file, refused=error.findings.kept)


def _first_difference(path: Path, made: Iterable[bytes]) -> int | None:
    """The first line in which the file is not what was made, None if there is none."""
    line = 1
    with disk_faults(path), path.open("rb") as file:
        for chunk in made:
            stored = file.read(len(chunk))
            if stored != chunk:
                return line + _same_lines(stored, chunk)
            line += chunk.count(b"\n")
        return line if file.read(1) else None


def _same_lines(one: bytes, other: bytes) -> int:
    """How many lines two different texts have in common from their start."""
    pairs = list(zip(one.split(b"\n"), other.split(b"\n"), strict=False))
    return next((at for at, (left, right) in enumerate(pairs) if left != right), len(pairs) - 1)
