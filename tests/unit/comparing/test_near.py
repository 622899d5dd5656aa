"""Identities that nearly match are named, and stay unpaired."""

from __future__ import annotations

import pytest

from comparing_tables import paired
from itemproof.comparing.near import near_misses


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("Q1", "q1"),
        ("q 1", "q1"),
        ("q1 ", "q1"),
        ("007", "7"),
        ("item-01", "item-1"),
        ("\u00e9", "e\u0301"),
        ("\uff11", "1"),
    ],
    ids=ascii,
)
def test_a_near_miss_is_told_with_both_names(left: str, right: str) -> None:
    joined = paired({left: True}, {right: True})
    (text,) = near_misses(joined)
    assert text.startswith("1 identities would match")
    assert repr(left) in text
    assert repr(right) in text
    assert joined.matched == 0


@pytest.mark.parametrize(("left", "right"), [("q1", "q2"), ("q10", "q1"), ("0", ""), ("q1", "q1")])
def test_other_names_are_no_near_miss(left: str, right: str) -> None:
    assert near_misses(paired({left: True}, {right or "x": True})) == []


def test_a_name_that_has_its_pair_is_no_near_miss() -> None:
    assert near_misses(paired({"q1": True, "Q1": True}, {"q1": True, "Q1": True})) == []


def test_three_examples_are_enough() -> None:
    (text,) = near_misses(paired({f"Q{at}": True for at in range(9)}, {f"q{at}": True for at in range(9)}))
    assert text.startswith("9 identities")
    assert text.count(" and ") == 3
