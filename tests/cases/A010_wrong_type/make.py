"""A manifest counts in words, and the marker has no id."""

from __future__ import annotations

from pathlib import Path

from builders import an_archive, change_manifest


def make(folder: Path) -> None:
    root = an_archive(folder)
    change_manifest(root, lambda content: content["imports"][0]["files"][0].update(records="three"))
    (root / "archive.json").write_text('{"schema_version": 1}', encoding="utf-8")
