"""The folder has runs and no archive.json."""

from __future__ import annotations

from pathlib import Path

from builders import an_archive


def make(folder: Path) -> None:
    (an_archive(folder) / "archive.json").unlink()
