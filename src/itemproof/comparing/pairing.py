"""Pairs by identity, and by nothing else: never by position, never by text."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import repeat
from typing import Final

import numpy as np

from itemproof.comparing.table import Context, Headline, Table, order
from itemproof.core.errors import InvalidInput
from itemproof.core.findings import Code, Finding, Findings
from itemproof.core.where import Where
from itemproof.records.item import ItemKey

__all__ = ["GroupPairs", "Pairing", "Place", "pair", "refuse_twice"]

TWICE: Final = Code("I020", "one identity stands in two records of a side that is compared")

#: A record's file as it is shown, and its line.
Place = tuple[str, int]


@dataclass(slots=True)
class GroupPairs:
    """The pairs of one headline.

    Attributes:
        left: The rows of the pairs on the left.
        right: The rows of the same pairs on the right.
        left_only: Items that stand on the left only.
        right_only: Items that stand on the right only.
        contexts: In which the pairs stand, in the order of the rows.
    """

    left: array[int] = field(default_factory=lambda: array("q"))
    right: array[int] = field(default_factory=lambda: array("q"))
    left_only: int = 0
    right_only: int = 0
    contexts: list[Context] = field(default_factory=list)


@dataclass(slots=True)
class Pairing:
    """Two tables joined.

    Attributes:
        left: The table of the left side.
        right: The table of the right side.
        groups: The pairs by headline, in order.
        stable: Records with a persistent identity by headline, on the left and on the right.
    """

    left: Table
    right: Table
    groups: dict[Headline, GroupPairs]
    stable: tuple[Counter[Headline], Counter[Headline]]

    @property
    def matched(self) -> int:
        """All pairs."""
        return sum(len(group.left) for group in self.groups.values())

    def labels(self, group: GroupPairs) -> Iterator[str]:
        """The question of each pair of a group, in the order of its rows."""
        for context in group.contexts:
            others = self.right.contexts[context]
            yield from (question for question in self.left.contexts[context] if question in others)

    def items(self) -> Iterator[tuple[ItemKey, int | None, int | None]]:
        """Every item of either side, sorted by its identity, with the rows that there are."""
        shelves: dict[tuple[str, str | None, str | None], list[Context]] = {}
        for context in sorted({*self.left.contexts, *self.right.contexts}, key=_by_parts):
            shelves.setdefault(context[:3], []).append(context)
        for contexts in shelves.values():
            sides = [(one, self.left.contexts.get(one, {}), self.right.contexts.get(one, {})) for one in contexts]
            for question in sorted({name for _, lefts, rights in sides for name in (*lefts, *rights)}):
                for context, lefts, rights in sides:
                    left, right = lefts.get(question), rights.get(question)
                    if left is not None or right is not None:
                        yield context.key(question), left, right


def _by_parts(context: Context) -> list[tuple[int, int, str]]:
    return order(context)


def pair(left: Table, right: Table) -> Pairing:
    """The join of two tables on the whole identity."""
    groups: dict[Headline, GroupPairs] = {}
    for context in sorted({*left.contexts, *right.contexts}, key=_by_parts):
        group = groups.setdefault(context.headline, GroupPairs())
        lefts, rights = left.contexts.get(context, {}), right.contexts.get(context, {})
        pairs = _join(group, lefts, rights)
        group.left_only += len(lefts) - pairs
        group.right_only += len(rights) - pairs
        if pairs:
            group.contexts.append(context)
    for headline in sorted(left.headlines | right.headlines, key=order):
        groups.setdefault(headline, GroupPairs())
    ordered = dict(sorted(groups.items(), key=lambda item: order(item[0])))
    return Pairing(left, right, ordered, (left.stable, right.stable))


def _join(group: GroupPairs, lefts: dict[str, int], rights: dict[str, int]) -> int:
    """The rows of the questions that both have stand in the group, in the order of the left; how many is returned."""
    mine = np.fromiter(lefts.values(), np.int64, len(lefts))
    theirs = np.fromiter(map(rights.get, lefts, repeat(-1)), np.int64, len(lefts))
    both = theirs >= 0
    group.left.frombytes(mine[both].tobytes())
    group.right.frombytes(theirs[both].tobytes())
    return int(np.count_nonzero(both))


def refuse_twice(side: str, twice: list[tuple[ItemKey, Place, Place]]) -> None:
    """Nothing happens without duplicates.

    Raises:
        InvalidInput: With both places of each (I020).
    """
    findings = Findings()
    for key, first, second in twice:
        text = (
            f"the {side} side has the identity {key.question_id!r} of {key.benchmark} (filter {key.filter}, repeat "
            f"{key.repeat_id}) here and at {first[0]}:{first[1]}. Which one to pair is not for us to choose: name a "
            "field that tells them apart with --id-field, or keep them as repeats."
        )
        findings.add(Finding(TWICE, text, Where(file=second[0], line=second[1])))
    if findings:
        raise InvalidInput(findings, "Nothing was compared.")
