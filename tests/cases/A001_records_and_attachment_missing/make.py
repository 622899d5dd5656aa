"""A records file and an attachment were deleted."""

from __future__ import annotations

from pathlib import Path

from builders import an_archive


def make(folder: Path) -> None:
    root = an_archive(folder)
    (root / "runs/run-1/records/0001.jsonl").unlink()
    (root / "runs/run-1/attachments/0001-notes.txt").unlink()
