"""Writes the input, which no text editor would keep as it is."""

from __future__ import annotations

from pathlib import Path


def make(folder: Path) -> None:
    """The input lies in the folder."""
    (folder / "input.jsonl").write_bytes(b"\n \r\n")
