"""A run's folder was renamed."""

from __future__ import annotations

from pathlib import Path

from builders import an_archive


def make(folder: Path) -> None:
    root = an_archive(folder)
    (root / "runs/run-1").rename(root / "runs/run-2")
