"""A fresh archive with a folder of logs beside it, and the whole import at hand: found, normalised, committed."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from itemproof.app.imports import Choices, Means, find, import_found
from itemproof.archive.archive import Archive
from itemproof.archive.layout import Layout
from itemproof.archive.rederive import Rederiver
from itemproof.archive.request import Imported
from itemproof.archive.transaction import NewRun
from itemproof.archive.validate import validate
from itemproof.core.errors import ItemproofError
from itemproof.core.findings import Finding
from itemproof.files.strict_json import loads
from itemproof.records.manifest import FileEntry
from itemproof.records.record import RecordDict

__all__ = ["Workbench", "as_line", "clock", "places", "snapshot", "whole"]

RUN = "run-1"
MODEL = "demo/model"
WHEN = datetime(2026, 11, 30, 12, tzinfo=UTC)

#: A line of a log: an object, or the line as it is written.
Line = Mapping[str, Any] | bytes


def clock() -> datetime:
    """Always the same moment."""
    return WHEN


def as_line(line: Line) -> bytes:
    """The bytes of a line, its end included; given bytes stay as they are."""
    return line if isinstance(line, bytes) else json.dumps(line, ensure_ascii=False).encode("utf-8") + b"\n"


def snapshot(root: Path) -> dict[str, bytes | None]:
    """Every path below a folder, with the bytes of the files; the lock says who held it last and is left out."""
    found = {}
    for path in sorted(root.rglob("*")):
        if path != root / ".itemproof" / "lock":
            found[path.relative_to(root).as_posix()] = path.read_bytes() if path.is_file() else None
    return found


def places(findings: Sequence[Finding]) -> list[tuple[str, int | None, str | None]]:
    """Code, line and JSON path of each finding."""
    return [(one.code.id, one.where.line, one.where.path) for one in findings]


def whole(root: Path) -> list[str]:
    """All that a deep validation finds and notes, but that there is no run yet; empty where all is intact."""
    validation = validate(root, jobs=1, renormalise=Rederiver(Layout(root)))
    return [str(one) for one in (*validation.findings, *validation.notes) if one.code.id != "A021"]


@dataclass(frozen=True, slots=True)
class Workbench:
    """An archive at `ark` and logs at `logs`, both in one folder."""

    folder: Path

    @classmethod
    def made(cls, folder: Path) -> Workbench:
        """The archive and the folder of logs are there."""
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "logs").mkdir()
        Archive.create(folder / "ark", clock=clock, new_id=lambda: "0" * 32)
        return cls(folder)

    @property
    def archive(self) -> Archive:
        """The archive as it stands now."""
        return Archive.open(self.folder / "ark")

    @property
    def root(self) -> Path:
        """The archive's folder."""
        return self.folder / "ark"

    def log(self, name: str, *lines: Line) -> Path:
        """A log of these lines."""
        path = self.folder / "logs" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"".join(map(as_line, lines)))
        return path

    def bring(
        self,
        *paths: Path,
        run: str = RUN,
        model: str = MODEL,
        metadata: Mapping[str, Any] | None = None,
        jobs: int = 1,
        **choices: Any,
    ) -> Imported:
        """The logs stand in the run, which is made where it is not there; further keywords are choices."""
        given = Choices(**choices)
        found = find(paths, given)
        new = NewRun(model=model, metadata=metadata or {}) if run not in self.archive.run_ids() else None
        return import_found(self.archive, run, found, given, create=new, means=Means(jobs=jobs, clock=clock))

    def refusal(self, *paths: Path, **given: Any) -> ItemproofError:
        """Why the import is refused; the archive is byte for byte as it was, and whole."""
        with self.unchanged(), pytest.raises(ItemproofError) as refused:
            self.bring(*paths, **given)
        return refused.value

    def faults(self, *paths: Path, **given: Any) -> list[tuple[str, int | None, str | None]]:
        """Code, line and path of all that an import is refused for."""
        return places(self.refusal(*paths, **given).findings.kept)

    @contextmanager
    def unchanged(self) -> Iterator[None]:
        """Within the block nothing of the archive changes."""
        before = snapshot(self.root)
        yield
        assert snapshot(self.root) == before
        assert whole(self.root) == []

    def records(self, run: str = RUN) -> list[RecordDict]:
        """The run's records, in order."""
        return list(self.archive.run(run).records())

    def files(self, run: str = RUN) -> list[FileEntry]:
        """What the manifest says of the run's files, in order."""
        return list(self.archive.run(run).manifest.files)

    def raw_line(self, record: RecordDict) -> Any:
        """The line that a record came from, parsed."""
        source = record["source"]
        lines = (self.root / str(source["path"])).read_bytes().split(b"\n")
        return loads(lines[int(source["line"]) - 1].removeprefix(b"\xef\xbb\xbf"))
