"""The few distributions that the intervals and tests need, without scipy (whose import costs a second).

The incomplete beta function is a continued fraction (Lentz) times a binomial probability in Loader's saddle-point form.
That form keeps a relative error near 1e-13 where differences of `lgamma` would lose half the digits (counts of 10^6).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from statistics import NormalDist

__all__ = [
    "beta_cdf",
    "beta_quantile",
    "binomial_mass",
    "normal_limit",
    "normal_quantile",
    "normal_tail",
    "root",
    "t_limit",
]

_HALF_LOG_TWO_PI = 0.5 * math.log(2 * math.pi)
_TINY = 1e-300


def normal_quantile(share: float) -> float:
    """The value below which this share of a standard normal variable lies.

    Raises:
        ValueError: The share is not between 0 and 1.
    """
    if not 0 < share < 1:
        raise ValueError(f"{share} is not between 0 and 1")
    return NormalDist().inv_cdf(share)


def normal_limit(level: float) -> float:
    """The z that a standard normal variable exceeds in size with probability 1 - level.

    Raises:
        ValueError: The level is not between 0 and 1.
    """
    if not 0 < level < 1:
        raise ValueError(f"a confidence level lies between 0 and 1, not at {level}")
    return normal_quantile(0.5 + level / 2)


def normal_tail(z: float) -> float:
    """The probability that a standard normal variable is above z, accurate far out."""
    return 0.5 * math.erfc(z / math.sqrt(2))


def t_limit(level: float, df: int) -> float:
    """The t that Student's variable with `df` degrees of freedom exceeds in size with probability 1 - level."""
    least = normal_limit(level)

    def missing(t: float) -> float:
        return level - beta_cdf(t * t / (df + t * t), 0.5, df / 2)

    # Student's tails are heavier than the normal ones: the search begins at z and doubles
    most = max(2 * least, 1.0)
    while missing(most) > 0:
        most *= 2
    return root(missing, least, most)


def beta_quantile(share: float, a: float, b: float) -> float:
    """The value below which this share of a beta variable lies."""
    return root(lambda x: beta_cdf(x, a, b) - share, 0.0, 1.0)


def beta_cdf(x: float, a: float, b: float) -> float:
    """The regularised incomplete beta function: the probability that a beta variable is at most x."""
    if x <= 0 or x >= 1:
        return float(x >= 1)
    if x > (a + 1) / (a + b + 2):  # the fraction converges fast on the other side only
        return 1 - beta_cdf(1 - x, b, a)
    return b / (a + b) * binomial_mass(a, a + b, x) * _beta_fraction(x, a, b)


def binomial_mass(k: float, n: float, p: float) -> float:
    """The probability of k successes in n draws, also for counts that are no integers.

    Args:
        k: From 0, and below n.
        n: Above 0.
        p: The probability of a success, between 0 and 1.
    """
    if k == 0:
        return math.exp(n * math.log1p(-p))
    rest = n - k
    shape = _stirling_error(n) - _stirling_error(k) - _stirling_error(rest)
    exponent = shape - _deviance(k, n * p) - _deviance(rest, n * (1 - p))
    return math.exp(exponent) * math.sqrt(n / (2 * math.pi * k * rest))


def root(function: Callable[[float], float], low: float, high: float) -> float:
    """A place where the function changes sign, found by halving down to neighbouring doubles."""
    rising = function(high) > 0
    while low < (middle := low + (high - low) / 2) < high:
        if (function(middle) > 0) is rising:
            high = middle
        else:
            low = middle
    return high


def _beta_fraction(x: float, a: float, b: float) -> float:
    """The continued fraction of the incomplete beta function; it needs about sqrt(max(a, b)) steps."""
    c, d = 1.0, 1 / _apart(1 - (a + b) * x / (a + 1))
    result = d
    most = 1000 + 20 * math.isqrt(int(max(a, b)))  # a guard only
    for m in range(1, most):  # pragma: no branch
        for step in (
            m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
        ):
            d = 1 / _apart(1 + step * d)
            c = _apart(1 + step / c)
            result *= c * d
        if abs(c * d - 1) < 1e-15:
            break
    return result


def _apart(value: float) -> float:
    """The value, kept off zero so that it can be divided by."""
    return value if abs(value) > _TINY else _TINY


def _stirling_error(x: float) -> float:
    """What Stirling's formula lacks of the logarithm of x factorial."""
    if x < 16:
        return math.lgamma(x + 1) - (x + 0.5) * math.log(x) + x - _HALF_LOG_TWO_PI
    square = x * x
    return (1 / 12 - (1 / 360 - (1 / 1260 - (1 / 1680 - 1 / 1188 / square) / square) / square) / square) / x


def _deviance(x: float, centre: float) -> float:
    """The sum of x log(x / centre) and centre - x, without cancellation where x is near the centre."""
    if abs(x - centre) >= 0.1 * (x + centre):
        return x * math.log(x / centre) + centre - x
    ratio = (x - centre) / (x + centre)
    result, term, power = (x - centre) * ratio, 2 * x * ratio, 1
    while True:
        term *= ratio * ratio
        power += 2
        if result + term / power == result:
            return result
        result += term / power
