"""Several answers to one item."""

from __future__ import annotations

from itertools import combinations

import pytest

from itemproof.stats.estimate import Undefined
from itemproof.stats.repeats import Repeats, majority, pass_at_k, pass_hat_k, repeats

NOTHING = Undefined("no outcome is known")


@pytest.mark.parametrize(("n", "correct", "k"), [(10, 3, 1), (10, 3, 5), (5, 4, 2), (5, 5, 5), (5, 0, 3), (8, 6, 4)])
def test_pass_rates_are_the_share_of_all_choices(n: int, correct: int, k: int) -> None:
    choices = list(combinations([True] * correct + [False] * (n - correct), k))
    assert pass_at_k(n, correct, k) == sum(map(any, choices)) / len(choices)
    assert pass_hat_k(n, correct, k) == sum(map(all, choices)) / len(choices)


@pytest.mark.parametrize("rate", [pass_at_k, pass_hat_k])
def test_too_few_answers_show_no_pass_rate(rate: object) -> None:
    assert callable(rate)
    assert rate(3, 3, 5) == Undefined("3 known answers cannot show what 5 would do")


@pytest.mark.parametrize("rate", [pass_at_k, pass_hat_k])
@pytest.mark.parametrize(("n", "correct", "k"), [(3, 4, 1), (3, -1, 1), (3, 1, 0)])
def test_impossible_counts_are_refused(rate: object, n: int, correct: int, k: int) -> None:
    assert callable(rate)
    with pytest.raises(ValueError, match="is not possible"):
        rate(n, correct, k)


def test_the_measures_of_an_item_leave_the_unknown_out() -> None:
    assert repeats([True, True, None, False, None]) == Repeats(
        n=3,
        correct=2,
        non_majority_share=1 / 3,
        pairwise_disagreement=2 / 3,
        transitions=1,
        all_agree=False,
        all_correct=False,
        any_correct=True,
    )


def test_one_outcome_agrees_with_itself_and_makes_no_pair() -> None:
    assert repeats([False]) == Repeats(
        n=1,
        correct=0,
        non_majority_share=0.0,
        pairwise_disagreement=Undefined("one outcome makes no pair"),
        transitions=0,
        all_agree=True,
        all_correct=False,
        any_correct=False,
    )


@pytest.mark.parametrize("outcomes", [[], [None, None]], ids=["none", "unknown"])
def test_an_item_without_known_outcomes_has_no_measures(outcomes: list[bool | None]) -> None:
    assert (repeats(outcomes), majority(outcomes)) == (NOTHING, NOTHING)


@pytest.mark.parametrize(
    ("outcomes", "expected"),
    [
        pytest.param([True, False, True], True, id="correct"),
        pytest.param([False, None, None], False, id="wrong"),
        pytest.param([True, False], Undefined("as many outcomes are correct as wrong"), id="tie"),
    ],
)
def test_the_majority_is_more_than_half_of_the_known(outcomes: list[bool | None], expected: bool | Undefined) -> None:
    assert majority(outcomes) == expected
