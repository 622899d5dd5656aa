"""One digit of a raw file and one of a record were changed."""

from __future__ import annotations

from pathlib import Path

from builders import an_archive


def make(folder: Path) -> None:
    root = an_archive(folder)
    for path in (root / "runs/run-1/raw/0001-log.jsonl", root / "runs/run-1/records/0001.jsonl"):
        path.write_bytes(path.read_bytes().replace(b'"q3"', b'"q8"'))
