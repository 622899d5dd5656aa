"""A record names a line that holds nothing."""

from __future__ import annotations

from pathlib import Path

from builders import a_raw_line, an_archive, change_raw


def make(folder: Path) -> None:
    root = an_archive(folder)
    change_raw(root, a_raw_line(1) + b" \t\r\n" + a_raw_line(3), lines=3)
