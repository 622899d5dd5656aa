"""A writer died after moving two of its files into place."""

from __future__ import annotations

from pathlib import Path

from builders import an_archive
from itemproof.archive.journal import Intent
from itemproof.core.digest import sha256_of
from itemproof.records.manifest import encode


def make(folder: Path) -> None:
    root = an_archive(folder)
    paths = ["runs/run-1/raw/0002-more.jsonl", "runs/run-1/records/0002.jsonl", "runs/run-2/raw/0001-new.jsonl"]
    files = {path: sha256_of(b"{}\n") for path in paths}
    intent = Intent(run_id="run-1", command="import", began_at="2026-11-30T12:00:00Z", files=files)
    (root / ".itemproof/journal").mkdir(parents=True)
    (root / ".itemproof/journal/0001.json").write_bytes(encode(intent))
    (root / paths[0]).write_bytes(b"{}\n")
    (root / paths[2]).parent.mkdir(parents=True)
    (root / paths[2]).write_bytes(b"{}\n")
