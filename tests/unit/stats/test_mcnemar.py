"""McNemar's exact and mid-p test, from no change to a million."""

from __future__ import annotations

import sys
from fractions import Fraction
from math import comb
from typing import Any

import pytest

from itemproof.stats.estimate import Undefined
from itemproof.stats.mcnemar import McNemar, mcnemar
from itemproof.stats.paired import PairedTable


def changes(b: int, c: int) -> PairedTable:
    return PairedTable(both_correct=1, correct_to_wrong=b, wrong_to_correct=c, both_wrong=0)


@pytest.mark.parametrize(
    ("b", "c", "p", "mid_p"),
    [
        pytest.param(0, 0, 1.0, 1.0, id="no change"),
        pytest.param(5, 5, 1.0, 1.0, id="as many each way"),
        pytest.param(3, 2, 1.0, 0.6875, id="odd split in the middle"),
        pytest.param(7, 1, 0.0703125, 0.0390625, id="Fagerland 2013"),
        pytest.param(5, 0, 0.0625, 0.03125, id="five one way"),
        pytest.param(0, 6, 0.03125, 0.015625, id="six one way"),
    ],
)
def test_small_tables_have_the_known_p_values(b: int, c: int, p: float, mid_p: float) -> None:
    assert mcnemar(changes(b, c)) == McNemar(p=p, mid_p=mid_p, changed=b + c)


def test_no_pairs_have_no_p_value() -> None:
    empty = PairedTable(both_correct=0, correct_to_wrong=0, wrong_to_correct=0, both_wrong=0)
    assert mcnemar(empty) == Undefined("there are no pairs")


@pytest.mark.parametrize(("b", "c"), [(1_000, 1_000), (950, 1_050), (1_100, 900), (1_050, 951), (1_200, 1_100)])
def test_both_ways_of_computing_equal_the_fractions(b: int, c: int) -> None:
    m, k = b + c, min(b, c)
    tail = Fraction(2 * sum(comb(m, i) for i in range(k + 1)), 2**m)
    expected = (1.0, 1.0) if b == c else (float(tail), float(tail - Fraction(comb(m, k), 2**m)))
    found = mcnemar(changes(b, c))
    assert isinstance(found, McNemar)
    assert (found.p, found.mid_p) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize(("b", "c"), [(500_000, 499_000), (505_000, 495_000), (1_000_001, 1_000_000), (1_003, 1_000)])
def test_a_million_changes_agree_with_scipy(b: int, c: int, scipy_stats: Any) -> None:
    m, k = b + c, min(b, c)
    exact = scipy_stats.binomtest(k, m).pvalue
    found = mcnemar(changes(b, c))
    assert isinstance(found, McNemar)
    assert found.p == pytest.approx(exact, rel=1e-11)
    # scipy's own probability is good to some nine digits at this size
    assert found.mid_p == pytest.approx(exact - scipy_stats.binom.pmf(k, m, 0.5), rel=1e-7)


def test_an_odd_split_in_the_middle_of_many_is_exactly_one() -> None:
    found = mcnemar(changes(1_000_001, 1_000_000))
    assert isinstance(found, McNemar)
    assert found.p == 1.0
    assert found.mid_p < 1.0


@pytest.mark.parametrize(("b", "c"), [(1_200, 0), (2_000, 1), (3_000, 0), (900_000, 100_000)])
def test_a_p_value_is_never_zero(b: int, c: int) -> None:
    least = sys.float_info.min
    assert mcnemar(changes(b, c)) == McNemar(p=least, mid_p=least, changed=b + c)
