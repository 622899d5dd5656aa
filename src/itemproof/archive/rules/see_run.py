"""A run's folder: what lies there, what an unfinished write would put there, and what its manifest says, in that order.

The order makes this safe beside a writer. A file that was seen was moved there before; then its journal is still there,
or its write is over and the manifest, which is read last, names it.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from itemproof.archive.journal import Intent
from itemproof.archive.layout import Layout
from itemproof.archive.rules.base import ArchiveSeen, FolderSeen, RunSeen, manifest_path
from itemproof.core.errors import ItemproofError
from itemproof.core.findings import Finding
from itemproof.files.atomic import disk_faults
from itemproof.files.paths import is_link, utf8_text
from itemproof.files.walk import Entry, walk
from itemproof.records.manifest import Marker, RunManifest, decode_closed

__all__ = ["see_archive", "see_beside_runs", "see_journal", "see_marker", "see_run"]


def see_archive(layout: Layout, asked_for: Sequence[str]) -> ArchiveSeen:
    """The archive as a whole.

    Raises:
        Unavailable: The disk cannot read its folders.
    """
    with disk_faults(layout.root):
        return ArchiveSeen(layout.marker.is_file(), layout.run_ids(), layout.run_folders(), asked_for)


def see_marker(layout: Layout) -> Marker | None:
    """The archive's marker, None if there is none.

    Raises:
        InvalidInput: It is a link (D014) or not what itemproof writes (A010, A011, J001 to J008).
        Unavailable: The disk cannot read it.
    """
    data = _read(layout, "archive.json")
    return None if data is None else decode_closed(data, Marker, file="archive.json")


def see_run(layout: Layout, name: str) -> tuple[FolderSeen, RunSeen | None]:
    """What lies in the folder of this name, and the manifest, or None where there is none.

    Raises:
        InvalidInput: The folder's name is no id (D013), it or its manifest is a link (D014), or the manifest is not
            what itemproof writes (A010, A011, J001 to J008).
        Unavailable: The disk cannot read it.
    """
    folder = f"runs/{name}"
    entries = list(walk(layout.stored(folder)))
    unfinished = frozenset(file for intent in see_journal(layout)[0] for file in intent.files)
    data = _read(layout, manifest_path(name))
    if data is None:
        return FolderSeen(folder, False, frozenset(), entries, unfinished), None
    manifest = decode_closed(data, RunManifest, file=manifest_path(name))
    registered = frozenset({manifest_path(name), *manifest.paths})
    seen = FolderSeen(folder, True, registered, entries, unfinished)
    return seen, RunSeen(name, manifest, msgspec.json.decode(data))


def see_journal(layout: Layout) -> tuple[list[Intent], list[Finding]]:
    """The intents of writes that have not finished, and why others cannot be read."""
    intents: list[Intent] = []
    faults: list[Finding] = []
    try:
        entries = [entry for entry in walk(layout.journal) if entry.relative.endswith(".json")]
    except ItemproofError as error:
        return [], list(error.findings)
    for entry in entries:
        file = f".itemproof/journal/{entry.relative}"
        try:
            with disk_faults(entry.path):
                data = entry.path.read_bytes()
            intents.append(decode_closed(data, Intent, file=file))
        except ItemproofError as error:
            faults.extend(finding.at(file=file) for finding in error.findings)
    return intents, faults


def see_beside_runs(layout: Layout) -> FolderSeen:
    """What lies beside the runs' folders.

    Raises:
        InvalidInput: The folder of all runs is a link (D014).
        Unavailable: The disk cannot read it.
    """
    folder = layout.stored("runs")
    with disk_faults(folder):
        paths = sorted(path for path in folder.iterdir() if not path.is_dir()) if folder.is_dir() else []
    entries = [Entry(path, utf8_text(path.name), "link" if is_link(path) else "file") for path in paths]
    return FolderSeen("runs", True, frozenset(), entries, frozenset())


def _read(layout: Layout, stored: str) -> bytes | None:
    path = layout.stored(stored)
    with disk_faults(path):
        try:
            return path.read_bytes()
        except (FileNotFoundError, NotADirectoryError):
            return None
