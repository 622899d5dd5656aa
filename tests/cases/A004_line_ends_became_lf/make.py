"""A tool took the CR from a raw file that came with CRLF."""

from __future__ import annotations

from pathlib import Path

from builders import an_archive, change_raw


def make(folder: Path) -> None:
    root = an_archive(folder)
    path = root / "runs/run-1/raw/0001-log.jsonl"
    text = path.read_bytes()
    change_raw(root, text.replace(b"\n", b"\r\n"), lines=3)
    path.write_bytes(text)
