"""A tool wrote CRLF into every file of a run."""

from __future__ import annotations

from pathlib import Path

from builders import an_archive


def make(folder: Path) -> None:
    root = an_archive(folder)
    for path in (root / "runs/run-1").glob("*/*"):
        path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
