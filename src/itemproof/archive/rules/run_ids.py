"""Every run's id can name a folder on every system."""

from __future__ import annotations

from collections.abc import Iterator

from itemproof.archive.rules.base import ArchiveSeen
from itemproof.core.errors import ItemproofError
from itemproof.core.findings import Finding
from itemproof.files.paths import check_id, utf8_text

__all__ = ["run_ids"]


def run_ids(seen: ArchiveSeen) -> Iterator[Finding]:
    """Each id is one (D011), and none differs from an earlier one by case alone (D012)."""
    chosen = set(seen.chosen)
    first: dict[str, str] = {}
    for name in seen.folders:
        other = first.setdefault(name.lower(), name)
        if name in chosen:
            yield from _faults(name, other)


def _faults(name: str, other: str) -> Iterator[Finding]:
    try:
        check_id(name, "run", taken=(other,))
    except ItemproofError as error:
        for finding in error.findings:
            yield finding.at(file=f"runs/{utf8_text(name)}")
