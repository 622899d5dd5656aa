"""A manifest names a file of another run."""

from __future__ import annotations

from pathlib import Path

from builders import an_archive, change_manifest


def make(folder: Path) -> None:
    root = an_archive(folder, runs=2)
    other = "runs/run-2/raw/0001-log.jsonl"
    change_manifest(root, lambda content: content["imports"][0]["files"][0].update(raw_path=other))
