"""A later itemproof wrote the manifest."""

from __future__ import annotations

from pathlib import Path

from builders import an_archive, change_manifest


def make(folder: Path) -> None:
    change_manifest(an_archive(folder), lambda content: content.update(schema_version=2))
