"""What every statistic gives: a number with its interval, or the reason why there is none."""

from __future__ import annotations

import math
from dataclasses import dataclass

__all__ = ["LEVEL", "TOO_LARGE", "Estimate", "Undefined", "estimate"]

#: The confidence level unless another one is asked for.
LEVEL = 0.95

#: The reason given wherever a sum or a square leaves the range of a double.
TOO_LARGE = "the numbers are too large to compute with"


@dataclass(frozen=True, slots=True)
class Undefined:
    """There is no such number; `reason` says why, as a clause that can follow "n/a:"."""

    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """A number and the interval around it, which always has a width.

    Attributes:
        value: The estimate itself, in the units of the data.
        low: The lower end of the interval.
        high: The upper end of the interval.
        n: How many items it rests on.
        level: The confidence level of the interval, a share.
        method: The name of the interval's method, for the report.
        se: The standard error from which the interval was built; None for a method that needs none.
        clusters: How many clusters the items fall into; None where each item stands alone.

    Raises:
        ValueError: A number is not finite, or the interval has no width.
    """

    value: float
    low: float
    high: float
    n: int
    level: float
    method: str
    se: float | None = None
    clusters: int | None = None

    def __post_init__(self) -> None:
        if fault := _fault(self.value, self.low, self.high):
            raise ValueError(fault)


def estimate(
    value: float,
    span: tuple[float, float],
    *,
    n: int,
    level: float,
    method: str,
    se: float | None = None,
    clusters: int | None = None,
) -> Estimate | Undefined:
    """The estimate with its interval, or why a computed one must not be shown."""
    low, high = span
    if fault := _fault(value, low, high):
        return Undefined(fault)
    return Estimate(value=value, low=low, high=high, n=n, level=level, method=method, se=se, clusters=clusters)


def _fault(value: float, low: float, high: float) -> str | None:
    if not all(map(math.isfinite, (value, low, high))):
        return TOO_LARGE
    return None if low < high else "the interval would have no width and so claim to be certain"
