"""Lines of a records file are no records: a text cut off, a blank line, a field missing, a type wrong."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from builders import an_archive, change_records


def make(folder: Path) -> None:
    def break_lines(records: list[Any]) -> None:
        records[0] = b'{"schema_version": 1, "run_id\n'
        records[1] = b"\n"
        del records[2]["metrics"]
        records[3]["correct"] = 1
        records[4]["source"]["line"] = 0
        records[5]["repeat_id"] = True

    change_records(an_archive(folder, records=7), break_lines)
