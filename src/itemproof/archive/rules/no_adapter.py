"""The adapter that made the records is at hand to make them again."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from itemproof.archive.rules.base import DerivedSeen
from itemproof.core.findings import Code, Finding
from itemproof.core.where import Where

__all__ = ["no_adapter"]

NO_ADAPTER: Final = Code("A053", "records were not made again, because their adapter is not at hand")


def no_adapter(seen: DerivedSeen) -> Iterator[Finding]:
    """A note where there was nothing to make the records with."""
    if not seen.is_possible:
        text = (
            f"No adapter for the format {seen.format!r} is installed, so these records were not made again. Install "
            "the package that brings it, and validate again."
        )
        yield Finding(NO_ADAPTER, text, Where(file=seen.entry.records_path))
