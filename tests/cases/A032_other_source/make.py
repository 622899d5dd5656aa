"""Records name a raw file of another import, and one that nobody registered."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from builders import an_archive, change_records


def make(folder: Path) -> None:
    def move(records: list[Any]) -> None:
        records[0]["source"]["path"] = "runs/run-1/raw/0002-log.jsonl"
        records[1]["source"]["path"] = "../elsewhere.jsonl"

    change_records(an_archive(folder, imports=2), move)
