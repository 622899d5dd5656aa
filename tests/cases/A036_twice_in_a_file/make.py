"""Three records of one file have one identity."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from builders import an_archive, change_records


def make(folder: Path) -> None:
    def repeat(records: list[Any]) -> None:
        for number in (2, 4):
            records[number]["question_id"] = records[0]["question_id"]

    change_records(an_archive(folder, records=5), repeat)
