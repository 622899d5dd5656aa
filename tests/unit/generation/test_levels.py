"""Levels: their order, and how far a result reaches."""

from __future__ import annotations

from typing import Any

import pytest

from itemproof.generation.levels import in_order, maturity


@pytest.mark.parametrize(
    ("levels", "ordered"),
    [
        pytest.param(["L10", "L2", "L1", "L2"], ["L1", "L2", "L10"], id="by number, each once"),
        pytest.param(["beta", "L3", "X"], ["L3", "X", "beta"], id="other labels behind, by text"),
        pytest.param(["L10001", "X", "L10000"], ["L10000", "X", "L10001"], id="other labels stand at 10,000"),
        pytest.param(["L²", "L1"], ["L1", "L²"], id="only ASCII digits are a number"),
        pytest.param(["L" + "9" * 5000, "L2"], ["L2", "L" + "9" * 5000], id="more digits than a number may have"),
        pytest.param(["L007", "L3"], ["L3", "L007"], id="leading zeros"),
    ],
)
def test_levels_stand_in_order(levels: list[str], ordered: list[str]) -> None:
    assert in_order(levels) == ordered


def _facts(**passed: bool) -> dict[str, Any]:
    found = maturity(passed, ["L1", "L2", "L3", "L4"])
    names = ("passed_levels", "contiguous_passed_levels", "highest_contiguous_level", "blocked_level")
    return {name: found[name] for name in (*names, "next_unevaluated_level", "evaluation_complete")}


def test_a_level_that_fails_blocks_those_behind_it() -> None:
    assert _facts(L1=True, L2=False, L3=True) == {
        "passed_levels": ["L1", "L3"],
        "contiguous_passed_levels": ["L1"],
        "highest_contiguous_level": "L1",
        "blocked_level": "L2",
        "next_unevaluated_level": "L4",
        "evaluation_complete": False,
    }


def test_a_level_without_cases_does_not_stop_the_walk() -> None:
    found = _facts(L1=True, L3=True)

    assert (found["highest_contiguous_level"], found["next_unevaluated_level"]) == ("L3", "L2")


def test_nothing_that_passes_is_level_zero() -> None:
    assert _facts(L1=False)["highest_contiguous_level"] == "L0"


def test_a_level_that_is_not_defined_is_evaluated_all_the_same() -> None:
    found = maturity({"X": True}, [])

    assert found["defined_levels"] == ["X"]
    assert found["maturity_claim_scope"] == "defined_levels_complete"
    assert found["highest_contiguous_evaluated_level"] == "X"
