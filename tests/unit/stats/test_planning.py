"""Detectable differences and the items it takes, each the other's inverse."""

from __future__ import annotations

import math
from typing import Any

import pytest

from itemproof.stats.estimate import Undefined
from itemproof.stats.mcnemar import McNemar, mcnemar
from itemproof.stats.paired import PairedTable
from itemproof.stats.planning import detectable_difference, detectable_shift, items_for_difference, items_for_shift


def changed(flips: int, n: int) -> PairedTable:
    return PairedTable(both_correct=n - flips, correct_to_wrong=flips, wrong_to_correct=0, both_wrong=0)


@pytest.mark.parametrize(("flips", "n"), [(40, 200), (100, 1_000), (900, 14_042)])
@pytest.mark.parametrize("power", [0.5, 0.8, 0.95])
def test_a_detectable_shift_takes_as_many_items_as_there_are(flips: int, n: int, power: float) -> None:
    shift = detectable_shift(changed(flips, n), power=power)
    assert isinstance(shift, float)
    needed = items_for_shift(flips / n, shift, power=power)
    assert needed in (n, n + 1)  # the one is rounding up of a number that rounding left above n


def test_the_planned_test_has_about_the_power(scipy_stats: Any) -> None:
    """Exact power of the mid-p test at the planned size, summed over all tables of changes."""
    flips, difference = 0.2, 0.08
    n = items_for_shift(flips, difference)
    up = (flips + difference) / 2
    power = 0.0
    for m in range(n + 1):
        weight = scipy_stats.binom.pmf(m, n, flips)
        if weight < 1e-9:
            continue
        for k, probability in enumerate(scipy_stats.binom.pmf(range(m + 1), m, up / flips)):
            table = PairedTable(both_correct=n - m, correct_to_wrong=m - k, wrong_to_correct=k, both_wrong=0)
            found = mcnemar(table)
            assert isinstance(found, McNemar)
            power += weight * probability * (found.mid_p <= 0.05)
    assert power == pytest.approx(0.8, abs=0.02)


@pytest.mark.parametrize(
    ("table", "reason"),
    [
        pytest.param(changed(0, 50), "no item changed, so the flip rate on which it rests is unknown", id="no change"),
        pytest.param(changed(0, 0), "no item changed, so the flip rate on which it rests is unknown", id="no pairs"),
        pytest.param(changed(2, 3), "too few pairs for any difference to be found", id="three pairs"),
        pytest.param(
            changed(3, 1_000),
            "too few items changed: even if all had changed one way, it could have been missed",
            id="three changes",
        ),
    ],
)
def test_a_shift_that_cannot_be_detected_says_why(table: PairedTable, reason: str) -> None:
    assert detectable_shift(table) == Undefined(reason)


def test_a_detectable_difference_grows_with_the_standard_error() -> None:
    assert detectable_difference(0.01) == pytest.approx(0.01 * (1.959963985 + 0.841621234), rel=1e-9)


def test_items_for_a_difference_follow_millers_example() -> None:
    assert items_for_difference(1 / 9, 0.03) == 969


@pytest.mark.parametrize("se", [0.0, -1.0, math.inf, math.nan])
def test_a_standard_error_that_is_none_is_refused(se: float) -> None:
    with pytest.raises(ValueError, match="a standard error is finite and above 0"):
        detectable_difference(se)


@pytest.mark.parametrize("power", [0.0, 0.4, 1.0, 80.0])
def test_a_power_that_is_none_is_refused(power: float) -> None:
    with pytest.raises(ValueError, match=r"a power lies from 0\.5 up to 1"):
        detectable_difference(0.1, power=power)


@pytest.mark.parametrize(("flips", "difference"), [(0.2, 0.0), (0.2, 0.3), (1.2, 0.3)])
def test_a_shift_that_the_flips_cannot_give_is_refused(flips: float, difference: float) -> None:
    with pytest.raises(ValueError, match="cannot come from"):
        items_for_shift(flips, difference)


@pytest.mark.parametrize(("variance", "difference"), [(0.0, 0.1), (-1.0, 0.1), (1.0, 0.0), (math.inf, 0.1)])
def test_a_plan_without_variance_or_difference_is_refused(variance: float, difference: float) -> None:
    with pytest.raises(ValueError, match="variance and difference are finite"):
        items_for_difference(variance, difference)
