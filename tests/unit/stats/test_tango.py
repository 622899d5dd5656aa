"""Tango's score interval and test."""

from __future__ import annotations

import math

import pytest

from itemproof.stats.distributions import normal_limit
from itemproof.stats.estimate import Estimate, Undefined
from itemproof.stats.paired import PairedTable
from itemproof.stats.tango import tango, tango_z


def table(a: int, b: int, c: int, d: int) -> PairedTable:
    return PairedTable(both_correct=a, correct_to_wrong=b, wrong_to_correct=c, both_wrong=d)


def test_the_published_example_is_reproduced() -> None:
    assert tango_z(table(43, 1, 0, 0), -0.1) == pytest.approx(1.709, abs=5e-4)


@pytest.mark.parametrize("counts", [(130, 28, 12, 30), (36, 12, 2, 0), (5, 0, 6, 9), (7_000, 812, 655, 5_575)], ids=str)
@pytest.mark.parametrize("level", [0.8, 0.95])
def test_the_ends_are_where_the_test_just_rejects(counts: tuple[int, int, int, int], level: float) -> None:
    found, z = tango(table(*counts), level=level), normal_limit(level)
    assert isinstance(found, Estimate)
    assert tango_z(table(*counts), found.low) == pytest.approx(z, rel=1e-9)
    assert tango_z(table(*counts), found.high) == pytest.approx(-z, rel=1e-9)
    assert (found.n, found.level, found.method) == (sum(counts), level, "Tango score")


def test_the_likeliest_probability_maximises_the_likelihood() -> None:
    """The z of the score test, computed over a fine grid of nuisance probabilities instead of the formula."""
    b, c, rest, true = 28, 12, 160, -0.03

    def log_likelihood(wrong: float) -> float:
        return b * math.log(wrong) + c * math.log(wrong + true) + rest * math.log(1 - 2 * wrong - true)

    steps = (0.03 + i * 1e-6 for i in range(1, 480_000))
    best = max(steps, key=log_likelihood)
    n = b + c + rest
    z = (c - b - n * true) / math.sqrt(n * (2 * best + true - true * true))
    assert tango_z(table(130, b, c, 30), true) == pytest.approx(z, rel=1e-5)


@pytest.mark.parametrize("sign", [1, -1], ids=["all improved", "all broke"])
def test_a_difference_of_everything_reaches_its_bound(sign: int) -> None:
    found = tango(table(0, 10, 0, 0) if sign < 0 else table(0, 0, 10, 0))
    assert isinstance(found, Estimate)
    far, near = (found.high, found.low) if sign > 0 else (found.low, found.high)
    assert far == sign
    assert abs(near) < 1


@pytest.mark.parametrize(
    ("counts", "true", "z"),
    [((4, 1, 0, 0), -1.0, math.inf), ((4, 1, 0, 0), 1.0, -math.inf), ((0, 3, 0, 0), -1.0, 0.0)],
    ids=["above the least", "below the most", "at the least"],
)
def test_a_supposed_certainty_is_rejected_unless_it_was_seen(
    counts: tuple[int, int, int, int], true: float, z: float
) -> None:
    assert tango_z(table(*counts), true) == z


def test_no_pairs_have_no_interval() -> None:
    assert tango(table(0, 0, 0, 0)) == Undefined("there are no pairs")
