"""A run's folder has the manifest that says what belongs to it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from itemproof.archive.rules.base import FolderSeen
from itemproof.core.findings import Code, Finding
from itemproof.core.where import Where

__all__ = ["no_manifest"]

NO_MANIFEST: Final = Code("A023", "a run's folder holds files and no manifest")


def no_manifest(seen: FolderSeen) -> Iterator[Finding]:
    """A folder with files, other than those of an unfinished write, has a manifest."""
    if seen.has_manifest:
        return
    count = sum(path not in seen.unfinished for path, _ in seen.strangers)
    if count:
        files = "1 file lies" if count == 1 else f"{count:,} files lie"
        text = (
            f"{files} here without a manifest.json that says what belongs to the run. Bring it back from a copy, or "
            "move the folder away."
        )
        yield Finding(NO_MANIFEST, text, Where(file=seen.folder))
