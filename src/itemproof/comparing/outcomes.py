"""What became of each item: the contract's seven outcomes, and better, worse or equal for a metric with numbers."""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt
from msgspec.structs import replace

from itemproof.comparing.pairing import GroupPairs, Pairing
from itemproof.comparing.table import UNKNOWN, Headline, Table
from itemproof.records.comparison import Counts, Texts
from itemproof.stats.paired import PairedTable

__all__ = ["Judge", "Numbers", "Verdicts", "counts_of", "paired_table", "summed", "texts_of", "together"]

#: The outcome of a pair by twice the left verdict plus the right one.
_BY_VERDICTS: Final = ("both_wrong", "wrong_to_correct", "correct_to_wrong", "both_correct")

_Column = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Verdicts:
    """Verdicts of the pairs of a group that are known on both sides, as 0 and 1, and where these pairs stand."""

    left: npt.NDArray[np.int8]
    right: npt.NDArray[np.int8]
    known: npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Numbers:
    """A metric of the pairs of a group that have it on both sides, and where these pairs stand."""

    left: _Column
    right: _Column
    known: npt.NDArray[np.bool_]


class Judge:
    """Says what an item came to, by the records' correctness or by a chosen metric.

    Args:
        pairing: The two tables joined.
        metric: The chosen metric, or None for the records' correctness.
        lower_is_better: The benchmarks in which a smaller number is the better one.
    """

    def __init__(self, pairing: Pairing, metric: str | None, lower_is_better: frozenset[str] = frozenset()) -> None:
        self._pairing = pairing
        self._metric = metric
        self._lower = lower_is_better
        self._not_binary = pairing.left.not_binary | pairing.right.not_binary

    def is_numeric(self, headline: Headline) -> bool:
        """Whether the metric has other values than true and false, 1 and 0, under this benchmark and filter."""
        return self._metric is not None and (headline.benchmark, headline.filter) in self._not_binary

    def higher_is_better(self, headline: Headline) -> bool:
        """Whether a greater number is the better one."""
        return headline.benchmark not in self._lower

    def verdicts(self, group: GroupPairs) -> Verdicts:
        """The verdicts of a group that has verdicts."""
        left, right = self._column(self._pairing.left, group.left), self._column(self._pairing.right, group.right)
        known = (left != UNKNOWN) & (right != UNKNOWN)
        return Verdicts(left[known], right[known], known)

    def numbers(self, group: GroupPairs) -> Numbers:
        """The numbers of a group that has numbers."""
        left = np.frombuffer(self._pairing.left.values, np.float64)[np.frombuffer(group.left, np.int64)]
        right = np.frombuffer(self._pairing.right.values, np.float64)[np.frombuffer(group.right, np.int64)]
        known = ~(np.isnan(left) | np.isnan(right))
        return Numbers(left[known], right[known], known)

    def _column(self, table: Table, rows: array[int]) -> npt.NDArray[np.int8]:
        at = np.frombuffer(rows, np.int64)
        if self._metric is None:
            verdicts: npt.NDArray[np.int8] = np.frombuffer(table.verdicts, np.int8)[at]
            return verdicts
        values = np.frombuffer(table.values, np.float64)[at]
        return np.where(np.isnan(values), float(UNKNOWN), values).astype(np.int8)

    def compared(self, headline: Headline, row: int | None, *, right: bool) -> bool | float | None:
        """What one side of an item says: a verdict, a number, or None where it is unknown."""
        table = self._pairing.right if right else self._pairing.left
        if row is None:
            return None
        if self._metric is None:
            verdict = table.verdicts[row]
            return None if verdict == UNKNOWN else bool(verdict)
        value = table.values[row]
        if math.isnan(value):
            return None
        return value if self.is_numeric(headline) else bool(value)

    def outcome(self, headline: Headline, left: int | None, right: int | None) -> str:
        """The outcome of an item that stands on these rows."""
        if left is None:
            return "right_only"
        if right is None:
            return "left_only"
        before, after = self.compared(headline, left, right=False), self.compared(headline, right, right=True)
        if before is None or after is None:
            return "unscored"
        if not self.is_numeric(headline):
            return _BY_VERDICTS[2 * int(before) + int(after)]
        if before == after:
            return "equal"
        return "better" if (after > before) == self.higher_is_better(headline) else "worse"


def paired_table(verdicts: Verdicts) -> PairedTable:
    """The verdicts counted."""
    cells = np.bincount(2 * verdicts.left + verdicts.right, minlength=4).tolist()
    return PairedTable(both_wrong=cells[0], wrong_to_correct=cells[1], correct_to_wrong=cells[2], both_correct=cells[3])


def together(tables: Iterable[PairedTable]) -> PairedTable:
    """Several tables as one."""
    cells = [0, 0, 0, 0]
    for one in tables:
        for at, cell in enumerate((one.both_correct, one.correct_to_wrong, one.wrong_to_correct, one.both_wrong)):
            cells[at] += cell
    return PairedTable(both_correct=cells[0], correct_to_wrong=cells[1], wrong_to_correct=cells[2], both_wrong=cells[3])


def counts_of(pairing: Pairing, headline: Headline, known: int, table: PairedTable | None) -> Counts:
    """The counts of a group; `table` is None for a metric with numbers."""
    group, left, right = pairing.groups[headline], pairing.left, pairing.right
    return Counts(
        left_records=pairing.stable[0][headline] + left.run_local[headline],
        right_records=pairing.stable[1][headline] + right.run_local[headline],
        left_run_local=left.run_local[headline],
        right_run_local=right.run_local[headline],
        matched=len(group.left),
        left_only=group.left_only,
        right_only=group.right_only,
        both_correct=table.both_correct if table else None,
        both_wrong=table.both_wrong if table else None,
        correct_to_wrong=table.correct_to_wrong if table else None,
        wrong_to_correct=table.wrong_to_correct if table else None,
        unscored=len(group.left) - known,
    )


def summed(parts: Iterable[Counts], *, has_verdicts: bool) -> Counts:
    """The counts of all groups; without verdicts the four that rest on them are null."""
    listed = list(parts)
    names = Counts.__struct_fields__
    total = Counts(**{name: sum(getattr(part, name) or 0 for part in listed) for name in names})
    if has_verdicts:
        return total
    return replace(total, both_correct=None, both_wrong=None, correct_to_wrong=None, wrong_to_correct=None)


def texts_of(pairing: Pairing, group: GroupPairs, name: str) -> Texts:
    """How the `documents` or the `prompts` of a group's pairs agree."""
    left = np.frombuffer(getattr(pairing.left, name), np.int64)[np.frombuffer(group.left, np.int64)]
    right = np.frombuffer(getattr(pairing.right, name), np.int64)[np.frombuffer(group.right, np.int64)]
    known = (left != 0) & (right != 0)
    identical = int(np.count_nonzero(known & (left == right)))
    return Texts(
        identical=identical,
        different=int(np.count_nonzero(known)) - identical,
        unknown=len(left) - int(np.count_nonzero(known)),
    )
