"""A run's manifest was deleted."""

from __future__ import annotations

from pathlib import Path

from builders import an_archive


def make(folder: Path) -> None:
    root = an_archive(folder, runs=2)
    (root / "runs/run-2/manifest.json").unlink()
