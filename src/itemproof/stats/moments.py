"""Plain numbers of a list: total, mean, standard error, share, quantile; whatever the order and the machine."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from itemproof.stats.estimate import TOO_LARGE, Undefined

__all__ = ["floats", "mean", "quantile", "share", "standard_error", "total"]


def floats(values: Iterable[float]) -> list[float]:
    """The values as doubles; an integer beyond their range becomes an infinity, for the callers to refuse."""
    given = list(values)
    try:
        return list(map(float, given))
    except OverflowError:
        return [_float(value) for value in given]


def total(values: Iterable[float]) -> float:
    """The sum, rounded once, so that the order of the values does not show; nan if it leaves the range."""
    try:
        return math.fsum(values)
    except (OverflowError, ValueError):
        return math.nan


def mean(values: Sequence[float]) -> float | Undefined:
    """The arithmetic mean."""
    if not values:
        return Undefined("there are no values")
    n = len(values)
    result = total(values) / n
    if not math.isfinite(result):  # the sum may overflow where the mean does not
        result = total(value / n for value in values)
    return result if math.isfinite(result) else Undefined(TOO_LARGE)


def standard_error(values: Sequence[float]) -> float | Undefined:
    """The standard error of the mean, by the unbiased variance (n - 1)."""
    centre, n = mean(values), len(values)
    if isinstance(centre, Undefined):
        return centre
    if n < 2:
        return Undefined("one value shows no spread")
    # hypot scales by the largest residual: neither 1e200 nor 1e-200 is lost in the squares
    spread = math.hypot(*(value - centre for value in values))
    if spread <= 2 * math.ulp(centre) * math.sqrt(n):  # no more than the rounding of the mean itself
        return Undefined("the values do not vary")
    return spread / math.sqrt(n * (n - 1)) if math.isfinite(spread) else Undefined(TOO_LARGE)


def share(part: int, whole: int) -> float | Undefined:
    """The part of the whole, from 0 to 1.

    Raises:
        TypeError: A count is not an integer.
        ValueError: The part is negative or greater than the whole.
    """
    for count in (part, whole):
        if not isinstance(count, int):
            raise TypeError(f"a count is an integer, not {count!r}")
    if not 0 <= part <= whole:
        raise ValueError(f"{part} of {whole} is no share")
    return part / whole if whole else Undefined("there are no items")


def quantile(ordered: Sequence[float], at: float) -> float:
    """The value below which the share `at` of the values lies, on a straight line between neighbours.

    This is numpy's rule `linear`; at 0.5 it is the median.

    Args:
        ordered: Finite values, ascending, at least one.
        at: From 0 to 1.
    """
    place = at * (len(ordered) - 1)
    below = math.floor(place)
    low, high = ordered[below], ordered[min(below + 1, len(ordered) - 1)]
    weight = place - below
    return min(max(low * (1 - weight) + high * weight, low), high)


def _float(value: float) -> float:
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf
