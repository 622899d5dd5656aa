"""Intervals of one share (Wilson, Clopper-Pearson) and of one mean (Student)."""

from __future__ import annotations

import math
from collections.abc import Sequence

from itemproof.stats.distributions import beta_quantile, normal_limit, t_limit
from itemproof.stats.estimate import LEVEL, Estimate, Undefined, estimate
from itemproof.stats.moments import mean, share, standard_error

__all__ = ["clopper_pearson", "student", "wilson"]


def wilson(count: int, n: int, *, level: float = LEVEL) -> Estimate | Undefined:
    """The share of `count` in `n` with Wilson's score interval; its ends are exactly 0 and 1 where they must be.

    Raises:
        TypeError: A count is not an integer.
        ValueError: The counts are no share, or the level is not between 0 and 1.
    """
    value = share(count, n)
    z = normal_limit(level)
    if isinstance(value, Undefined):
        return value
    weight = z * z / n
    centre = (value + weight / 2) / (1 + weight)
    half = z * math.sqrt(value * ((n - count) / n) / n + weight / (4 * n)) / (1 + weight)
    low = 0.0 if count == 0 else min(centre - half, value)
    high = 1.0 if count == n else max(centre + half, value)
    return estimate(value, (low, high), n=n, level=level, method="Wilson")


def clopper_pearson(count: int, n: int, *, level: float = LEVEL) -> Estimate | Undefined:
    """The share of `count` in `n` with the exact (tail) interval, which is never too short.

    Raises:
        TypeError: A count is not an integer.
        ValueError: The counts are no share, or the level is not between 0 and 1.
    """
    value = share(count, n)
    normal_limit(level)  # refuses a level that is none
    if isinstance(value, Undefined):
        return value
    tail = (1 - level) / 2
    low = 0.0 if count == 0 else beta_quantile(tail, count, n - count + 1)
    # by symmetry from the failures: the upper end is then as exact near 1 as the lower end near 0
    high = 1.0 if count == n else 1 - beta_quantile(tail, n - count, count + 1)
    return estimate(value, (low, high), n=n, level=level, method="Clopper-Pearson")


def student(values: Sequence[float], *, level: float = LEVEL) -> Estimate | Undefined:
    """The mean of the values with Student's interval, n - 1 degrees of freedom.

    Raises:
        ValueError: The level is not between 0 and 1.
    """
    value, se = mean(values), standard_error(values)
    if isinstance(value, Undefined):
        return value
    if isinstance(se, Undefined):
        return se
    n = len(values)
    half = t_limit(level, n - 1) * se
    return estimate(value, (value - half, value + half), n=n, level=level, method=f"Student t({n - 1})", se=se)
