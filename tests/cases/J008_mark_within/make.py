"""Writes the input, which no text editor would keep as it is."""

from __future__ import annotations

from pathlib import Path


def make(folder: Path) -> None:
    """The input lies in the folder."""
    (folder / "input.jsonl").write_bytes(
        b'{"question_id":"q1","doc":{},"resps":[["4"]],"filtered_resps":["4"],"target":"4","acc":1.0}\n\xef\xbb\xbf{"question_id":"q2","doc":{},"resps":[["4"]],"filtered_resps":["4"],"target":"4","acc":1.0}\n'
    )
