"""Indices and arrays against the choices; and how a found value reads in a message."""

from __future__ import annotations

from typing import Any

import pytest

from itemproof.adapters.choices import Choices, check_indices, described
from itemproof.core.findings import Finding
from normalising import places


def test_a_list_says_how_many_choices_there_are() -> None:
    faults: list[Finding] = []
    choices = Choices(["a", "b"], "$.choices", faults)
    assert choices.known
    assert choices.index(1, "$.key") == 1
    assert choices.index(2, "$.key") is None
    assert places(faults) == [("R021", "$.key")]


@pytest.mark.parametrize("given", [None, "abc", {"text": ["a"]}, 3])
def test_anything_else_says_nothing_until_an_array_does(given: Any) -> None:
    faults: list[Finding] = []
    choices = Choices(given, "$.choices", faults)
    assert choices.known is False
    assert choices.index(99, "$.key") == 99
    choices.array([1, 2.5, None], "$.logprobs")
    assert choices.index(3, "$.key") is None
    (finding,) = faults
    assert finding.text == (
        "found index 3, but $.logprobs has 3, so 2 is the last one. It looks counted from 1: if it is, lower every "
        "index of the file by one, then import again."
    )


@pytest.mark.parametrize(
    ("found", "said"),
    [
        pytest.param(4, "found index 4, but $.choices has 2, so 1 is the last one.", id="far behind"),
        pytest.param(
            True,
            "found true, expected an index of a choice: an integer, 0 for the first, or null.",
            id="true is no index",
        ),
    ],
)
def test_a_fault_says_what_was_due(found: Any, said: str) -> None:
    faults: list[Finding] = []
    assert Choices(["a", "b"], "$.choices", faults).index(found, "$.key") is None
    assert [finding.text for finding in faults] == [said]


def test_an_index_into_no_choices_says_so() -> None:
    faults: list[Finding] = []
    Choices([], "$.choices", faults).index(0, "$.key")
    assert [finding.text for finding in faults] == [
        "found index 0, but $.choices is empty; remove the index or supply the choices."
    ]


def test_an_array_of_another_length_is_told_with_the_count_that_was_due() -> None:
    faults: list[Finding] = []
    Choices(["a", "b"], "$.choices", faults).array([1], "$.logprobs")
    (finding,) = faults
    assert (finding.code.id, finding.where.path) == ("R023", "$.logprobs")
    assert finding.text == "found a list of 1, but $.choices has 2; each choice needs an entry."


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        pytest.param({"index": 9}, [("R021", "$.target.index")], id="an index"),
        pytest.param({"index": 0, "index_norm": 1, "index_pmi": -1}, [("R020", "$.target.index_pmi")], id="all three"),
        pytest.param({"index": 9, "text": "i"}, [], id="an object with more in it"),
        pytest.param({}, [], id="an empty object"),
        pytest.param(9, [], id="a number"),
        pytest.param(None, [], id="null"),
    ],
)
def test_only_an_object_of_indices_is_taken_for_one(found: Any, expected: list[tuple[str, str]]) -> None:
    faults: list[Finding] = []
    check_indices(found, "$.target", Choices(["a", "b"], "$.choices", faults))
    assert places(faults) == expected


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (None, "null"),
        (True, "true"),
        (False, "false"),
        (0, "the number 0"),
        (1, "the number 1"),
        (1.0, "the number 1.0"),
        ("", "''"),
        ("x" * 40, f"'{'x' * 40}'"),
        ("x" * 41, f"'{'x' * 40}…'"),
        ([], "a list"),
        ({}, "an object"),
    ],
)
def test_a_found_value_is_described(value: Any, said: str) -> None:
    assert described(value) == said
