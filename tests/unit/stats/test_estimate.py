"""An estimate has a finite interval with a width, or is undefined."""

from __future__ import annotations

import math

import pytest

from itemproof.stats.estimate import TOO_LARGE, Estimate, Undefined, estimate

NO_WIDTH = "the interval would have no width and so claim to be certain"

FAULTS = [
    pytest.param(0.5, (0.5, 0.5), NO_WIDTH, id="no width"),
    pytest.param(0.5, (0.6, 0.4), NO_WIDTH, id="ends swapped"),
    pytest.param(math.nan, (0.4, 0.6), TOO_LARGE, id="value nan"),
    pytest.param(0.5, (-math.inf, 0.6), TOO_LARGE, id="low infinite"),
    pytest.param(0.5, (0.4, math.inf), TOO_LARGE, id="high infinite"),
]


@pytest.mark.parametrize(("value", "span", "reason"), FAULTS)
def test_a_computed_interval_that_must_not_be_shown_becomes_undefined(
    value: float, span: tuple[float, float], reason: str
) -> None:
    assert estimate(value, span, n=10, level=0.95, method="any") == Undefined(reason)


@pytest.mark.parametrize(("value", "span", "reason"), FAULTS)
def test_an_estimate_that_must_not_be_shown_cannot_be_built(
    value: float, span: tuple[float, float], reason: str
) -> None:
    with pytest.raises(ValueError, match=reason):
        Estimate(value=value, low=span[0], high=span[1], n=10, level=0.95, method="any")


def test_an_estimate_keeps_every_fact() -> None:
    found = estimate(0.5, (0.4, 0.6), n=10, level=0.9, method="any", se=0.05, clusters=3)
    assert found == Estimate(value=0.5, low=0.4, high=0.6, n=10, level=0.9, method="any", se=0.05, clusters=3)
