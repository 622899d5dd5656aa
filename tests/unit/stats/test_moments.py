"""Totals, means, errors, shares and quantiles, at the edges of what doubles hold."""

from __future__ import annotations

import math
import statistics

import pytest

from itemproof.stats.estimate import TOO_LARGE, Undefined
from itemproof.stats.moments import floats, mean, quantile, share, standard_error, total


def test_integers_beyond_a_double_become_infinities() -> None:
    assert floats([1, -(10**400), True, 10**400]) == [1.0, -math.inf, 1.0, math.inf]


def test_a_total_is_rounded_once() -> None:
    assert total([1e16, 1.0, 1.0, -1e16]) == 2.0


@pytest.mark.parametrize("values", [[1e308, 1e308], [math.inf, -math.inf]], ids=["overflow", "opposite infinities"])
def test_a_total_out_of_range_is_nan(values: list[float]) -> None:
    assert math.isnan(total(values))


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        pytest.param([], Undefined("there are no values"), id="none"),
        pytest.param([3.0], 3.0, id="one"),
        pytest.param([1.0, 2.0, 4.0], 7 / 3, id="three"),
        pytest.param([1.5e308, 1.7e308], 1.6e308, id="sum overflows, mean does not"),
        pytest.param([math.inf, 1.0], Undefined(TOO_LARGE), id="infinite"),
        pytest.param([math.nan, 1.0], Undefined(TOO_LARGE), id="nan"),
    ],
)
def test_a_mean_is_a_number_or_says_why_not(values: list[float], expected: float | Undefined) -> None:
    assert mean(values) == expected


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        pytest.param([], "there are no values", id="none"),
        pytest.param([2.0], "one value shows no spread", id="one"),
        pytest.param([2.0, 2.0], "the values do not vary", id="equal"),
        pytest.param([0.1] * 3, "the values do not vary", id="equal, mean rounded"),
        pytest.param([-1.7e308, 1.7e308], TOO_LARGE, id="too far apart"),
    ],
)
def test_a_standard_error_that_is_not_defined_says_why(values: list[float], reason: str) -> None:
    assert standard_error(values) == Undefined(reason)


@pytest.mark.parametrize("scale", [1.0, 1e200, 1e-200], ids=["usual", "huge", "tiny"])
def test_a_standard_error_survives_any_scale(scale: float) -> None:
    values = [1.0, 2.0, 4.0, 8.0]
    expected = statistics.stdev(values) / 2
    assert standard_error([value * scale for value in values]) == pytest.approx(expected * scale, rel=1e-14, abs=0)


@pytest.mark.parametrize(
    ("part", "whole", "expected"),
    [(0, 4, 0.0), (4, 4, 1.0), (1, 4, 0.25), (0, 0, Undefined("there are no items"))],
    ids=["none", "all", "some", "of none"],
)
def test_a_share_is_the_quotient(part: int, whole: int, expected: float | Undefined) -> None:
    assert share(part, whole) == expected


@pytest.mark.parametrize(("part", "whole"), [(-1, 4), (5, 4), (0, -1)], ids=["negative", "more than all", "of less"])
def test_counts_that_are_no_share_are_refused(part: int, whole: int) -> None:
    with pytest.raises(ValueError, match="is no share"):
        share(part, whole)


def test_a_count_that_is_no_integer_is_refused() -> None:
    with pytest.raises(TypeError, match=r"a count is an integer, not 1\.0"):
        share(1.0, 4)  # type: ignore[arg-type]


@pytest.mark.parametrize(("at", "expected"), [(0.0, 1.0), (0.25, 1.75), (0.5, 2.5), (0.95, 8.95), (1.0, 10.0)], ids=str)
def test_a_quantile_lies_on_a_line_between_neighbours(at: float, expected: float) -> None:
    assert quantile([1.0, 2.0, 3.0, 10.0], at) == pytest.approx(expected, rel=1e-15)


def test_a_quantile_of_equal_values_is_that_value() -> None:
    assert quantile([0.1, 0.1, 0.1], 0.95) == 0.1
