"""Files lie in managed folders that no manifest names."""

from __future__ import annotations

from pathlib import Path

from builders import an_archive


def make(folder: Path) -> None:
    root = an_archive(folder)
    (root / "runs/notes.txt").write_bytes(b"")
    (root / "runs/run-1/raw/0002-more.jsonl").write_bytes(b"{}\n")
    (root / "runs/run-1/deep/er").mkdir(parents=True)
    (root / "runs/run-1/deep/er/.DS_Store").write_bytes(b"")
    (root / "notes.txt").write_bytes(b"not managed")
