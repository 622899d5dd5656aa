"""The intents of writers, and how what a dead one left is finished or undone.

A journal is written before anything moves and names every file that will. It is an undo journal: whatever the run's
manifest names stays, everything else that the journal names goes, if it still holds the bytes that the journal says: a
file that somebody else put there is not the journal's. Doing this again changes nothing, so it may itself be
interrupted anywhere.
"""

from __future__ import annotations

import hashlib
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import msgspec

from itemproof.archive.layout import KINDS, Layout
from itemproof.files.atomic import disk_faults, erase, replace, sync_folder
from itemproof.files.paths import check_id
from itemproof.records.manifest import decode_closed, encode

__all__ = ["Intent", "Settled", "heal", "settle", "write_intent"]


class Intent(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a write is about to do to one run.

    Attributes:
        schema_version: 1.
        run_id: The run.
        command: What the user asked for, such as `import`.
        began_at: UTC, with `Z`.
        files: The files that will be moved into place, relative to the archive, each with its SHA-256; empty while
            they are being staged.
        manifest_sha256: The digest of the manifest that will commit them, or null while they are being staged.
    """

    schema_version: Literal[1] = 1
    run_id: str
    command: str
    began_at: str
    files: dict[str, str] = {}
    manifest_sha256: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Settled:
    """What became of a write whose writer died.

    Attributes:
        run_id: The run.
        command: What the writer was doing.
        began_at: UTC, with `Z`.
        outcome: `finished` if its manifest had been put in place, else `undone`.
        removed: How many files were removed.
    """

    run_id: str
    command: str
    began_at: str
    outcome: Literal["finished", "undone"]
    removed: int


def write_intent(path: Path, intent: Intent) -> None:
    """The journal at this path is this intent, on the disk.

    Raises:
        Unavailable: The disk refused.
    """
    replace(path, encode(intent))


def heal(layout: Layout) -> list[Settled]:
    """Nothing of a dead writer is left; the caller holds the lock, so whatever is staged belongs to one.

    Raises:
        InvalidInput: A journal, or the manifest of a run that one names, cannot be read; nothing of it was touched.
        Unavailable: The disk refused; what is left is settled the next time.
    """
    settled = []
    for path in _within(layout.journal):
        if path.suffix == ".json":
            settled.append(settle(layout, path))
        else:
            erase(path)
    for path in _within(layout.staging):
        erase(path)
    return settled


def _within(folder: Path) -> list[Path]:
    with disk_faults(folder):
        return sorted(folder.iterdir())


def settle(layout: Layout, path: Path) -> Settled:
    """The write of this journal is finished or undone, and the journal is gone.

    Raises:
        InvalidInput: The journal or the run's manifest cannot be read (A010 to A013, D011, D013, D014).
        Unavailable: The disk refused; settling again goes on where this ended.
    """
    with disk_faults(path):
        intent = decode_closed(path.read_bytes(), Intent, file=path.relative_to(layout.root).as_posix())
    check_id(intent.run_id, "run")
    manifest = layout.read_manifest(intent.run_id)
    kept = manifest.paths if manifest else {}
    doomed = {layout.stored(file): sha256 for file, sha256 in intent.files.items() if file not in kept}
    removed = sum(_remove(file, sha256) for file, sha256 in doomed.items())
    if manifest is None:
        _remove_empty_folders(layout.run(intent.run_id))
    finished = manifest is not None and _digest(layout.manifest(intent.run_id)) == intent.manifest_sha256
    erase(path)
    return Settled(
        run_id=intent.run_id,
        command=intent.command,
        began_at=intent.began_at,
        outcome="finished" if finished else "undone",
        removed=removed,
    )


def _digest(path: Path) -> str:
    with disk_faults(path), path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _remove(file: Path, sha256: str) -> bool:
    if not file.is_file() or _digest(file) != sha256:
        return False
    erase(file)
    sync_folder(file.parent)
    return True


def _remove_empty_folders(run: Path) -> None:
    """Removes the folders that a run without a manifest was to have; one that holds something stays."""
    for folder in (*(run / kind for kind in KINDS), run):
        with suppress(OSError):
            folder.rmdir()
