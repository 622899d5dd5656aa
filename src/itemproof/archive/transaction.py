"""How an archive is written: all of a change or nothing of it, whatever happens in between.

The order, each step on the disk before the next begins:

    1  the lock is taken, and what a dead writer left is settled
    2  the journal says which run is about to change
    3  the new files are written in the staging folder
    4  they lose their write permission and are synced
    5  the journal names each of them, and the digest of the manifest to come
    6  they are given their names in the run's folders, which are synced
    7  the manifest is written in the staging folder and synced, then renamed over the old one:   THE COMMIT
    8  staging and journal are cleared

Promises. Before 7 a reader sees the archive as it was, from 7 on as it will be; it needs no lock for that. A fault or
an interruption before 7 undoes everything, after 7 nothing. A writer that dies leaves what the next write settles by
the same rule as here: what the committed manifest names stays. A file that is not the writer's own is never replaced
and never removed.

Accepted costs. Some ten syncs for the smallest change. A staged file must lie on the disk of the archive. Clearing the
journal is not synced: after a power cut it may be back, and settling it changes nothing. If the very last sync of 7
fails, the change is in place and the caller hears that the disk did not confirm it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Literal, Self

import msgspec

from itemproof import __version__
from itemproof.archive.journal import Intent, Settled, settle, write_intent
from itemproof.archive.layout import Kind, Layout
from itemproof.core.clock import Clock, utc_text
from itemproof.core.digest import sha256_of
from itemproof.core.errors import InvalidInput, ItemproofError, invalid, refused, unavailable
from itemproof.core.findings import Code
from itemproof.core.where import Where
from itemproof.files.atomic import (
    disk_faults,
    erase,
    make_folder,
    move_over,
    publish,
    sync_file,
    sync_folder,
    write_new,
)
from itemproof.files.paths import check_id, number_of, stored_name, utf8_text
from itemproof.files.walk import walk
from itemproof.records.manifest import RunManifest, decode_closed, encode

__all__ = ["Change", "NewRun", "Staged", "Writer", "after_commit", "no_such_run"]

NOT_READABLE: Final = Code("W029", "a manifest that could not be read again")
RUN_EXISTS: Final = Code("W001", "the run exists")
NO_RUN: Final = Code("W002", "there is no such run")
SEALED: Final = Code("W003", "the run is sealed")
LEFTOVERS: Final = Code("W004", "files lie where a new run would be")
CUT_SHORT: Final = Code("W005", "the disk holds fewer or more bytes than were written")
NO_MODEL_NAME: Final = Code("W011", "a run's model has a blank name")
UNCONFIRMED: Final = Code("W006", "the disk did not confirm a change that is in place")


@dataclass(frozen=True, slots=True, kw_only=True)
class NewRun:
    """What a run is created with."""

    model: str
    metadata: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Staged:
    """A file that will belong to the run.

    Attributes:
        kind: The folder it will be in.
        number: Its number in its folder.
        name: Its basename as given, in text that a manifest can hold.
        path: Where the caller writes it now.
        stored: Its path in the archive, for the manifest.
    """

    kind: Kind
    number: int
    name: str
    path: Path
    stored: str


class Change:
    """One change of one run: a `with` block that changes nothing unless it commits; made by `Writer.change`.

    Attributes:
        manifest: The run's manifest as it stands, or the empty one of a new run.
    """

    def __init__(self, layout: Layout, manifest: RunManifest, *, intent: Intent, name: str) -> None:
        self.manifest = manifest
        self._layout = layout
        self._intent = intent
        self._journal = layout.journal / f"{name}.json"
        self._folder = layout.staging / name
        self._staged: list[Staged] = []
        self._last: dict[str, int] = {}
        self._committed = False

    def __enter__(self) -> Self:
        try:
            write_intent(self._journal, self._intent)
            make_folder(self._folder)
        except BaseException:
            self._clear()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self._clear()

    def stage(self, kind: Literal["raw", "attachments"], name: str) -> Staged:
        """A place for a file with the next number; the caller creates and writes it.

        Args:
            kind: The folder it will be in.
            name: Its basename as given.

        Raises:
            Unavailable: The disk refused.
        """
        if kind not in self._last:
            self._last[kind] = self._last_number(kind)
        self._last[kind] += 1
        return self._stage(kind, self._last[kind], name)

    def stage_records(self, raw: Staged) -> Staged:
        """A place for the records of a staged raw file, with its number.

        Raises:
            Unavailable: The disk refused.
        """
        return self._stage("records", raw.number, None)

    def unstage(self, staged: Staged) -> None:
        """The staged file, the last one of its kind, is dropped and its number is free again.

        Raises:
            Unavailable: The disk refused.
        """
        self._staged.remove(staged)
        erase(staged.path)
        if self._last.get(staged.kind) == staged.number:
            self._last[staged.kind] -= 1

    def _stage(self, kind: Kind, number: int, name: str | None) -> Staged:
        folder = self._folder / kind
        make_folder(folder)
        stored = f"{number:04d}.jsonl" if name is None else stored_name(number, name)
        staged = Staged(
            kind=kind,
            number=number,
            name=utf8_text(stored if name is None else name),
            path=folder / stored,
            stored=f"runs/{self.manifest.run_id}/{kind}/{stored}",
        )
        self._staged.append(staged)
        return staged

    def _last_number(self, kind: Kind) -> int:
        """The highest number in use, registered or on the disk for whatever reason; raw and records share theirs."""
        kinds = ("raw", "records") if kind == "raw" else (kind,)
        registered = [path.split("/")[2:] for path in self.manifest.paths]
        numbers = [number_of(name) for folder, name in registered if folder in kinds]
        for folder in kinds:
            entries = walk(self._layout.run(self.manifest.run_id) / folder)
            numbers.extend(number_of(entry.relative) for entry in entries)
        return max(numbers, default=0)

    def commit(self, manifest: RunManifest) -> None:
        """The run is as this manifest says, on the disk.

        Args:
            manifest: The new manifest; it names what the old one named and every staged file.

        Raises:
            ValueError: The manifest does not name exactly these files; nothing was changed.
            InvalidInput: The manifest could not be read again (W029); nothing was changed.
            Unavailable: The disk refused; nothing was changed, except after W006.
            Refused: A file has the name of a staged one (D005); nothing was changed.
        """
        self._check(manifest)
        registered = {file.path: file for file in manifest.registered}
        for staged in self._staged:
            _check_size(staged, registered[staged.stored].size_bytes)
            sync_file(staged.path, read_only=True)
        data = self._readable(manifest)
        files = {staged.stored: registered[staged.stored].sha256 for staged in self._staged}
        plan = msgspec.structs.replace(self._intent, files=files, manifest_sha256=sha256_of(data))
        write_intent(self._journal, plan)
        self._move_into_place()
        self._replace_manifest(data)

    def _readable(self, manifest: RunManifest) -> bytes:
        """The bytes of a manifest, which its reader takes; metadata and facts are of others and may be anything."""
        name = f"runs/{manifest.run_id}/manifest.json"
        try:
            data = encode(manifest)
            decode_closed(data, RunManifest, file=name)
        except (InvalidInput, RecursionError) as error:
            text = (
                "What is to be registered could not be read again: the metadata, or what a results file says of its "
                "evaluation, is nested too deeply. Flatten it, or leave that file out."
            )
            raise invalid(NOT_READABLE, text, Where(file=name)) from error
        return data

    def _check(self, manifest: RunManifest) -> None:
        due = {*self.manifest.paths, *(staged.stored for staged in self._staged)}
        if manifest.run_id != self.manifest.run_id or set(manifest.paths) != due or self._committed:
            raise ValueError("a commit is made once, of the same run, naming its old files and every staged one")

    def _move_into_place(self) -> None:
        run = self._layout.run(self.manifest.run_id)
        make_folder(run)
        folders: dict[Path, None] = {}
        for staged in self._staged:
            destination = self._layout.stored(staged.stored)
            make_folder(destination.parent)
            publish(staged.path, destination)
            folders[destination.parent] = None
        for folder in folders:
            sync_folder(folder)

    def _replace_manifest(self, data: bytes) -> None:
        staged = self._folder / "manifest.json"
        write_new(staged, data)
        path = self._layout.manifest(self.manifest.run_id)
        move_over(staged, path)
        self._committed = True
        with after_commit():
            sync_folder(path.parent)

    def _clear(self) -> None:
        """Without a commit, undoes what was done; then clears journal and staging.

        What cannot be cleared now is cleared by the next write, so a fault here hides none that came before it.
        """
        with suppress(OSError, ItemproofError):
            if self._committed:
                erase(self._journal)
            elif self._journal.exists():
                settle(self._layout, self._journal)
        with suppress(OSError, ItemproofError):
            erase(self._folder)


class Writer:
    """The one writer of an archive, while it holds the lock; made by `Archive.write`.

    Attributes:
        healed: What became of the writes of dead writers.
    """

    def __init__(self, layout: Layout, healed: list[Settled], *, clock: Clock, command: str) -> None:
        self.layout = layout
        self.healed = healed
        self._clock = clock
        self._command = command
        self._changes = 0

    def now(self) -> str:
        """The present moment, as manifests write it."""
        return utc_text(self._clock())

    def next_name(self) -> str:
        """A name in staging and journal that this writer has not used; the lock keeps others away."""
        self._changes += 1
        return f"{self._changes:04d}"

    def create_run(self, run_id: str, model: str, metadata: Mapping[str, Any]) -> RunManifest:
        """An open run without records exists.

        Raises:
            InvalidInput: The id cannot be a folder's name (D011).
            Refused: The run exists (W001), one that differs by case exists (D012), or files lie there (W004).
            Unavailable: The disk refused; nothing was changed.
        """
        with self.change(run_id, create=NewRun(model=model, metadata=metadata)) as change:
            change.commit(change.manifest)
            return change.manifest

    def change(self, run_id: str, *, create: NewRun | None = None) -> Change:
        """A change of a run, or of a run to be created; leaving its block without a commit changes nothing.

        Raises:
            InvalidInput: There is no such run (W002), its manifest cannot be read, or the id is no id (D011).
            Refused: The run is sealed (W003); to be created, it exists (W001) or cannot (D012, W004).
            Unavailable: The disk refused; nothing was changed.
        """
        manifest = self._new(run_id, create) if create else self.open_manifest(run_id)
        intent = Intent(run_id=run_id, command=self._command, began_at=self.now())
        return Change(self.layout, manifest, intent=intent, name=self.next_name())

    def open_manifest(self, run_id: str) -> RunManifest:
        """The manifest of a run that may still change.

        Raises:
            InvalidInput: There is no such run (W002), its manifest cannot be read, or the id is no id (D011).
            Refused: The run is sealed (W003).
        """
        check_id(run_id, "run")
        manifest = self.layout.read_manifest(run_id)
        if manifest is None:
            raise no_such_run(run_id)
        if manifest.status == "sealed":
            raise refused(SEALED, f"The run {run_id!r} was sealed at {manifest.sealed_at} and never changes again.")
        return manifest

    def _new(self, run_id: str, create: NewRun) -> RunManifest:
        check_id(run_id, "run", taken=self.layout.run_folders())
        if not create.model.strip():
            raise invalid(NO_MODEL_NAME, "The model's name is blank. Say which model was evaluated.")
        if self.layout.read_manifest(run_id) is not None:
            raise refused(RUN_EXISTS, f"The run {run_id!r} exists. Write to it without creating it, or use another id.")
        if next(walk(self.layout.run(run_id)), None) is not None:
            raise refused(
                LEFTOVERS,
                "Files lie there, but no manifest: no unfinished write left them. Bring the manifest back or move the "
                "folder away.",
                Where(file=f"runs/{run_id}"),
            )
        return RunManifest(
            schema_version=1,
            run_id=run_id,
            status="open",
            model=create.model,
            created_at=self.now(),
            tool_version=__version__,
            metadata=dict(create.metadata),
            imports=[],
            attachments=[],
        )


@contextmanager
def after_commit() -> Iterator[None]:
    """Within the block the change is in place already, and a fault of the disk says so.

    Raises:
        Unavailable: The disk refused (W006).
    """
    try:
        yield
    except ItemproofError as error:
        raise unavailable(
            UNCONFIRMED,
            "It is done and every reader sees it, but the disk did not carry out the last step, so a power cut might "
            f"undo it: {error.text} Check the disk; do not repeat the command.",
            error.where,
        ) from error


def no_such_run(run_id: str) -> ItemproofError:
    """The error that names a run that does not exist."""
    return invalid(NO_RUN, f"There is no run {run_id!r} in this archive. `itemproof list` names those there are.")


def _check_size(staged: Staged, due_bytes: int) -> None:
    """The staged file has the size that the manifest gives it: a disk that filled up may have kept less."""
    with disk_faults(staged.path):
        found_bytes = staged.path.stat().st_size
    if found_bytes != due_bytes:
        raise unavailable(
            CUT_SHORT,
            f"{found_bytes} bytes are on the disk and {due_bytes} were written. Check the disk and its free space.",
            Where(file=staged.stored),
        )
