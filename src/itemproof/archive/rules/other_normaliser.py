"""Which version of an adapter made the records."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from itemproof.archive.rules.base import ImportSeen, manifest_path
from itemproof.core.findings import Code, Finding
from itemproof.core.where import Where

__all__ = ["other_normaliser"]

OTHER_NORMALISER: Final = Code("A052", "another version of the adapter made the records")


def other_normaliser(seen: ImportSeen) -> Iterator[Finding]:
    """A note where today's adapter has another version than the one that made the records."""
    made_by, now = seen.entry.normaliser_version, seen.version_now
    if now is not None and made_by != now:
        text = (
            f"Version {made_by} of the {seen.entry.format} adapter made these records and this itemproof has version "
            f"{now}. They stay as they are; a difference in how they would be made today is no damage."
        )
        yield Finding(
            OTHER_NORMALISER, text, Where(file=manifest_path(seen.folder), path=f"{seen.place}.normaliser_version")
        )
