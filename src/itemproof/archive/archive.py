"""An archive: made, found, read, and opened for writing. Readers need no lock and never write."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import msgspec

from itemproof import __version__
from itemproof.archive.journal import heal
from itemproof.archive.layout import GIT_ATTRIBUTES, MANAGED, Layout, is_stored
from itemproof.archive.stored import stored_records
from itemproof.archive.transaction import Writer, no_such_run
from itemproof.core.clock import Clock, system_clock, utc_text
from itemproof.core.errors import ItemproofError, invalid, refused
from itemproof.core.findings import Code
from itemproof.core.where import Where
from itemproof.files.atomic import disk_faults, erase, publish, sync_folder, write_new
from itemproof.files.lock import Patience, hold, this_process
from itemproof.files.paths import check_id, utf8_text
from itemproof.files.walk import walk
from itemproof.records.manifest import Marker, RunManifest, decode_closed, encode
from itemproof.records.record import RecordDict
from itemproof.records.versions import ARCHIVE

__all__ = ["Archive", "Run", "random_id"]

NO_ARCHIVE: Final = Code("W007", "there is no archive")
NO_FOLDER: Final = Code("W012", "an archive was to be made where a file lies")
INSIDE: Final = Code("W013", "an archive was to be made among the files of another")
MARKER_LOST: Final = Code("W008", "registered files lie where a new archive would be")


def random_id() -> str:
    """32 hexadecimal digits that nobody else has."""
    return secrets.token_hex(16)


@dataclass(frozen=True, slots=True)
class Run:
    """A run as its manifest stood when it was opened; later imports do not show.

    Attributes:
        layout: The archive's paths.
        manifest: What belongs to the run.
    """

    layout: Layout
    manifest: RunManifest

    @property
    def id(self) -> str:
        """The folder's name."""
        return self.manifest.run_id

    @property
    def folder(self) -> Path:
        """Where the run lies."""
        return self.layout.run(self.id)

    def records(self) -> Iterator[RecordDict]:
        """Every record with its values exactly as they stand, in the order of import.

        Raises:
            InvalidInput: A records file is missing (A001), or is not what the import wrote (A002, A003, A030).
            Unavailable: The disk did not give it.
        """
        decode = msgspec.json.Decoder(dict).decode
        for file in self.manifest.files:
            yield from stored_records(self.layout, file, decode)


@dataclass(frozen=True, slots=True)
class Archive:
    """An archive on the disk.

    Attributes:
        layout: Its paths.
        marker: What `archive.json` says.
    """

    layout: Layout
    marker: Marker

    @property
    def root(self) -> Path:
        """The folder with `archive.json`."""
        return self.layout.root

    @classmethod
    def create(
        cls,
        root: Path | str,
        *,
        clock: Clock = system_clock,
        new_id: Callable[[], str] = random_id,
        lock_timeout_s: float = 10.0,
    ) -> Archive:
        """The folder is an archive with all that this machine needs to write to it.

        An archive that is there already stays the one it is; registered data that is missing stays missing.

        Raises:
            InvalidInput: There is an `archive.json` that itemproof did not write (A010, A011); or it would lie among
                the files of another archive (W013).
            Refused: There is none, but there are files where registered ones would be (W008); or another writer
                holds the lock (D008).
            Unavailable: The disk refused; what was not made is made the next time.
        """
        layout = Layout(Path(root).absolute())
        with disk_faults(layout.root):
            is_taken = layout.root.exists() and not layout.root.is_dir()
        if is_taken:
            text = "This is no folder, so it can hold no archive. Name a folder with --root."
            raise invalid(NO_FOLDER, text, Where(file=utf8_text(str(layout.root))))
        if is_stored(layout.root):
            text = "Another archive keeps its own files there, and no other may lie among them. Name a place outside."
            raise invalid(INSIDE, text, Where(file=utf8_text(str(layout.root))))
        if not _is_file(layout.marker):
            _refuse_registered(layout)
        with disk_faults(layout.root):
            layout.root.mkdir(parents=True, exist_ok=True)
        layout.make_operational()
        holder = this_process(since=utc_text(clock()), command="init")
        with hold(layout.lock, holder, patience=Patience(timeout_s=lock_timeout_s)):
            heal(layout)
            _write_if_missing(layout, layout.operational / ".gitignore", b"*\n")
            _write_if_missing(layout, layout.git_attributes, GIT_ATTRIBUTES.encode())
            marker = Marker(
                schema_version=ARCHIVE, archive_id=new_id(), created_at=utc_text(clock()), tool_version=__version__
            )
            _write_if_missing(layout, layout.marker, encode(marker))
        return cls.open(root)

    def withdraw(self) -> None:
        """An archive that was made a moment ago and holds no run is gone again; any other stays.

        Raises:
            Unavailable: The disk refused.
        """
        if self.run_ids():
            return
        for path in (self.layout.marker, self.layout.git_attributes, self.layout.operational, self.layout.runs):
            erase(path)

    @classmethod
    def open(cls, root: Path | str) -> Archive:
        """The archive at this folder.

        Raises:
            InvalidInput: There is none (W007), or its marker is not what this itemproof writes (A010, A011).
        """
        layout = Layout(Path(root).absolute())
        with disk_faults(layout.marker):
            try:
                data = layout.marker.read_bytes()
            except (FileNotFoundError, NotADirectoryError):
                raise _no_archive(layout.root, "") from None
        return cls(layout, decode_closed(data, Marker, file="archive.json"))

    @classmethod
    def find(cls, start: Path | str) -> Archive:
        """The archive at this folder or the nearest one above it.

        Raises:
            InvalidInput: There is none (W007), or its marker cannot be read.
        """
        folder = Path(start).absolute()
        for candidate in (folder, *folder.parents):
            if _is_file(candidate / "archive.json"):
                return cls.open(candidate)
        raise _no_archive(folder, " or in a folder above it")

    def run_ids(self) -> list[str]:
        """The runs, sorted; a folder without a manifest is none."""
        return self.layout.run_ids()

    def run(self, run_id: str) -> Run:
        """The run as it stands now.

        Raises:
            InvalidInput: There is no such run (W002), the id is no id (D011), or its manifest cannot be read.
        """
        check_id(run_id, "run")
        manifest = self.layout.read_manifest(run_id)
        if manifest is None:
            raise no_such_run(run_id)
        return Run(self.layout, manifest)

    @contextmanager
    def write(
        self, *, lock_timeout_s: float = 10.0, clock: Clock = system_clock, command: str = "write"
    ) -> Iterator[Writer]:
        """Within the block this process is the one writer, and nothing of a dead writer is left.

        Args:
            lock_timeout_s: How long to wait for another writer.
            clock: For what is written.
            command: What is being done, for those who wait and for what an unfinished write is called.

        Raises:
            Refused: Another writer held the lock all the time (D008).
            Unavailable: The disk refused, or has no locks (D009).
            InvalidInput: What a dead writer left cannot be read.
        """
        self.layout.make_operational()
        holder = this_process(since=utc_text(clock()), command=command)
        with hold(self.layout.lock, holder, patience=Patience(timeout_s=lock_timeout_s)):
            yield Writer(self.layout, heal(self.layout), clock=clock, command=command)


def _is_file(path: Path) -> bool:
    with disk_faults(path):
        return path.is_file()


def _no_archive(root: Path, above: str) -> ItemproofError:
    text = f"There is no archive here{above}. `itemproof init` makes one, and --root names one that lies elsewhere."
    return invalid(NO_ARCHIVE, text, Where(file=utf8_text(str(root))))


def _refuse_registered(layout: Layout) -> None:
    """Refuses a new identity for files that belong to an archive whose marker was lost, or to something else."""
    for folder in MANAGED:
        entry = next(walk(layout.root / folder), None)
        if entry is not None:
            raise refused(
                MARKER_LOST,
                f"{folder}/ holds files ({entry.relative}) and archive.json is missing. Bring archive.json back, or "
                "make the archive in another folder.",
                Where(file=utf8_text(str(layout.root))),
            )


def _write_if_missing(layout: Layout, path: Path, data: bytes) -> None:
    with disk_faults(path):
        if path.exists():
            return
    staged = layout.staging / path.name
    write_new(staged, data)
    publish(staged, path)
    sync_folder(path.parent)
