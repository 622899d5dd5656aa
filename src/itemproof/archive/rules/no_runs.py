"""An archive that holds nothing proves nothing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from itemproof.archive.rules.base import ArchiveSeen
from itemproof.core.findings import Code, Finding
from itemproof.core.where import Where

__all__ = ["no_runs"]

EMPTY: Final = Code("A021", "an archive holds no run")


def no_runs(seen: ArchiveSeen) -> Iterator[Finding]:
    """An archive has at least one run."""
    if seen.has_marker and not seen.run_ids:
        text = (
            "It holds no run, so there is nothing that could be intact. If runs were here, bring them back from a "
            "copy; else `itemproof add` fills it."
        )
        yield Finding(EMPTY, text, Where(file="runs"))
