"""Tango's score interval and score test for the difference of two paired shares."""

from __future__ import annotations

import math

from itemproof.stats.distributions import normal_limit, root
from itemproof.stats.estimate import LEVEL, Estimate, Undefined, estimate
from itemproof.stats.paired import PairedTable

__all__ = ["tango", "tango_z"]


def tango(table: PairedTable, *, level: float = LEVEL) -> Estimate | Undefined:
    """The difference (right - left) with the interval of all true differences that the score test does not reject.

    Raises:
        ValueError: The level is not between 0 and 1.
    """
    delta, z = table.delta, normal_limit(level)
    if isinstance(delta, Undefined):
        return delta
    low = -1.0 if delta == -1 else root(lambda true: tango_z(table, true) - z, -1.0, delta)
    high = 1.0 if delta == 1 else root(lambda true: tango_z(table, true) + z, delta, 1.0)
    return estimate(delta, (low, high), n=table.n, level=level, method="Tango score")


def tango_z(table: PairedTable, true: float) -> float:
    """How many standard errors the observed difference lies above a supposed true one.

    Args:
        table: At least one pair.
        true: The supposed difference, from -1 to 1.
    """
    excess = table.net - table.n * true
    variance = table.n * (2 * _least_wrong(table, true) + true * (1 - true))
    if variance <= 0:
        return math.copysign(math.inf, excess) if excess else 0.0
    return excess / math.sqrt(variance)


def _least_wrong(table: PairedTable, true: float) -> float:
    """The likeliest probability of correct to wrong, if the difference is the supposed one."""
    a = 2 * table.n
    b = (a - table.net) * true - table.changed
    c = -table.correct_to_wrong * true * (1 - true)
    return (math.sqrt(max(b * b - 4 * a * c, 0.0)) - b) / (2 * a)
