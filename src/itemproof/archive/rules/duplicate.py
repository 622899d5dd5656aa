"""One identity has one record in a run."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from itemproof.archive.duplicates import Place
from itemproof.core.findings import Code, Finding
from itemproof.core.where import Where
from itemproof.records.record import Key

__all__ = ["KeyPlaces", "duplicate"]

DUPLICATE: Final = Code("A036", "two records of a run have one identity")


@dataclass(frozen=True, slots=True)
class KeyPlaces:
    """A key that stands in several records, and where.

    Attributes:
        key: The identity.
        places: Its records, in order.
        files: The records files that the places count in, relative to the archive.
    """

    key: Key
    places: Sequence[Place]
    files: Sequence[str]

    def at(self, number: int) -> tuple[str, int]:
        """The records file and line of one of the places."""
        place = self.places[number]
        return self.files[place.file], place.ordinal + 1


def duplicate(seen: KeyPlaces) -> Iterator[Finding]:
    """Each record behind the first of its key is one too many."""
    file, line = seen.at(0)
    values = ", ".join(f"{name} {value!r}" for name, value in seen.key._asdict().items())
    text = (
        f"The record has the identity of {file}:{line} ({values}). An identity stands for one result, so the import "
        "takes none twice: bring back the records file that was changed, from a copy of the archive."
    )
    for number in range(1, len(seen.places)):
        file, line = seen.at(number)
        yield Finding(DUPLICATE, text, Where(file=file, line=line))
