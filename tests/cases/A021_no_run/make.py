"""The archive holds nothing."""

from __future__ import annotations

from pathlib import Path

from builders import an_archive


def make(folder: Path) -> None:
    an_archive(folder, runs=0)
