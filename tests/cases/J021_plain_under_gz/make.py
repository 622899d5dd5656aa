"""Writes the input, whose bytes are no text."""

from __future__ import annotations

from pathlib import Path

LINE = b'{"question_id":"q1","doc":{},"resps":[["4"]],"filtered_resps":["4"],"target":"4","acc":1.0}\n'


def make(folder: Path) -> None:
    """The input lies in the folder."""
    (folder / "input.jsonl.gz").write_bytes(LINE)
