"""A manifest is that of the folder it lies in."""

from __future__ import annotations

from collections.abc import Iterator

from itemproof.archive.rules.base import RunSeen
from itemproof.core.findings import Finding
from itemproof.records.manifest import OTHER_RUN

__all__ = ["other_run"]


def other_run(seen: RunSeen) -> Iterator[Finding]:
    """The manifest's run id is the folder's name."""
    if not seen.is_at_home:
        text = (
            f"It belongs to the run {seen.manifest.run_id!r} and lies in the folder of {seen.folder!r}. Rename the "
            "folder back."
        )
        yield Finding(OTHER_RUN, text, seen.at("$.run_id"))
