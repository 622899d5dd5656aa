"""Two numeric metrics over the same items."""

from __future__ import annotations

import math
from typing import Any

import pytest

from itemproof.stats.estimate import TOO_LARGE, Estimate, Undefined
from itemproof.stats.intervals import student
from itemproof.stats.numeric import PairedNumbers, paired_numbers

LEFT, RIGHT = [1.0, 2.0, 3.0, 4.0, 5.0], [1.5, 1.0, 3.0, 6.0, 9.0]


def test_the_comparison_holds_means_difference_and_counts() -> None:
    assert paired_numbers(LEFT, RIGHT, level=0.9) == PairedNumbers(
        n=5,
        left=3.0,
        right=4.1,
        difference=1.1,
        interval=student([0.5, -1.0, 0.0, 2.0, 4.0], level=0.9),
        higher=3,
        lower=1,
        equal=1,
    )


def test_the_interval_agrees_with_scipy(scipy_stats: Any) -> None:
    found = paired_numbers(LEFT, RIGHT)
    expected = scipy_stats.ttest_rel(RIGHT, LEFT).confidence_interval(0.95)
    assert isinstance(found, PairedNumbers)
    assert isinstance(found.interval, Estimate)
    assert (found.interval.low, found.interval.high) == pytest.approx((expected.low, expected.high), rel=1e-12)


def test_equal_numbers_have_a_difference_of_zero_without_interval() -> None:
    found = paired_numbers(LEFT, LEFT)
    assert isinstance(found, PairedNumbers)
    assert (found.difference, found.higher, found.lower, found.equal) == (0.0, 0, 0, 5)
    assert found.interval == Undefined("the values do not vary")


@pytest.mark.parametrize(
    ("left", "right", "reason"),
    [
        pytest.param([], [], "there are no values", id="none"),
        pytest.param([10**400], [1], TOO_LARGE, id="left beyond a double"),
        pytest.param([1], [math.nan], TOO_LARGE, id="right nan"),
        pytest.param([-1.7e308, 0.0], [1.7e308, 0.0], TOO_LARGE, id="difference beyond a double"),
    ],
)
def test_a_comparison_that_is_not_defined_says_why(left: list[float], right: list[float], reason: str) -> None:
    assert paired_numbers(left, right) == Undefined(reason)


def test_lists_of_different_length_are_refused() -> None:
    with pytest.raises(ValueError, match="longer"):
        paired_numbers([1.0], [1.0, 2.0])
