"""An open run is taken out of the archive in one step, and erased only if that is asked for."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import count
from pathlib import Path

from itemproof.archive.archive import Archive
from itemproof.archive.layout import Layout
from itemproof.archive.transaction import Writer, after_commit, no_such_run
from itemproof.core.clock import Clock, system_clock
from itemproof.files.atomic import disk_faults, erase, make_folder, sync_folder
from itemproof.files.paths import check_id

__all__ = ["Discarded", "discard"]

_TIME_LENGTH = len("20261130T133332Z")


@dataclass(frozen=True, slots=True, kw_only=True)
class Discarded:
    """What became of the run.

    Attributes:
        kept_in: The folder that it was moved to; None if it was erased.
        erased: How many copies were erased, those of earlier discards included.
    """

    kept_in: Path | None
    erased: int


def discard(
    archive: Archive, run_id: str, *, purge: bool, lock_timeout_s: float = 10.0, clock: Clock = system_clock
) -> Discarded:
    """The run is out of the archive: kept in the discarded folder, or with `purge` erased.

    `purge` erases what earlier discards of this run kept, too, and may be asked for when only that is left. What a
    purge was interrupted in is erased by the next write.

    Raises:
        InvalidInput: There is no such run, nor, to be purged, a discarded one (W002).
        Refused: The run is sealed (W003), or another writer holds the lock (D008).
        Unavailable: The disk refused; the run is as it was, except after W006.
    """
    with archive.write(lock_timeout_s=lock_timeout_s, clock=clock, command="discard") as writer:
        layout = archive.layout
        check_id(run_id, "run")
        earlier = _earlier(layout, run_id) if purge else []
        there = layout.read_manifest(run_id) is not None
        if there:
            writer.open_manifest(run_id)
        elif not earlier:
            raise no_such_run(run_id)
        if not purge:
            kept_in = _free_name(layout, f"{run_id}-{writer.now().replace('-', '').replace(':', '')}")
            _move(layout.run(run_id), kept_in)
            return Discarded(kept_in=kept_in, erased=0)
        for folder in earlier:
            erase(folder)
        if there:
            _purge(layout, run_id, writer)
        return Discarded(kept_in=None, erased=len(earlier) + there)


def _earlier(layout: Layout, run_id: str) -> list[Path]:
    """The folders that earlier discards of this run made."""
    if not layout.discarded.is_dir():
        return []
    found = []
    for folder in sorted(layout.discarded.iterdir()):
        name, _, time = folder.name.rpartition("-")
        if name == run_id and len(time.partition(".")[0]) == _TIME_LENGTH:
            found.append(folder)
    return found


def _free_name(layout: Layout, name: str) -> Path:
    """A path among the discarded that nothing has yet."""
    make_folder(layout.discarded)
    candidates = (layout.discarded / (name if number == 1 else f"{name}.{number}") for number in count(1))
    return next(path for path in candidates if not path.exists())


def _move(folder: Path, destination: Path) -> None:
    with disk_faults(folder):
        folder.rename(destination)
    with after_commit():
        sync_folder(destination.parent)
        sync_folder(folder.parent)


def _purge(layout: Layout, run_id: str, writer: Writer) -> None:
    """Moves the run into staging, where it counts as a leftover, and erases it there."""
    staged = layout.staging / writer.next_name()
    _move(layout.run(run_id), staged)
    with after_commit():
        erase(staged)
