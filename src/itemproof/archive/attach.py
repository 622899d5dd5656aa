"""Files that travel with a run and are not read: logs, results files, trajectories, notes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import msgspec

from itemproof.archive.archive import Archive
from itemproof.archive.raw import copy_raw
from itemproof.archive.transaction import Change
from itemproof.core.clock import Clock, system_clock
from itemproof.core.errors import InvalidInput
from itemproof.core.findings import Code, Finding, Findings
from itemproof.core.where import Where
from itemproof.files.atomic import disk_faults
from itemproof.files.paths import utf8_text
from itemproof.records.manifest import Attachment

__all__ = ["Attached", "attach", "stage_attachments"]

NO_FILE: Final = Code("W009", "an attachment is no file that can be read")


@dataclass(frozen=True, slots=True, kw_only=True)
class Attached:
    """What became of the files.

    Attributes:
        added: The new attachments, in the order in which they were given.
        present: Those that the run had already, under the same name with the same bytes.
        of: The attachment of each path, new or not.
    """

    added: list[Attachment]
    present: list[Attachment]
    of: dict[Path, Attachment]


def attach(
    archive: Archive,
    run_id: str,
    paths: Sequence[Path],
    *,
    lock_timeout_s: float = 10.0,
    clock: Clock = system_clock,
    progress: Callable[[int], None] = lambda _: None,
) -> Attached:
    """Every file is an attachment of the run, byte for byte as it was when it was read; all of them or none.

    Args:
        archive: Where the run lies.
        run_id: The run, which is open.
        paths: The files, in order.
        lock_timeout_s: How long to wait for another writer.
        clock: Stands in the archive's journal.
        progress: Told how many bytes more are done.

    Raises:
        InvalidInput: A path is no readable file (W009; all of them are named), or there is no such run (W002).
        Refused: The run is sealed (W003), or another writer holds the lock (D008).
        Unavailable: The disk refused; nothing was attached.
    """
    _check(paths)
    with (
        archive.write(lock_timeout_s=lock_timeout_s, clock=clock, command="attach") as writer,
        writer.change(run_id) as change,
    ):
        attached = stage_attachments(change, paths, progress=progress)
        if attached.added:
            all_of_them = [*change.manifest.attachments, *attached.added]
            change.commit(msgspec.structs.replace(change.manifest, attachments=all_of_them))
    return attached


def _check(paths: Sequence[Path]) -> None:
    faults = Findings()
    for path in paths:
        with disk_faults(path):
            found = "is a folder" if path.is_dir() else "does not exist" if not path.exists() else "is no file"
            if not path.is_file():
                text = f"It {found}. Name each file that is to be attached."
                faults.add(Finding(NO_FILE, text, Where(file=utf8_text(str(path)))))
    if faults:
        raise InvalidInput(faults, "Nothing was attached.")


def stage_attachments(
    change: Change, paths: Sequence[Path], *, progress: Callable[[int], None] = lambda _: None
) -> Attached:
    """Every file is staged, unless the run holds it already; the caller commits those that were added.

    Raises:
        Unavailable: The disk refused.
    """
    known = {(one.name, one.sha256): one for one in change.manifest.attachments}
    attached = Attached(added=[], present=[], of={})
    for path in paths:
        staged = change.stage("attachments", path.name)
        copy = copy_raw(path, staged.path, progress=progress)
        copy.wait()
        one = Attachment(name=staged.name, path=staged.stored, bytes=copy.size_bytes, sha256=copy.sha256)
        if same := known.get((one.name, one.sha256)):
            change.unstage(staged)
            attached.present.append(same)
            attached.of[path] = same
        else:
            known[one.name, one.sha256] = one
            attached.added.append(one)
            attached.of[path] = one
    return attached
