"""A line was appended to a raw file."""

from __future__ import annotations

from pathlib import Path

from builders import a_raw_line, an_archive


def make(folder: Path) -> None:
    root = an_archive(folder)
    with (root / "runs/run-1/raw/0001-log.jsonl").open("ab") as file:
        file.write(a_raw_line(4))
