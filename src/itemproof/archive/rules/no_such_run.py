"""The runs that were asked for are there."""

from __future__ import annotations

from collections.abc import Iterator

from itemproof.archive.rules.base import ArchiveSeen, manifest_path
from itemproof.archive.transaction import NO_RUN
from itemproof.core.findings import Finding
from itemproof.core.where import Where
from itemproof.files.paths import utf8_text

__all__ = ["no_such_run"]


def no_such_run(seen: ArchiveSeen) -> Iterator[Finding]:
    """Each run that the user named has a manifest."""
    for run_id in seen.asked_for:
        if run_id not in seen.run_ids:
            shown = utf8_text(run_id)
            text = f"There is no run {shown!r} in this archive. `itemproof list runs` names those there are."
            yield Finding(NO_RUN, text, Where(file=manifest_path(shown)))
