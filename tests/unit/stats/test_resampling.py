"""Resampling: the stream of Python, whole clusters, the same figures every time."""

from __future__ import annotations

import random
from itertools import product

import numpy as np
import pytest

from itemproof.stats.clustered import Clusters, cluster
from itemproof.stats.estimate import TOO_LARGE, Estimate, Undefined
from itemproof.stats.resampling import SignFlips, cluster_bootstrap, sign_flips

VALUES = [1.0, 0.0, 1.0, 1.0, -1.0, 0.0, 0.5, 2.0, -0.5]
CLUSTERS = cluster(VALUES, ["a", "a", "b", "c", "c", "c", "d", "e", "e"])


def test_the_bootstrap_is_that_of_a_plain_loop_over_pythons_stream() -> None:
    draw, means = random.Random(12345), []
    for _ in range(500):
        chosen = [int(draw.random() * 5) for _ in range(5)]
        means.append(sum(CLUSTERS.sums[i] for i in chosen) / sum(CLUSTERS.sizes[i] for i in chosen))
    low, high = np.percentile(means, [5, 95])
    found = cluster_bootstrap(CLUSTERS, seed=12345, resamples=500, level=0.9)
    assert isinstance(found, Estimate)
    assert (found.low, found.high) == pytest.approx((low, high), rel=1e-14)
    assert (found.value, found.n, found.clusters, found.se) == (4 / 9, 9, 5, None)
    assert found.method == "cluster bootstrap, percentile, 500 resamples, seed 12345"


def test_blocks_do_not_show(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = cluster_bootstrap(CLUSTERS, seed=3, resamples=100), sign_flips(CLUSTERS, seed=3, resamples=100)
    monkeypatch.setattr("itemproof.stats.resampling._BLOCK", 12)
    assert (cluster_bootstrap(CLUSTERS, seed=3, resamples=100), sign_flips(CLUSTERS, seed=3, resamples=100)) == whole


def test_the_figures_of_a_seed_stay_what_they_are() -> None:
    values = [((i * 37) % 11) / 7 - 0.5 for i in range(60)]
    found = cluster_bootstrap(cluster(values, [f"q{i % 13:02}" for i in range(60)]), seed=7, resamples=200)
    assert isinstance(found, Estimate)
    assert (found.low, found.high) == (0.14276634382566586, 0.2650345622119815)


def test_the_sign_flips_approach_all_arrangements() -> None:
    sums = [part for part in CLUSTERS.sums if part]
    flipped = [abs(sum(s * part for s, part in zip(signs, sums, strict=True))) for signs in product((1, -1), repeat=4)]
    share = sum(total >= abs(sum(sums)) for total in flipped) / len(flipped)
    found = sign_flips(CLUSTERS, seed=1, resamples=20_000)
    assert isinstance(found, SignFlips)
    assert found.p == pytest.approx(share, abs=0.015)
    assert (found.resamples, found.seed, found.clusters) == (20_000, 1, 5)


def test_arrangements_that_tie_but_for_rounding_count() -> None:
    """Both 0.1 + 0.2 - 0.3 + 0.6 and -0.1 - 0.2 + 0.3 + 0.6 are 0.6 here, as they are in tenths."""
    in_tenths = sign_flips(Clusters(sums=(1.0, 2.0, -3.0, 6.0), sizes=(1, 1, 1, 1)), seed=1, resamples=100)
    assert sign_flips(Clusters(sums=(0.1, 0.2, -0.3, 0.6), sizes=(1, 1, 1, 1)), seed=1, resamples=100) == in_tenths


def test_sums_of_zero_cannot_be_extreme() -> None:
    found = sign_flips(Clusters(sums=(0.0, 0.0), sizes=(2, 1)), seed=1, resamples=10)
    assert found == SignFlips(p=1.0, resamples=10, seed=1, clusters=2)


@pytest.mark.parametrize(
    ("clusters", "reason"),
    [
        pytest.param(cluster([], []), "there are no values", id="none"),
        pytest.param(cluster([1.0], ["a"]), "fewer than two clusters show no spread between clusters", id="one"),
        pytest.param(cluster([0.1] * 4, "aaab"), "the clusters do not vary", id="equal"),
        pytest.param(cluster([1e308, -1e308], "ab"), TOO_LARGE, id="too large"),
        pytest.param(
            cluster([1.0] + [0.0] * 99, map(str, range(100))),
            "the interval would have no width and so claim to be certain",
            id="resamples all alike",
        ),
    ],
)
def test_a_bootstrap_that_is_not_defined_says_why(clusters: Clusters, reason: str) -> None:
    assert cluster_bootstrap(clusters, seed=1, resamples=100, level=0.01) == Undefined(reason)


def test_sign_flips_of_no_or_too_large_values_say_why() -> None:
    assert sign_flips(cluster([], []), seed=1) == Undefined("there are no values")
    assert sign_flips(cluster([1e308, -1e308], "ab"), seed=1) == Undefined(TOO_LARGE)


def test_too_few_resamples_are_refused() -> None:
    with pytest.raises(ValueError, match="at least 100 resamples, not 99"):
        cluster_bootstrap(CLUSTERS, seed=1, resamples=99)
    with pytest.raises(ValueError, match="at least one resample, not 0"):
        sign_flips(CLUSTERS, seed=1, resamples=0)


def test_a_level_that_is_none_is_refused() -> None:
    with pytest.raises(ValueError, match="a confidence level lies between 0 and 1"):
        cluster_bootstrap(CLUSTERS, seed=1, level=95)
