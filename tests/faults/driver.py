"""Small programs that write to an archive, to be killed: `driver.py NAME ROOT [FILE…]`, with the tool's exit codes.

Each is one write and nothing else, so that every system call that is traced belongs to it.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from itemproof.archive.archive import Archive
from itemproof.archive.discard import discard
from itemproof.archive.recover import recover
from itemproof.archive.seal import seal
from itemproof.archive.transaction import Change, NewRun, Staged
from itemproof.core.digest import sha256_of
from itemproof.core.errors import InvalidInput, ItemproofError, Refused
from itemproof.files.atomic import disk_faults
from itemproof.records.manifest import Attachment, FileEntry, ImportEntry

RAW = b'{"question_id": "q1"}\n'
RECORDS = b'{"schema_version":1,"question_id":"q1"}\n'


def clock() -> datetime:
    return datetime(2026, 11, 30, 13, 33, 32, tzinfo=UTC)


def write(staged: Staged, data: bytes) -> None:
    """Writes without syncing: that is the transaction's part."""
    with disk_faults(staged.path), staged.path.open("xb") as file:
        file.write(data)


def stage_import(change: Change, names: list[str]) -> ImportEntry:
    """An import of small files as the real one stages it: a raw file and its records for each name."""
    files = []
    for name in names:
        raw = change.stage("raw", name)
        write(raw, RAW)
        records = change.stage_records(raw)
        write(records, RECORDS)
        files.append(
            FileEntry(
                name=raw.name,
                raw_path=raw.stored,
                raw_bytes=len(RAW),
                raw_sha256=sha256_of(RAW),
                records_path=records.stored,
                records_bytes=len(RECORDS),
                records_sha256=sha256_of(RECORDS),
                longest_record_bytes=len(RECORDS),
                lines=1,
                records=1,
                scopes={"stable": 1, "run-local": 0, "ambiguous": 0},
                warnings={},
                metrics_used={},
            )
        )
    return ImportEntry(
        id=f"import-{len(change.manifest.imports) + 1:04d}",
        timestamp="2026-11-30T13:33:32Z",
        format="canonical",
        normaliser_version=1,
        variant=None,
        id_selection=[],
        options={},
        facts={},
        reproduced=None,
        notices=[],
        files=files,
    )


def import_names(root: Path, run_id: str, names: list[str], create: NewRun | None = None) -> None:
    """Imports small files under these names and attaches a note, in one commit."""
    archive = Archive.open(root)
    with (
        archive.write(clock=clock, command="import", lock_timeout_s=60.0) as writer,
        writer.change(run_id, create=create) as change,
    ):
        entry = stage_import(change, names)
        note = change.stage("attachments", "note.txt")
        write(note, RAW)
        attachment = Attachment(name=note.name, path=note.stored, bytes=len(RAW), sha256=sha256_of(RAW))
        change.commit(
            msgspec.structs.replace(
                change.manifest,
                imports=[*change.manifest.imports, entry],
                attachments=[*change.manifest.attachments, attachment],
            )
        )


def _init(root: Path, _: list[str]) -> None:
    Archive.create(root, clock=clock, new_id=lambda: "0" * 32)


def _create_run(root: Path, _: list[str]) -> None:
    with Archive.open(root).write(clock=clock, command="create-run") as writer:
        writer.create_run("new", "model", {"key": "value"})


def _import(root: Path, _: list[str]) -> None:
    import_names(root, "old", ["a.jsonl", "b.jsonl"])


def _import_new(root: Path, _: list[str]) -> None:
    import_names(root, "new", ["a.jsonl"], NewRun(model="model"))


def _import_one(root: Path, names: list[str]) -> None:
    import_names(root, "old", names)


def _attach(root: Path, paths: list[str]) -> None:
    from itemproof.archive.attach import attach

    attach(Archive.open(root), "old", [Path(path) for path in paths], clock=clock)


def _seal(root: Path, _: list[str]) -> None:
    seal(Archive.open(root), "old", clock=clock)


def _discard(root: Path, _: list[str]) -> None:
    discard(Archive.open(root), "old", purge=False, clock=clock)


def _purge(root: Path, _: list[str]) -> None:
    discard(Archive.open(root), "old", purge=True, clock=clock)


def _recover(root: Path, _: list[str]) -> None:
    recover(Archive.open(root), clock=clock)


def _impatient(root: Path, _: list[str]) -> None:
    with Archive.open(root).write(clock=clock, command="create-run", lock_timeout_s=0.0) as writer:
        writer.create_run("new", "model", {})


def _hold(root: Path, _: list[str]) -> None:
    """Holds the lock with a staged file until standard input ends; says `ready` when it does."""
    with Archive.open(root).write(clock=clock, command="import") as writer, writer.change("old") as change:
        write(change.stage("raw", "a.jsonl"), RAW)
        sys.stdout.write("ready\n")
        sys.stdout.flush()
        sys.stdin.read()


def _hold_and_fork(root: Path, _: list[str]) -> None:
    """Holds the lock, and leaves a child behind that lives until standard input ends."""
    with Archive.open(root).write(clock=clock, command="import"):
        child = os.fork()
        if child == 0:
            sys.stdout.write("ready\n")
            sys.stdout.flush()
            sys.stdin.read()
            os._exit(0)
        signal.pause()


PROGRAMS: dict[str, Callable[[Path, list[str]], None]] = {
    "init": _init,
    "create-run": _create_run,
    "import": _import,
    "import-new": _import_new,
    "import-one": _import_one,
    "attach": _attach,
    "seal": _seal,
    "discard": _discard,
    "purge": _purge,
    "recover": _recover,
    "impatient": _impatient,
    "hold": _hold,
    "hold-and-fork": _hold_and_fork,
}


def main(name: str, root: str, rest: list[str]) -> int:
    try:
        PROGRAMS[name](Path(root), rest)
    except ItemproofError as error:
        sys.stderr.write(f"{error}\n")
        return 2 if isinstance(error, InvalidInput) else 3 if isinstance(error, Refused) else 4
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2], sys.argv[3:]))
