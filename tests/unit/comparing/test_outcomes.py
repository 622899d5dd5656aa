"""Every item has one outcome, and unknown is never wrong."""

from __future__ import annotations

from typing import Any

import pytest

from comparing_tables import a_line, paired, table_of
from itemproof.comparing.outcomes import Judge, counts_of, paired_table, summed, texts_of, together
from itemproof.comparing.pairing import pair
from itemproof.comparing.table import Headline
from itemproof.records.comparison import Texts
from itemproof.stats.paired import PairedTable

HEADLINE = Headline("b", None, None, "none")


@pytest.mark.parametrize(
    ("left", "right", "outcome"),
    [
        (True, True, "both_correct"),
        (False, False, "both_wrong"),
        (True, False, "correct_to_wrong"),
        (False, True, "wrong_to_correct"),
        (None, True, "unscored"),
        (False, None, "unscored"),
        (None, None, "unscored"),
    ],
)
def test_the_outcome_of_a_pair(left: bool | None, right: bool | None, outcome: str) -> None:
    joined = paired({"q": left}, {"q": right})
    assert Judge(joined, None).outcome(HEADLINE, 0, 0) == outcome
    by_metric = paired({"q": left}, {"q": right}, metric="m")
    judge = Judge(by_metric, "m")
    assert judge.outcome(HEADLINE, 0, 0) == outcome
    assert (judge.compared(HEADLINE, 0, right=False), judge.compared(HEADLINE, 0, right=True)) == (left, right)


def test_an_item_of_one_side_says_so() -> None:
    judge = Judge(paired({"a": True}, {"b": True}), None)
    assert (judge.outcome(HEADLINE, 0, None), judge.outcome(HEADLINE, None, 0)) == ("left_only", "right_only")
    assert judge.compared(HEADLINE, None, right=False) is None


@pytest.mark.parametrize(
    ("left", "right", "outcome", "where_lower_is_better"),
    [
        (0.5, 0.75, "better", "worse"),
        (0.75, 0.5, "worse", "better"),
        (2, 2.0, "equal", "equal"),
        (None, 1, "unscored", "unscored"),
    ],
)
def test_the_outcome_of_numbers(left: Any, right: Any, outcome: str, where_lower_is_better: str) -> None:
    joined = paired({"q": left, "other": 0.1}, {"q": right, "other": 0.1}, metric="m")
    assert Judge(joined, "m").is_numeric(HEADLINE)
    assert Judge(joined, "m").outcome(HEADLINE, 0, 0) == outcome
    assert Judge(joined, "m", frozenset({"b"})).outcome(HEADLINE, 0, 0) == where_lower_is_better


def test_a_metric_that_is_a_number_on_one_side_is_one_on_both() -> None:
    judge = Judge(paired({"q": True}, {"q": 0.5}, metric="m"), "m")
    assert judge.is_numeric(HEADLINE)


def test_counts_add_up() -> None:
    left = {"a": True, "b": True, "c": False, "d": False, "e": None, "f": True}
    right = {"a": True, "b": False, "c": True, "d": False, "e": True, "g": True, "h": None}
    joined = paired(left, right)
    verdicts = Judge(joined, None).verdicts(joined.groups[HEADLINE])
    table = paired_table(verdicts)
    assert table == PairedTable(both_correct=1, correct_to_wrong=1, wrong_to_correct=1, both_wrong=1)
    counts = counts_of(joined, HEADLINE, table.n, table)
    assert (counts.matched, counts.left_only, counts.right_only, counts.unscored) == (5, 1, 2, 1)
    assert (counts.left_records, counts.right_records) == (6, 7)
    assert summed([counts, counts], has_verdicts=True).matched == 10
    assert summed([counts], has_verdicts=False).both_correct is None
    assert together([table, table]).n == 8


def test_run_local_records_stand_in_the_counts_of_records() -> None:
    side = table_of([a_line("a"), a_line("x", identity_scope="run-local")])
    counts = counts_of(pair(side, side), HEADLINE, 1, None)
    assert (counts.left_records, counts.left_run_local, counts.right_run_local, counts.matched) == (2, 1, 1, 1)
    assert counts.both_correct is None


def test_texts_are_identical_different_or_unknown() -> None:
    left = [a_line("a", input={"document": 1}), a_line("b", input={"document": 1}), a_line("c")]
    right = [a_line("a", input={"document": 1}), a_line("b", input={"document": 2}), a_line("c", input={"document": 1})]
    joined = pair(table_of(left), table_of(right))
    assert texts_of(joined, joined.groups[HEADLINE], "documents") == Texts(identical=1, different=1, unknown=1)
