"""How small a difference a comparison could see, and how many items it takes to see a given one."""

from __future__ import annotations

import math

from itemproof.stats.distributions import normal_limit, normal_quantile
from itemproof.stats.estimate import LEVEL, Undefined
from itemproof.stats.paired import PairedTable

__all__ = ["POWER", "detectable_difference", "detectable_shift", "items_for_difference", "items_for_shift"]

#: The probability with which a difference that is there should be found.
POWER = 0.8


def detectable_shift(table: PairedTable, *, level: float = LEVEL, power: float = POWER) -> float | Undefined:
    """The smallest difference of shares that McNemar's test would find with this power, at this flip rate and n.

    It is the inverse of `items_for_shift`.

    Raises:
        ValueError: The level is not between 0 and 1, or the power not from 0.5 up to 1.
    """
    z, reach, n = normal_limit(level), _reach(power), table.n
    if table.changed == 0:
        return Undefined("no item changed, so the flip rate on which it rests is unknown")
    if n < z * z:
        return Undefined("too few pairs for any difference to be found")
    flips = table.changed / n
    spread = reach * math.sqrt(flips * (n - z * z + reach * reach))
    shift = (z * math.sqrt(n * flips) + spread) / (n + reach * reach)
    if shift > flips:
        return Undefined("too few items changed: even if all had changed one way, it could have been missed")
    return shift


def detectable_difference(se: float, *, level: float = LEVEL, power: float = POWER) -> float:
    """The smallest difference that a comparison with this standard error would find with this power.

    Args:
        se: Above 0, in the units of the answer.
        level: The confidence level of the two-sided test.
        power: From 0.5 up to 1.

    Raises:
        ValueError: A number is not in its range.
    """
    if not 0 < se < math.inf:
        raise ValueError(f"a standard error is finite and above 0, not {se}")
    return (normal_limit(level) + _reach(power)) * se


def items_for_shift(flips: float, difference: float, *, level: float = LEVEL, power: float = POWER) -> int:
    """How many pairs McNemar's test needs to find a difference of shares with this power.

    Args:
        flips: The share of items that change, in either direction.
        difference: The difference of the shares; not 0, and not greater in size than `flips`.
        level: The confidence level of the two-sided test.
        power: From 0.5 up to 1.

    Raises:
        ValueError: A number is not in its range.
    """
    if not 0 < abs(difference) <= flips <= 1:
        raise ValueError(f"a difference of {difference} cannot come from a share of {flips} that changes")
    under_equal, under_shift = math.sqrt(flips), math.sqrt(flips - difference * difference)
    reach = normal_limit(level) * under_equal + _reach(power) * under_shift
    return math.ceil((reach / difference) ** 2)


def items_for_difference(variance: float, difference: float, *, level: float = LEVEL, power: float = POWER) -> int:
    """How many pairs it takes to find a mean difference with this power, as Miller plans it.

    Args:
        variance: Of one paired difference; with K answers to an item, its part that is chance divided by K.
        difference: The mean difference, not 0.
        level: The confidence level of the two-sided test.
        power: From 0.5 up to 1.

    Raises:
        ValueError: A number is not in its range.
    """
    if not (0 < variance < math.inf and 0 < abs(difference) < math.inf):
        raise ValueError("variance and difference are finite, the variance above 0, the difference not 0")
    return math.ceil(variance * (detectable_difference(1.0, level=level, power=power) / difference) ** 2)


def _reach(power: float) -> float:
    if not 0.5 <= power < 1:
        raise ValueError(f"a power lies from 0.5 up to 1, not at {power}")
    return normal_quantile(power)
