"""Whatever the number: its text neither invents nor hides, and reads back as the number to its last digit."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from itemproof.stats.display import DIFFERENCE, NUMBER, PERCENT, POINTS, interval, p_value, show
from itemproof.stats.estimate import Estimate

#: A busy machine is no fault of the numbers.
no_hurry = settings(deadline=None)

SHARES = st.floats(0, 1)
NUMBERS = st.floats(allow_nan=False, allow_infinity=False)


def read(text: str) -> float:
    return float(text.split(" ", maxsplit=1)[0].replace(",", ""))


@no_hurry
@given(SHARES)
def test_a_percentage_is_at_most_a_tenth_off_and_none_or_all_only_if_it_is(share: float) -> None:
    percent = read(show(share, PERCENT))
    assert abs(percent - share * 100) <= 0.1 + 1e-9
    assert (percent == 0, percent == 100) == (share == 0, share == 1)


@no_hurry
@given(st.floats(-1, 1))
def test_points_have_the_sign_of_the_difference(difference: float) -> None:
    points = read(show(difference, POINTS))
    assert abs(points - difference * 100) <= 0.05 + 1e-9
    assert (points > 0, points < 0) == (difference > 0, difference < 0)


@no_hurry
@given(NUMBERS)
def test_a_number_reads_back_to_four_digits(value: float) -> None:
    # a text such as 1.798e+308 may itself lie beyond a double
    text = show(value, NUMBER)
    assert read(text) == pytest.approx(value, rel=5.01e-4, abs=0) or abs(value) > 1.79e308 or abs(value) < 1e-307


@no_hurry
@given(NUMBERS)
def test_a_difference_has_the_sign_of_the_number(value: float) -> None:
    text = show(value, DIFFERENCE)
    assert (text.startswith("+"), text.startswith("-")) == (value > 0, value < 0)


@no_hurry
@given(SHARES)
def test_a_p_value_reads_back_to_two_digits(p: float) -> None:
    text = p_value(p)
    assert text == "<1e-300" if p < 1e-300 else read(text) == pytest.approx(p, rel=0.051)
    assert (text == "1") == (p == 1)


@no_hurry
@given(st.tuples(st.floats(-1, 1), st.floats(-1, 1)))
def test_the_ends_of_an_interval_read_differently(ends: tuple[float, float]) -> None:
    low, high = sorted(ends)
    if high - low < 1e-12:
        return
    estimate = Estimate(value=low, low=low, high=high, n=1, level=0.95, method="any")
    one, other = interval(estimate, POINTS).strip("[]").split(", ")
    assert float(other) - float(one) == pytest.approx((high - low) * 100, rel=0.51)
