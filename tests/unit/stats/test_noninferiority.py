"""Non-inferiority: shown, not shown, and never by Wald's certainty."""

from __future__ import annotations

import pytest

from itemproof.stats.estimate import Estimate, Undefined
from itemproof.stats.noninferiority import NonInferiority, non_inferiority
from itemproof.stats.paired import PairedTable, newcombe


def table(a: int, b: int, c: int, d: int) -> PairedTable:
    return PairedTable(both_correct=a, correct_to_wrong=b, wrong_to_correct=c, both_wrong=d)


@pytest.mark.parametrize(
    ("counts", "margin", "shown", "p"),
    [
        pytest.param((900, 40, 35, 25), 0.02, True, 0.0449, id="just shown"),
        pytest.param((130, 28, 12, 30), 0.05, False, 0.834, id="worse"),
        pytest.param((40, 0, 0, 0), 0.05, False, 0.0734, id="nothing changed, too few to know"),
    ],
)
def test_the_answer_is_that_of_the_lower_limit(
    counts: tuple[int, int, int, int], margin: float, shown: bool, p: float
) -> None:
    found = non_inferiority(table(*counts), margin)
    two_sided = newcombe(table(*counts), level=0.9)
    assert isinstance(two_sided, Estimate)
    assert isinstance(found, NonInferiority)
    assert (found.shown, found.delta) == (shown, two_sided.value)
    assert found.low == pytest.approx(two_sided.low, rel=1e-12)
    assert (found.margin, found.level, found.n) == (margin, 0.95, sum(counts))
    assert found.p == pytest.approx(p, abs=5e-4)


@pytest.mark.parametrize("margin", [0.0, 1.0, -0.02, 2.0])
def test_a_margin_that_is_no_share_is_refused(margin: float) -> None:
    with pytest.raises(ValueError, match="a margin lies between 0 and 1"):
        non_inferiority(table(1, 1, 1, 1), margin)


@pytest.mark.parametrize("level", [0.5, 1.0, 95.0])
def test_a_level_that_is_not_one_sided_is_refused(level: float) -> None:
    with pytest.raises(ValueError, match=r"a one-sided level lies between 0\.5 and 1"):
        non_inferiority(table(1, 1, 1, 1), 0.02, level=level)


def test_no_pairs_show_nothing() -> None:
    assert non_inferiority(table(0, 0, 0, 0), 0.02) == Undefined("there are no pairs")
