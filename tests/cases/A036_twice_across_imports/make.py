"""A record has the identity of one in another import; a repeat_id 1 and a "1" are two."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from builders import an_archive, change_records


def make(folder: Path) -> None:
    def repeat(records: list[Any]) -> None:
        records[0]["question_id"] = "q5"
        records[1].update(question_id="q6", repeat_id=1)
        records[2].update(question_id="q6", repeat_id="1")

    change_records(an_archive(folder, imports=2), repeat)
