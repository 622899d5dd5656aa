"""A raw file was deleted."""

from __future__ import annotations

from pathlib import Path

from builders import an_archive


def make(folder: Path) -> None:
    root = an_archive(folder)
    (root / "runs/run-1/raw/0001-log.jsonl").unlink()
