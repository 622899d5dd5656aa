"""Records name lines that their raw file does not have."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from builders import an_archive, change_records


def make(folder: Path) -> None:
    def move(records: list[Any]) -> None:
        records[1]["source"]["line"] = 4
        records[2]["source"]["line"] = 2**70

    change_records(an_archive(folder), move)
