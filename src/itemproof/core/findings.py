"""How every check speaks: a code, a place, and what was found and was due."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from itemproof.core.where import NOWHERE, Where

__all__ = ["SHOWN", "Code", "Finding", "Findings", "title_of"]

#: How many findings of one input are kept and shown; the rest are counted.
SHOWN = 20


#: The title of every code of the modules that are loaded, so that a count by id can say what it counts.
_TITLES: dict[str, str] = {}


def title_of(code_id: str) -> str:
    """What a code stands for, in a few words; the id itself where nothing that is loaded knows it."""
    return _TITLES.get(code_id, code_id)


@dataclass(frozen=True, slots=True)
class Code:
    """The name of one kind of fault: a letter for the part, three digits, never used again.

    Attributes:
        id: For instance `J003`.
        title: The kind in a few words, for the reference page.
    """

    id: str
    title: str

    def __post_init__(self) -> None:
        _TITLES[self.id] = self.title

    def __str__(self) -> str:
        return self.id


@dataclass(frozen=True, slots=True)
class Finding:
    """One fault at one place; `text` says what was found, what was due, and the next step."""

    code: Code
    text: str
    where: Where = NOWHERE

    def at(self, *, file: str | None = None, line: int | None = None, path: str | None = None) -> Finding:
        """The same finding with the outer level's part of its place filled in."""
        return replace(self, where=self.where.at(file=file, line=line, path=path))

    def __str__(self) -> str:
        place = str(self.where)
        return f"{place}  {self.code}  {self.text}" if place else f"{self.code}  {self.text}"


@dataclass(slots=True)
class Findings:
    """The faults of one input: the first `limit` are kept, all are counted.

    Attributes:
        limit: How many are kept; None keeps all.
        kept: In the order in which they were found.
        count: All that were added.
    """

    limit: int | None = SHOWN
    kept: list[Finding] = field(default_factory=list)
    count: int = 0

    def add(self, finding: Finding) -> None:
        """Counts the finding, and keeps it if there is room."""
        self.count += 1
        if self.limit is None or len(self.kept) < self.limit:
            self.kept.append(finding)

    def extend(self, other: Findings) -> None:
        """Adds another's findings behind these, those it only counted included."""
        room = len(other.kept) if self.limit is None else max(0, self.limit - len(self.kept))
        self.kept.extend(other.kept[:room])
        self.count += other.count

    def __bool__(self) -> bool:
        return self.count > 0

    def __iter__(self) -> Iterator[Finding]:
        return iter(self.kept)

    def __len__(self) -> int:
        return self.count
