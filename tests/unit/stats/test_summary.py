"""A list of numbers in a few."""

from __future__ import annotations

import math

import pytest

from itemproof.stats.estimate import TOO_LARGE, Undefined
from itemproof.stats.intervals import student
from itemproof.stats.summary import Summary, describe


def test_a_summary_holds_the_usual_numbers_whatever_the_order() -> None:
    expected = Summary(
        n=21,
        mean=10.0,
        interval=student([float(value) for value in range(21)]),
        median=10.0,
        p95=19.0,
        min=0.0,
        max=20.0,
    )
    assert describe(range(21)) == describe(reversed(range(21))) == expected


def test_the_summary_of_one_number_has_no_interval() -> None:
    assert describe([0.5]) == Summary(
        n=1, mean=0.5, interval=Undefined("one value shows no spread"), median=0.5, p95=0.5, min=0.5, max=0.5
    )


def test_the_median_of_an_even_count_is_between_the_two_middles() -> None:
    found = describe([4.0, 1.0, 2.0, 100.0])
    assert isinstance(found, Summary)
    assert found.median == 3.0


@pytest.mark.parametrize(
    ("values", "reason"),
    [([], "there are no values"), ([1, 10**400], TOO_LARGE), ([math.nan, 1.0], TOO_LARGE)],
    ids=["none", "beyond a double", "nan"],
)
def test_a_summary_that_is_not_defined_says_why(values: list[float], reason: str) -> None:
    assert describe(values) == Undefined(reason)
