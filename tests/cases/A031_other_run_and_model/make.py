"""Records name another run or another model."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from builders import an_archive, change_records


def make(folder: Path) -> None:
    def rename(records: list[Any]) -> None:
        records[0]["run_id"] = "run-7"
        records[2].update(run_id="run-7", model="other/model")

    change_records(an_archive(folder), rename)
