"""The adapter makes the same records of the same raw file again."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from itemproof.archive.rules.base import DerivedSeen
from itemproof.core.findings import Code, Finding
from itemproof.core.where import Where

__all__ = ["rederived"]

OTHER_RECORDS: Final = Code("A050", "a raw file gives other records than the archive holds")


def rederived(seen: DerivedSeen) -> Iterator[Finding]:
    """The records made again are those that are stored, byte for byte."""
    if seen.differs_at is not None:
        text = (
            f"From this line on, the {seen.format} adapter makes something else of {seen.entry.raw_path} with the "
            "options of the import. Both files are as they were registered, so the records were not made by this "
            "adapter, or it is another than it says. Import the raw file into a new run and compare."
        )
        yield Finding(OTHER_RECORDS, text, Where(file=seen.entry.records_path, line=seen.differs_at))
