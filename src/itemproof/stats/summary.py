"""One list of numbers in a few: mean with interval, median, p95, smallest, largest."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from itemproof.stats.estimate import LEVEL, Estimate, Undefined
from itemproof.stats.intervals import student
from itemproof.stats.moments import floats, mean, quantile

__all__ = ["Summary", "describe"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """What a list of numbers looks like, in the units of the numbers.

    Attributes:
        n: How many numbers.
        mean: Their arithmetic mean.
        interval: The same mean with Student's interval; undefined for one number or for equal ones.
        median: The middle, which is the 50th percentile.
        p95: The 95th percentile, on a straight line between neighbours.
        min: The smallest.
        max: The largest.
    """

    n: int
    mean: float
    interval: Estimate | Undefined
    median: float
    p95: float
    min: float
    max: float


def describe(values: Iterable[float], *, level: float = LEVEL) -> Summary | Undefined:
    """The summary of the values, in whatever order they come.

    Raises:
        ValueError: The level is not between 0 and 1.
    """
    ordered = sorted(floats(values))
    centre = mean(ordered)
    if isinstance(centre, Undefined):  # so it is if any value is not finite
        return centre
    return Summary(
        n=len(ordered),
        mean=centre,
        interval=student(ordered, level=level),
        median=quantile(ordered, 0.5),
        p95=quantile(ordered, 0.95),
        min=ordered[0],
        max=ordered[-1],
    )
