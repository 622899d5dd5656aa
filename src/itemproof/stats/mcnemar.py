"""McNemar's test in its exact and mid-p form: do the changes go one way more often than a coin would?"""

from __future__ import annotations

import sys
from dataclasses import dataclass

from itemproof.stats.distributions import beta_cdf, binomial_mass
from itemproof.stats.estimate import Undefined
from itemproof.stats.paired import PairedTable

__all__ = ["McNemar", "mcnemar"]

#: Up to so many changed items the test is computed in integers and rounded once; beyond, to a relative error of 1e-12.
_INTEGERS_TO = 2_000


@dataclass(frozen=True, slots=True, kw_only=True)
class McNemar:
    """The two-sided p values of a paired comparison.

    Attributes:
        p: The exact (binomial) one.
        mid_p: The less conservative one, which counts the observed split by half.
        changed: The pairs that disagree; the test rests on these alone.

    A value below the range of a double is given as the smallest normal one: never as zero.
    """

    p: float
    mid_p: float
    changed: int


def mcnemar(table: PairedTable) -> McNemar | Undefined:
    """Both p values; 1 where as many items changed one way as the other, or none did."""
    if table.n == 0:
        return Undefined("there are no pairs")
    m, k = table.changed, min(table.correct_to_wrong, table.wrong_to_correct)
    if 2 * k == m:
        return McNemar(p=1.0, mid_p=1.0, changed=m)
    p, mid_p = _by_integers(k, m) if m <= _INTEGERS_TO else _by_beta(k, m)
    least = sys.float_info.min
    return McNemar(p=max(p, least), mid_p=max(mid_p, least), changed=m)


def _by_integers(k: int, m: int) -> tuple[float, float]:
    term = tail = 1
    for i in range(k):
        term = term * (m - i) // (i + 1)
        tail += term
    return 2 * tail / 2**m, (2 * tail - term) / 2**m


def _by_beta(k: int, m: int) -> tuple[float, float]:
    p = 1.0 if m - 2 * k == 1 else 2 * beta_cdf(0.5, m - k, k + 1)  # an odd split in the middle is half of all, exactly
    return p, p - binomial_mass(k, m, 0.5)
