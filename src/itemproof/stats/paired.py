"""The 2 x 2 table of a paired comparison: shares, difference, Newcombe's interval, standard errors, flip rate."""

from __future__ import annotations

import math
from dataclasses import dataclass

from itemproof.stats.estimate import LEVEL, Estimate, Undefined, estimate
from itemproof.stats.intervals import wilson
from itemproof.stats.moments import share

__all__ = ["PairedTable", "flip_rate", "newcombe", "paired_se", "wald_se"]


@dataclass(frozen=True, slots=True, kw_only=True)
class PairedTable:
    """How many items had which outcome on the left and the right side; only items known on both sides count.

    Raises:
        TypeError: A count is not an integer.
        ValueError: A count is negative.
    """

    both_correct: int
    correct_to_wrong: int
    wrong_to_correct: int
    both_wrong: int

    def __post_init__(self) -> None:
        for count in (self.both_correct, self.correct_to_wrong, self.wrong_to_correct, self.both_wrong):
            share(0, count)  # refuses what is no count

    @property
    def n(self) -> int:
        """All pairs."""
        return self.both_correct + self.changed + self.both_wrong

    @property
    def changed(self) -> int:
        """The pairs whose sides disagree."""
        return self.correct_to_wrong + self.wrong_to_correct

    @property
    def net(self) -> int:
        """How many more went from wrong to correct than from correct to wrong."""
        return self.wrong_to_correct - self.correct_to_wrong

    @property
    def left_correct(self) -> int:
        """The pairs that are correct on the left."""
        return self.both_correct + self.correct_to_wrong

    @property
    def right_correct(self) -> int:
        """The pairs that are correct on the right."""
        return self.both_correct + self.wrong_to_correct

    @property
    def delta(self) -> float | Undefined:
        """The right share of correct items less the left one."""
        return self.net / self.n if self.n else Undefined("there are no pairs")


def newcombe(table: PairedTable, *, level: float = LEVEL) -> Estimate | Undefined:
    """The difference (right - left) with Newcombe's hybrid score interval for pairs, his method 10.

    It stays within -1 and 1, contains the difference, and has a width even where no item changed.

    Raises:
        ValueError: The level is not between 0 and 1.
    """
    delta, n = table.delta, table.n
    left, right = wilson(table.left_correct, n, level=level), wilson(table.right_correct, n, level=level)
    if isinstance(delta, Undefined) or isinstance(left, Undefined) or isinstance(right, Undefined):
        return Undefined("there are no pairs")
    phi = _phi(table)
    down = _joined(right.value - right.low, left.high - left.value, phi)
    up = _joined(right.high - right.value, left.value - left.low, phi)
    span = (max(delta - down, -1.0), min(delta + up, 1.0))
    return estimate(delta, span, n=n, level=level, method="Newcombe 10 (paired)")


def paired_se(table: PairedTable) -> float | Undefined:
    """The standard error of the paired difference, by the unbiased variance (n - 1), as Miller recommends."""
    if table.n < 2:
        return Undefined("fewer than two pairs show no spread")
    return _se(table, table.n * table.n * (table.n - 1))


def wald_se(table: PairedTable) -> float | Undefined:
    """The standard error of the paired difference in Wald's variant, by the variance over n."""
    return _se(table, table.n**3)


def flip_rate(table: PairedTable, *, level: float = LEVEL) -> Estimate | Undefined:
    """The share of pairs whose sides disagree, with Wilson's interval.

    Raises:
        ValueError: The level is not between 0 and 1.
    """
    return wilson(table.changed, table.n, level=level)


def _phi(table: PairedTable) -> float:
    """The correlation of the sides; a positive one is reduced for continuity, and never reaches 1."""
    n = table.n
    scale = table.left_correct * (n - table.left_correct) * table.right_correct * (n - table.right_correct)
    if scale == 0:
        return 0.0
    twice = 2 * (table.both_correct * table.both_wrong - table.correct_to_wrong * table.wrong_to_correct)
    if twice > 0:
        twice = max(twice - n, 0)
    return twice / (2 * math.sqrt(scale))


def _joined(one: float, other: float, phi: float) -> float:
    return math.sqrt(max(one * one - 2 * phi * one * other + other * other, 0.0))


def _se(table: PairedTable, divisor: int) -> float | Undefined:
    """The root of the summed squares over the divisor, in integers until the last step."""
    if table.n == 0:
        return Undefined("there are no pairs")
    if table.changed == 0:
        return Undefined("no item changed, so the spread is unknown, not zero")
    if abs(table.net) == table.n:
        return Undefined("every item changed in the same way, so the spread is unknown, not zero")
    return math.sqrt((table.changed * table.n - table.net * table.net) / divisor)
