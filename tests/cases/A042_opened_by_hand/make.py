"""A sealed run was made open again."""

from __future__ import annotations

from pathlib import Path

from builders import an_archive, change_manifest, seal_by_hand


def make(folder: Path) -> None:
    root = an_archive(folder)
    seal_by_hand(root)
    change_manifest(root, lambda content: content.update(status="open"))
