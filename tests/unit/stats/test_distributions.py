"""The distributions written by hand agree with scipy over the whole range that counts of items reach."""

from __future__ import annotations

import math
from typing import Any

import pytest

from itemproof.stats.distributions import (
    beta_cdf,
    beta_quantile,
    binomial_mass,
    normal_limit,
    normal_quantile,
    normal_tail,
    root,
    t_limit,
)


@pytest.mark.parametrize("level", [0.5, 0.9, 0.95, 0.999])
@pytest.mark.parametrize("df", [1, 2, 3, 7, 39, 1_000, 10**6])
def test_the_limit_of_student_agrees_with_scipy(df: int, level: float, scipy_stats: Any) -> None:
    assert t_limit(level, df) == pytest.approx(scipy_stats.t.ppf(0.5 + level / 2, df), rel=1e-10)


def test_the_limit_of_student_is_found_for_a_level_next_to_nothing() -> None:
    assert 0 <= t_limit(1e-17, 3) < 1e-12


@pytest.mark.parametrize(
    ("x", "a", "b"),
    [(0.5, 1, 1), (0.2, 3, 7), (0.999, 4, 2), (0.5, 501_000, 499_001), (0.02, 0.5, 900.5), (0.3, 30, 71)],
)
def test_the_beta_distribution_agrees_with_scipy(x: float, a: float, b: float, scipy_stats: Any) -> None:
    assert beta_cdf(x, a, b) == pytest.approx(scipy_stats.beta.cdf(x, a, b), rel=1e-11)


@pytest.mark.parametrize(("x", "expected"), [(-0.1, 0.0), (0.0, 0.0), (1.0, 1.0), (1.1, 1.0)], ids=str)
def test_the_beta_distribution_ends_at_0_and_1(x: float, expected: float) -> None:
    assert beta_cdf(x, 2, 3) == expected


@pytest.mark.parametrize(("share", "a", "b"), [(0.025, 7, 4), (0.975, 8, 3), (0.025, 9_999, 4_044)])
def test_the_beta_quantile_agrees_with_scipy(share: float, a: float, b: float, scipy_stats: Any) -> None:
    assert beta_quantile(share, a, b) == pytest.approx(scipy_stats.beta.ppf(share, a, b), rel=1e-12)


@pytest.mark.parametrize(
    ("k", "n", "p"), [(0, 10, 0.3), (3, 10, 0.3), (20, 40, 0.5), (900, 2_000, 0.5), (7, 1_500, 0.01)]
)
def test_the_binomial_probability_agrees_with_integers(k: int, n: int, p: float) -> None:
    numerator, denominator = p.as_integer_ratio()
    exact = math.comb(n, k) * numerator**k * (denominator - numerator) ** (n - k) / denominator**n
    assert binomial_mass(k, n, p) == pytest.approx(exact, rel=2e-13)


@pytest.mark.parametrize("z", [-3.0, 0.0, 1.96, 10.0, 30.0])
def test_the_normal_tail_is_accurate_far_out(z: float, scipy_stats: Any) -> None:
    assert normal_tail(z) == pytest.approx(scipy_stats.norm.sf(z), rel=1e-12)


def test_the_normal_limit_is_the_familiar_one() -> None:
    assert normal_limit(0.95) == pytest.approx(1.959963984540054, rel=1e-15)


@pytest.mark.parametrize("level", [0.0, 1.0, -0.5, 95.0, math.nan])
def test_a_level_that_is_none_is_refused(level: float) -> None:
    with pytest.raises(ValueError, match="a confidence level lies between 0 and 1"):
        normal_limit(level)


@pytest.mark.parametrize("share", [0.0, 1.0])
def test_a_quantile_of_none_or_all_is_refused(share: float) -> None:
    with pytest.raises(ValueError, match="is not between 0 and 1"):
        normal_quantile(share)


@pytest.mark.parametrize("sign", [1, -1], ids=["rising", "falling"])
def test_a_root_is_found_to_the_last_digit(sign: int) -> None:
    assert root(lambda x: sign * (x * x - 2), 0.0, 2.0) == pytest.approx(math.sqrt(2), rel=3e-16)
