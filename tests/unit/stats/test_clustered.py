"""Means over clusters, against the sandwich formula written out."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from itemproof.stats.clustered import (
    ClusterErrors,
    Clusters,
    cluster,
    cluster_errors,
    clustered_mean,
    difference_of_differences,
    macro_mean,
)
from itemproof.stats.estimate import TOO_LARGE, Estimate, Undefined
from itemproof.stats.intervals import student

VALUES = [1.0, 0.0, 1.0, 1.0, -1.0, 0.0, 0.5, 2.0, -0.5]
LABELS = ["a", "a", "b", "c", "c", "c", "d", "e", "e"]
NO_SPREAD = Undefined("fewer than two clusters show no spread between clusters")


def test_values_are_gathered_in_the_order_of_their_labels() -> None:
    expected = Clusters(sums=(1.0, 1.0, 0.0, 0.5, 1.5), sizes=(2, 1, 3, 1, 2))
    assert cluster(VALUES, LABELS) == cluster(reversed(VALUES), reversed(LABELS)) == expected
    assert (expected.count, expected.n, expected.mean) == (5, 9, 4 / 9)


def test_as_many_labels_as_values_are_due() -> None:
    with pytest.raises(ValueError, match="shorter"):
        cluster([1.0], [])


def test_the_errors_are_those_of_the_sandwich() -> None:
    """Regression on a constant: bread 1/n, meat the outer product of the scores of each pair in one cluster."""
    values, labels = np.array(VALUES), np.array(LABELS)
    residuals = values - values.mean()
    same = labels[:, None] == labels[None, :]
    variance = (residuals[:, None] * residuals[None, :] * same).sum() / len(values) ** 2
    assert cluster_errors(cluster(VALUES, LABELS)) == ClusterErrors(
        cr0=pytest.approx(math.sqrt(variance), rel=1e-14),  # type: ignore[arg-type]
        corrected=pytest.approx(math.sqrt(variance * 5 / 4), rel=1e-14),  # type: ignore[arg-type]
    )


def test_the_interval_is_students_with_a_degree_less_than_clusters(scipy_stats: Any) -> None:
    clusters = cluster(VALUES, LABELS)
    found, errors = clustered_mean(clusters, level=0.9), cluster_errors(clusters)
    assert isinstance(errors, ClusterErrors)
    half = scipy_stats.t.ppf(0.95, 4) * errors.corrected
    assert isinstance(found, Estimate)
    assert (found.low, found.high) == pytest.approx((4 / 9 - half, 4 / 9 + half), rel=1e-12)
    assert (found.value, found.n, found.clusters, found.se) == (4 / 9, 9, 5, errors.corrected)
    assert found.method == "cluster-robust (CR0, C/(C-1)), t(4)"


def test_clusters_of_one_give_the_ordinary_interval() -> None:
    alone = clustered_mean(cluster(VALUES, map(str, range(9))))
    ordinary = student(VALUES)
    assert isinstance(alone, Estimate)
    assert isinstance(ordinary, Estimate)
    assert (alone.value, alone.low, alone.high) == pytest.approx((ordinary.value, ordinary.low, ordinary.high))


def test_the_interval_is_cut_to_its_bounds() -> None:
    found = clustered_mean(cluster([1, 1, 0, 1], ["a", "a", "b", "b"]), bounds=(0.0, 1.0))
    assert isinstance(found, Estimate)
    assert (found.low, found.high) == (0.0, 1.0)


def test_the_macro_mean_counts_each_cluster_once() -> None:
    found, means = macro_mean(cluster(VALUES, LABELS)), student([0.5, 1.0, 0.0, 0.5, 0.75])
    assert isinstance(found, Estimate)
    assert isinstance(means, Estimate)
    assert (found.value, found.low, found.high, found.se) == (means.value, means.low, means.high, means.se)
    assert (found.n, found.clusters, found.method) == (9, 5, "mean of cluster means, Student t(4)")


@pytest.mark.parametrize(
    ("values", "labels", "expected"),
    [
        pytest.param([], "", Undefined("there are no values"), id="none"),
        pytest.param([1.0, 2.0], "aa", NO_SPREAD, id="one cluster"),
        pytest.param([0.1, 0.1, 0.1, 0.1], "aaab", Undefined("the clusters do not vary"), id="equal but for rounding"),
        pytest.param([1e308, 1e308, 1.0], "aab", Undefined(TOO_LARGE), id="sum beyond a double"),
        pytest.param([10**400, 1.0], "ab", Undefined(TOO_LARGE), id="value beyond a double"),
        pytest.param([1.7e308, -1.7e308, 1.0], "abc", Undefined(TOO_LARGE), id="spread beyond a double"),
    ],
)
def test_what_is_not_defined_says_why(values: list[float], labels: str, expected: Undefined) -> None:
    clusters = cluster(values, labels)
    assert (cluster_errors(clusters), clustered_mean(clusters)) == (expected, expected)


def test_the_macro_mean_of_one_cluster_has_no_interval() -> None:
    assert macro_mean(cluster([1.0, 2.0], "aa")) == Undefined("one value shows no spread")


def test_a_difference_of_differences_is_clustered() -> None:
    first, second = [0.0, -1.0, 1.0, 0.0, -1.0], [1.0, 0.0, 1.0, -1.0, 1.0]
    labels = ["q1", "q1", "q2", "q3", "q3"]
    found = difference_of_differences(first, second, labels, level=0.8)
    assert found == clustered_mean(cluster([1, 1, 0, -1, 2], labels), level=0.8, bounds=(-2, 2))
    assert isinstance(found, Estimate)
    assert found.value == 0.6


def test_a_difference_of_differences_takes_the_same_items() -> None:
    with pytest.raises(ValueError, match="longer"):
        difference_of_differences([0.0], [0.0, 1.0], ["a"])
