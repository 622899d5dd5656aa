"""Two numeric metrics over the same items: mean difference with interval, and who is higher how often."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from itemproof.stats.estimate import LEVEL, Estimate, Undefined
from itemproof.stats.intervals import student
from itemproof.stats.moments import floats, mean

__all__ = ["PairedNumbers", "paired_numbers"]


@dataclass(frozen=True, slots=True, kw_only=True)
class PairedNumbers:
    """How a numeric metric differs from the left to the right side, in its own units.

    Attributes:
        n: The pairs.
        left: The mean on the left.
        right: The mean on the right.
        difference: The mean of right less left.
        interval: The same difference with Student's interval; undefined for one pair or equal differences.
        higher: Pairs whose right number is the greater one.
        lower: Pairs whose right number is the smaller one.
        equal: Pairs of equal numbers.
    """

    n: int
    left: float
    right: float
    difference: float
    interval: Estimate | Undefined
    higher: int
    lower: int
    equal: int


def paired_numbers(left: Sequence[float], right: Sequence[float], *, level: float = LEVEL) -> PairedNumbers | Undefined:
    """The comparison of two lists in which the same place is the same item.

    Raises:
        ValueError: The lists are not equally long, or the level is not between 0 and 1.
    """
    lefts, rights = floats(left), floats(right)
    differences = [after - before for before, after in zip(lefts, rights, strict=True)]
    left_mean, right_mean, difference = mean(lefts), mean(rights), mean(differences)
    if isinstance(left_mean, Undefined):
        return left_mean
    if isinstance(right_mean, Undefined):
        return right_mean
    if isinstance(difference, Undefined):
        return difference
    higher, lower = sum(d > 0 for d in differences), sum(d < 0 for d in differences)
    return PairedNumbers(
        n=len(differences),
        left=left_mean,
        right=right_mean,
        difference=difference,
        interval=student(differences, level=level),
        higher=higher,
        lower=lower,
        equal=len(differences) - higher - lower,
    )
