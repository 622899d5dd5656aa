"""Where everything lies in an archive.

ROOT/
  archive.json                      the marker: its id, its age, its schema version
  .gitattributes                    keeps git from touching a byte of what is registered
  runs/RUN/
    manifest.json                   what belongs to the run; replacing it commits
    raw/NNNN-<name>                 the producer's bytes
    records/NNNN.jsonl              the records of raw/NNNN
    attachments/NNNN-<name>
  item-banks/ID/ protocols/ID/ model-panels/ID/ calibrations/ID/ releases/ID/
    manifest.json, artifact.json
  .itemproof/                       of this machine: never uploaded, never hashed, recreated when missing
    lock                            taken by every writer
    journal/NNNN.json               what a write is about to do
    staging/NNNN/                   what it has not yet moved into place
    discarded/RUN-TIME/             runs that were discarded and not yet purged
    index/                          derived; may be deleted
    .gitignore                      keeps all of this out of git
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal, TypeAlias

from itemproof.core.findings import Code
from itemproof.files.atomic import disk_faults, make_folder
from itemproof.files.paths import locate
from itemproof.records.manifest import RunManifest, decode_manifest

__all__ = [
    "GIT_ATTRIBUTES",
    "KINDS",
    "MANAGED",
    "MISSING",
    "OTHER_BYTES",
    "OTHER_SIZE",
    "REGISTRIES",
    "Kind",
    "Layout",
    "is_stored",
]

MISSING: Final = Code("A001", "a registered file is missing")
OTHER_SIZE: Final = Code("A002", "a registered file has another size")
OTHER_BYTES: Final = Code("A003", "a registered file has other bytes")

#: The folders of a run.
Kind: TypeAlias = Literal["raw", "records", "attachments"]
KINDS: Final[tuple[Kind, ...]] = ("raw", "records", "attachments")

REGISTRIES: Final = ("item-banks", "protocols", "model-panels", "calibrations", "releases")
#: Everything registered lies below these.
MANAGED: Final = ("runs", *REGISTRIES)

GIT_ATTRIBUTES: Final = "".join(f"/{folder}/** binary\n" for folder in MANAGED)


@dataclass(frozen=True, slots=True)
class Layout:
    """The paths of the archive at a root."""

    root: Path

    @property
    def marker(self) -> Path:
        """`archive.json`."""
        return self.root / "archive.json"

    @property
    def git_attributes(self) -> Path:
        """`.gitattributes`."""
        return self.root / ".gitattributes"

    @property
    def runs(self) -> Path:
        """The folder of all runs."""
        return self.root / "runs"

    @property
    def operational(self) -> Path:
        """The folder of what belongs to this machine."""
        return self.root / ".itemproof"

    @property
    def lock(self) -> Path:
        """The file that a writer locks."""
        return self.operational / "lock"

    @property
    def journal(self) -> Path:
        """The folder of intents."""
        return self.operational / "journal"

    @property
    def staging(self) -> Path:
        """The folder of files that are not yet in place."""
        return self.operational / "staging"

    @property
    def discarded(self) -> Path:
        """The folder of discarded runs."""
        return self.operational / "discarded"

    @property
    def index(self) -> Path:
        """The folder of derived caches."""
        return self.operational / "index"

    def run(self, run_id: str) -> Path:
        """A run's folder; the id must have been checked."""
        return self.runs / run_id

    def manifest(self, run_id: str) -> Path:
        """A run's manifest."""
        return self.run(run_id) / "manifest.json"

    def read_manifest(self, run_id: str) -> RunManifest | None:
        """The run's manifest as it stands on the disk, or None where there is none.

        Raises:
            InvalidInput: It is not what itemproof writes (A010 to A013, D013), or is a link (D014).
            Unavailable: It cannot be read.
        """
        path = self.stored(f"runs/{run_id}/manifest.json")
        with disk_faults(path):
            try:
                data = path.read_bytes()
            except FileNotFoundError:
                return None
        return decode_manifest(data, run_id=run_id, file=f"runs/{run_id}/manifest.json")

    def stored(self, path: str) -> Path:
        """The file that a manifest's path names, reached through no link.

        Raises:
            InvalidInput: The path is unsafe (D013) or leads through a link (D014).
        """
        return locate(self.root, path)

    def run_ids(self) -> list[str]:
        """The runs, sorted; a folder without a manifest is none.

        One whose manifest cannot be looked at is taken for a run: whoever opens it is told why.

        Raises:
            Unavailable: The folder of all runs cannot be read.
        """
        return [name for name in self.run_folders() if self._has_manifest(name)]

    def _has_manifest(self, name: str) -> bool:
        try:
            return self.manifest(name).is_file()
        except OSError:
            return True

    def run_folders(self) -> list[str]:
        """Every folder below `runs`, sorted, with a manifest or without.

        Raises:
            Unavailable: The folder of all runs cannot be read.
        """
        with disk_faults(self.runs):
            if not self.runs.is_dir():
                return []
            return sorted(path.name for path in self.runs.iterdir() if path.is_dir())

    def make_operational(self) -> None:
        """The folders that a write needs exist.

        Raises:
            Unavailable: The disk refused.
            InvalidInput: A link has the name of one (D014).
        """
        for folder in (self.operational, self.journal, self.staging, self.runs):
            make_folder(folder)


def is_stored(path: Path) -> bool:
    """Whether an absolute path lies where an archive keeps what it holds, or what it is working on.

    Raises:
        Unavailable: A folder above it cannot be looked into.
    """
    with disk_faults(path):
        for folder in path.parents:
            if (folder / "archive.json").is_file():
                return path.relative_to(folder).parts[0] in {*MANAGED, ".itemproof"}
    return False
