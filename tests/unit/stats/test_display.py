"""Numbers as text: rounded, but never into a lie."""

from __future__ import annotations

import math

import pytest

from itemproof.stats.display import (
    DIFFERENCE,
    NUMBER,
    PERCENT,
    POINTS,
    SIZE_IN_POINTS,
    Scale,
    count,
    in_full,
    interval,
    p_value,
    show,
)
from itemproof.stats.estimate import Estimate, Undefined

NO_PAIRS = Undefined("there are no pairs")


def around(value: float, low: float, high: float) -> Estimate:
    return Estimate(value=value, low=low, high=high, n=10, level=0.95, method="any")


@pytest.mark.parametrize(
    ("share", "text"),
    [
        (0.0, "0.0 %"),
        (1.0, "100.0 %"),
        (0.356, "35.6 %"),
        (0.9996, "99.9 %"),
        (0.99999999, "99.9 %"),
        (0.0004, "0.1 %"),
        (1e-12, "0.1 %"),
        (0.9994, "99.9 %"),
        (5e-324, "0.1 %"),
    ],
)
def test_a_percentage_is_none_or_all_only_if_it_is(share: float, text: str) -> None:
    assert show(share, PERCENT) == text


@pytest.mark.parametrize(
    ("difference", "text"),
    [
        (0.0, "0.0 points"),
        (-0.0, "0.0 points"),
        (0.094, "+9.4 points"),
        (-0.08, "-8.0 points"),
        (1.0, "+100.0 points"),
        (0.0004, "+0.04 points"),
        (-0.00003, "-0.003 points"),
        (1e-30, "+0.000000000000001 points"),
    ],
)
def test_points_have_a_sign_and_are_zero_only_if_they_are(difference: float, text: str) -> None:
    assert show(difference, POINTS) == text


@pytest.mark.parametrize(("size", "text"), [(0.02, "2.0 points"), (0.0, "0.0 points"), (0.00025, "0.03 points")])
def test_the_size_of_a_difference_has_no_sign(size: float, text: str) -> None:
    assert show(size, SIZE_IN_POINTS) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0"),
        (-0.0, "0"),
        (3.0, "3"),
        (0.5, "0.5"),
        (0.99999, "1.000"),
        (-2.345678, "-2.346"),
        (12345.678, "12,346"),
        (1234567.0, "1,234,567"),
        (9999.99, "10,000"),
        (0.000123456, "0.0001235"),
        (1.23456e-7, "1.235e-07"),
        (-4e20, "-4.000e+20"),
        (5e-324, "4.941e-324"),
    ],
)
def test_a_number_has_four_digits_and_says_that_it_was_rounded(value: float, text: str) -> None:
    assert show(value, NUMBER) == text


@pytest.mark.parametrize(("value", "text"), [(0.25, "+0.25"), (-0.25, "-0.25"), (0.0, "0"), (1e-9, "+1.000e-09")])
def test_a_difference_of_numbers_has_a_sign(value: float, text: str) -> None:
    assert show(value, DIFFERENCE) == text


@pytest.mark.parametrize(
    ("p", "text"),
    [
        (1.0, "1"),
        (0.9999, "0.99"),
        (0.017, "0.017"),
        (0.01658, "0.017"),
        (0.5, "0.5"),
        (5.0901e-06, "5.1e-06"),
        (1e-299, "1e-299"),
        (2.3e-308, "<1e-300"),
        (0.0, "<1e-300"),
    ],
)
def test_a_p_value_has_two_digits_and_is_one_only_if_it_is(p: float, text: str) -> None:
    assert p_value(p) == text


@pytest.mark.parametrize(("number", "text"), [(0, "0"), (999, "999"), (14_042, "14,042"), (10**9, "1,000,000,000")])
def test_a_count_has_its_thousands_separated(number: int, text: str) -> None:
    assert count(number) == text


@pytest.mark.parametrize(
    ("estimate", "scale", "text"),
    [
        pytest.param(around(0.0942, 0.054, 0.134), POINTS, "+9.4 points [+5.4, +13.4]", id="points"),
        pytest.param(around(0.356, 0.323, 0.389), PERCENT, "35.6 % [32.3, 38.9]", id="percent"),
        pytest.param(around(0.0, -0.0876, 0.0876), POINTS, "0.0 points [-8.8, +8.8]", id="no difference"),
        pytest.param(around(0.0003, 0.0001, 0.0005), POINTS, "+0.03 points [+0.01, +0.05]", id="small"),
        pytest.param(around(0.0942, 0.09412, 0.09428), POINTS, "+9.42 points [+9.41, +9.43]", id="narrow"),
        pytest.param(around(0.99999, 0.99998, 1.0), PERCENT, "99.999 % [99.998, 100.000]", id="next to all"),
        pytest.param(around(0.00007, 0.0000126, 0.000403), PERCENT, "0.01 % [0.01, 0.04]", id="next to none"),
        pytest.param(around(12.345678, 12.345677, 12.345679), NUMBER, "12.345678 [12.345677, 12.345679]", id="number"),
    ],
)
def test_an_interval_is_as_fine_as_it_takes_to_tell_its_ends_apart(estimate: Estimate, scale: Scale, text: str) -> None:
    assert in_full(estimate, scale) == text


def test_an_interval_stands_alone_without_units() -> None:
    assert interval(around(0.094, 0.054, 0.134), POINTS) == "[+5.4, +13.4]"


def test_an_interval_narrower_than_the_finest_is_still_written() -> None:
    assert interval(around(1e-20, 1e-20, 2e-20), POINTS) == "[+0.000000000000001, +0.000000000000001]"


def test_what_is_not_available_says_why() -> None:
    texts = {show(NO_PAIRS, PERCENT), p_value(NO_PAIRS), interval(NO_PAIRS, POINTS), in_full(NO_PAIRS, POINTS)}
    assert texts == {"n/a: there are no pairs"}


@pytest.mark.parametrize(
    ("value", "scale"),
    [
        (1.01, PERCENT),
        (-0.01, PERCENT),
        (math.nan, PERCENT),
        (math.nan, POINTS),
        (math.inf, POINTS),
        (-0.1, SIZE_IN_POINTS),
        (math.nan, NUMBER),
        (math.inf, DIFFERENCE),
    ],
)
def test_a_number_outside_its_scale_is_refused(value: float, scale: Scale) -> None:
    with pytest.raises(ValueError, match=r"a share lies from|is finite and not negative|is not finite"):
        show(value, scale)


@pytest.mark.parametrize("p", [-0.1, 1.1, math.nan])
def test_what_is_no_p_value_is_refused(p: float) -> None:
    with pytest.raises(ValueError, match="a p value lies from 0 to 1"):
        p_value(p)
