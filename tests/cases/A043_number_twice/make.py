"""Two attachments have one number, and records have another than their raw file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from builders import an_archive, change_manifest


def make(folder: Path) -> None:
    root = an_archive(folder)
    run = root / "runs/run-1"
    (run / "attachments/0001-again.txt").write_bytes((run / "attachments/0001-notes.txt").read_bytes())
    (run / "records/0001.jsonl").rename(run / "records/0007.jsonl")

    def renumber(content: dict[str, Any]) -> None:
        first = content["attachments"][0]
        content["attachments"].append({**first, "path": "runs/run-1/attachments/0001-again.txt"})
        content["imports"][0]["files"][0]["records_path"] = "runs/run-1/records/0007.jsonl"

    change_manifest(root, renumber)
