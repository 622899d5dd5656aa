"""Records of two raw lines are not there; blank lines need none."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from builders import a_raw_line, an_archive, change_raw, change_records


def make(folder: Path) -> None:
    root = an_archive(folder, records=4)
    lines = [a_raw_line(1), a_raw_line(2), a_raw_line(3), a_raw_line(4), b"\n", b"\r\n", b'{"question_id": "q7"}']
    change_raw(root, b"".join(lines), lines=7)

    def lose(records: list[Any]) -> None:
        del records[1]

    change_records(root, lose)
