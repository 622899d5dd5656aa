"""Intervals of one share and of one mean."""

from __future__ import annotations

import math
from typing import Any

import pytest

from itemproof.stats.estimate import Estimate, Undefined
from itemproof.stats.intervals import clopper_pearson, student, wilson

COUNTS = [(0, 1), (1, 1), (0, 10), (7, 10), (10, 10), (81, 263), (975, 1_000), (9_999, 14_042), (3, 10**6)]


@pytest.mark.parametrize("level", [0.8, 0.95, 0.99])
@pytest.mark.parametrize(("count", "n"), COUNTS)
def test_wilson_agrees_with_scipy(count: int, n: int, level: float, scipy_stats: Any) -> None:
    found = wilson(count, n, level=level)
    expected = scipy_stats.binomtest(count, n).proportion_ci(confidence_level=level, method="wilson")
    assert isinstance(found, Estimate)
    assert (found.value, found.n, found.level, found.method) == (count / n, n, level, "Wilson")
    assert (found.low, found.high) == pytest.approx((expected.low, expected.high), rel=1e-9, abs=1e-15)


@pytest.mark.parametrize("level", [0.8, 0.95, 0.99])
@pytest.mark.parametrize(("count", "n"), COUNTS[:-1])
def test_clopper_pearson_agrees_with_scipy(count: int, n: int, level: float, scipy_stats: Any) -> None:
    found = clopper_pearson(count, n, level=level)
    expected = scipy_stats.binomtest(count, n).proportion_ci(confidence_level=level, method="exact")
    assert isinstance(found, Estimate)
    assert (found.value, found.n, found.level, found.method) == (count / n, n, level, "Clopper-Pearson")
    assert (found.low, found.high) == pytest.approx((expected.low, expected.high), rel=1e-11)


def test_clopper_pearson_for_one_in_a_million_is_the_closed_form() -> None:
    found = clopper_pearson(1, 10**6)
    assert isinstance(found, Estimate)
    assert found.low == pytest.approx(-math.expm1(math.log(0.975) / 10**6), rel=1e-12)


@pytest.mark.parametrize("n", [1, 10, 14_042, 10**9])
@pytest.mark.parametrize("interval", [wilson, clopper_pearson])
def test_none_and_all_pin_an_end_exactly(interval: Any, n: int) -> None:
    none, every = interval(0, n), interval(n, n)
    assert (none.low, every.high) == (0.0, 1.0)
    assert none.high + every.low == pytest.approx(1.0, rel=1e-12)


@pytest.mark.parametrize("interval", [wilson, clopper_pearson])
def test_a_share_of_no_items_is_undefined(interval: Any) -> None:
    assert interval(0, 0) == Undefined("there are no items")


@pytest.mark.parametrize("interval", [wilson, clopper_pearson])
def test_a_level_in_percent_is_refused(interval: Any) -> None:
    with pytest.raises(ValueError, match="a confidence level lies between 0 and 1, not at 95"):
        interval(1, 2, level=95)


def test_student_agrees_with_scipy(scipy_stats: Any) -> None:
    values = [0.5, 1.25, -3.0, 2.0, 7.5, 0.0, 0.25]
    found = student(values, level=0.9)
    expected = scipy_stats.ttest_1samp(values, 0.0).confidence_interval(0.9)
    assert isinstance(found, Estimate)
    assert (found.low, found.high) == pytest.approx((expected.low, expected.high), rel=1e-12)
    assert found.se == pytest.approx(scipy_stats.sem(values), rel=1e-14)
    assert (found.value, found.n, found.method) == (sum(values) / 7, 7, "Student t(6)")


@pytest.mark.parametrize(
    ("values", "reason"),
    [([], "there are no values"), ([1.0], "one value shows no spread"), ([1.0, 1.0], "the values do not vary")],
    ids=["none", "one", "equal"],
)
def test_a_mean_without_spread_has_no_interval(values: list[float], reason: str) -> None:
    assert student(values) == Undefined(reason)
