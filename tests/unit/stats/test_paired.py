"""The paired table: counts, difference, Newcombe's interval, standard errors."""

from __future__ import annotations

import math
import statistics
from typing import Any

import pytest

from itemproof.stats.estimate import Estimate, Undefined
from itemproof.stats.intervals import wilson
from itemproof.stats.paired import PairedTable, flip_rate, newcombe, paired_se, wald_se


def table(a: int, b: int, c: int, d: int) -> PairedTable:
    return PairedTable(both_correct=a, correct_to_wrong=b, wrong_to_correct=c, both_wrong=d)


def test_a_table_counts_its_margins() -> None:
    found = table(130, 28, 12, 30)
    assert (found.n, found.changed, found.net, found.left_correct, found.right_correct) == (200, 40, -16, 158, 142)
    assert found.delta == -0.08


def test_an_empty_table_has_no_difference() -> None:
    empty, reason = table(0, 0, 0, 0), Undefined("there are no pairs")
    assert (empty.delta, newcombe(empty), wald_se(empty)) == (reason, reason, reason)
    assert paired_se(empty) == Undefined("fewer than two pairs show no spread")
    assert flip_rate(empty) == Undefined("there are no items")


@pytest.mark.parametrize(
    ("counts", "error"), [((-1, 0, 0, 1), ValueError), ((1, 0, 0.5, 1), TypeError)], ids=["negative", "fraction"]
)
def test_what_is_no_count_is_refused(counts: Any, error: type[Exception]) -> None:
    with pytest.raises(error):
        table(*counts)


@pytest.mark.parametrize(
    ("counts", "low", "high"),
    [
        pytest.param((36, 2, 12, 0), 0.0569, 0.3404, id="Newcombe 1998, negative correlation"),
        pytest.param((54, 2, 12, 32), 0.0265, 0.1714, id="positive correlation, reduced for continuity"),
        pytest.param((40, 0, 0, 0), -0.0876, 0.0876, id="no change still has a width"),
        pytest.param((0, 5, 5, 0), -0.5268, 0.5268, id="all change"),
        pytest.param((0, 10, 0, 0), -1.0, -0.6075, id="all change one way"),
    ],
)
def test_newcombe_gives_the_known_interval(counts: tuple[int, int, int, int], low: float, high: float) -> None:
    found = newcombe(table(*counts))
    assert isinstance(found, Estimate)
    assert (found.low, found.high) == pytest.approx((low, high), abs=5e-5)
    assert (found.n, found.method) == (sum(counts), "Newcombe 10 (paired)")


@pytest.mark.parametrize("counts", [(1, 0, 0, 0), (0, 0, 0, 1), (1, 0, 0, 1), (500_000, 0, 0, 500_000)], ids=str)
def test_newcombe_has_a_width_where_nothing_changed(counts: tuple[int, int, int, int]) -> None:
    found = newcombe(table(*counts))
    assert isinstance(found, Estimate)
    assert found.low < 0 < found.high
    assert found.low == -found.high


@pytest.mark.parametrize("counts", [(130, 28, 12, 30), (1, 7, 1, 12), (0, 5, 5, 0), (3, 1, 0, 0)], ids=str)
def test_standard_errors_are_those_of_the_list_of_differences(counts: tuple[int, int, int, int]) -> None:
    a, b, c, d = counts
    differences = [0] * a + [-1] * b + [1] * c + [0] * d
    root_n = math.sqrt(len(differences))
    assert paired_se(table(*counts)) == pytest.approx(statistics.stdev(differences) / root_n, rel=1e-14)
    assert wald_se(table(*counts)) == pytest.approx(statistics.pstdev(differences) / root_n, rel=1e-14)


@pytest.mark.parametrize(
    ("counts", "reason"),
    [
        pytest.param((3, 0, 0, 4), "no item changed, so the spread is unknown, not zero", id="none"),
        pytest.param((0, 0, 5, 0), "every item changed in the same way, so the spread is unknown, not zero", id="all"),
    ],
)
def test_a_standard_error_is_never_zero(counts: tuple[int, int, int, int], reason: str) -> None:
    assert (paired_se(table(*counts)), wald_se(table(*counts))) == (Undefined(reason), Undefined(reason))


def test_a_flip_rate_is_the_share_of_changed_pairs() -> None:
    assert flip_rate(table(130, 28, 12, 30), level=0.9) == wilson(40, 200, level=0.9)
