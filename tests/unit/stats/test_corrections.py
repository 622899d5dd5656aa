"""Holm and Benjamini-Hochberg against the definition and scipy."""

from __future__ import annotations

from typing import Any

import pytest

from itemproof.stats.corrections import benjamini_hochberg, holm

P_VALUES = [0.5, 0.004, 1.0, 0.0002, 0.041, 0.011, 0.12, 0.013, 0.041, 0.029]


def test_holm_is_the_largest_step_so_far() -> None:
    expected = [
        min(1.0, max((len(P_VALUES) - sum(r < q for r in P_VALUES)) * q for q in P_VALUES if q <= p)) for p in P_VALUES
    ]
    assert holm(P_VALUES) == pytest.approx(expected, rel=1e-15)


def test_benjamini_hochberg_agrees_with_scipy(scipy_stats: Any) -> None:
    assert benjamini_hochberg(P_VALUES) == pytest.approx(scipy_stats.false_discovery_control(P_VALUES), rel=1e-15)


@pytest.mark.parametrize("adjust", [holm, benjamini_hochberg])
def test_no_or_one_test_needs_no_correction(adjust: Any) -> None:
    assert (adjust([]), adjust([0.03])) == ([], [0.03])


@pytest.mark.parametrize("adjust", [holm, benjamini_hochberg])
@pytest.mark.parametrize("p", [-0.1, 1.1, float("nan")])
def test_what_is_no_p_value_is_refused(adjust: Any, p: float) -> None:
    with pytest.raises(ValueError, match="a p value lies from 0 to 1"):
        adjust([0.5, p])
