"""Nothing lies in a managed folder that no manifest names."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from itemproof.archive.rules.base import FolderSeen
from itemproof.core.findings import Code, Finding
from itemproof.core.where import Where

__all__ = ["untracked"]

UNTRACKED: Final = Code("A024", "a file in a managed folder that no manifest names")

_WHAT = {"file": "It", "link": "This link", "other": "This socket, pipe or device"}


def untracked(seen: FolderSeen) -> Iterator[Finding]:
    """Each entry is registered or named by the journal of a write; without a manifest none can be told from another."""
    if not seen.has_manifest:
        return
    for path, entry in seen.strangers:
        if path not in seen.unfinished:
            text = (
                f"{_WHAT[entry.kind]} belongs to nothing that is registered. Move it out of the archive; what should "
                "travel with a run is attached with `itemproof attach`."
            )
            yield Finding(UNTRACKED, text, Where(file=path))
