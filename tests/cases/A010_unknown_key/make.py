"""A manifest has a key that is not itemproof's."""

from __future__ import annotations

from pathlib import Path

from builders import an_archive, change_manifest


def make(folder: Path) -> None:
    change_manifest(an_archive(folder), lambda content: content.update(owner="nobody"))
