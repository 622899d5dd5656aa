"""Two imports stand in the wrong order."""

from __future__ import annotations

from pathlib import Path

from builders import an_archive, change_manifest


def make(folder: Path) -> None:
    change_manifest(an_archive(folder, imports=2), lambda content: content["imports"].reverse())
