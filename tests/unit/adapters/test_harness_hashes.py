"""Digests are made again as the harness made them, from what stands on the line."""

from __future__ import annotations

from typing import Any

import pytest

from harness_lines import choice_line, digest, gen_args, hashed, text_line
from itemproof.adapters.harness_hashes import HarnessHashes
from itemproof.adapters.harness_requests import arguments_of


def checked(line: dict[str, Any], hashes: HarnessHashes | None = None) -> tuple[str | None, str | None, str]:
    given = line.get("arguments")
    return (hashes or HarnessHashes()).check(line, None if given is None else arguments_of(given))


def joined(line: dict[str, Any]) -> str:
    return str(line["doc_hash"] + line["prompt_hash"] + line["target_hash"])


@pytest.mark.parametrize(
    "changes",
    [
        pytest.param({}, id="plain"),
        pytest.param({"doc": {"q": 'für 数 \u2028 \u0000 \x1f \x7f \\ " /'}}, id="every_kind_of_text"),
        pytest.param({"doc": {"x": 1e16, "y": 1e-05, "z": -0.0, "w": 1.5}}, id="floats_that_are_written_in_two_ways"),
        pytest.param({"doc": {"big": 10**30}}, id="an_integer_beyond_64_bits"),
        pytest.param({"doc": {"l": [], "o": {}, "n": None, "b": [True, False], "d": [[{"a": [1]}]]}}, id="nested"),
        pytest.param({"doc": "a whole text"}, id="a_document_that_is_a_text"),
        pytest.param({"target": 1}, id="an_integer_target"),
        pytest.param({"target": None}, id="no_target"),
        pytest.param({"target": [0, "a'b", None, True]}, id="a_list_target"),
        pytest.param({"target": "x" * 500}, id="a_long_target"),
        pytest.param({"arguments": gen_args((['[{"role": "user"}]'], {"until": []}))}, id="chat"),
        pytest.param({"arguments": gen_args(("", " a"))}, id="an_empty_prompt"),
        pytest.param({"arguments": [["prompt", {"until": []}]]}, id="lists"),
    ],
)
def test_the_digests_of_an_untouched_line_agree(changes: dict[str, Any]) -> None:
    line = text_line(**changes)
    assert checked(line) == (joined(line), line["doc_hash"], "")


@pytest.mark.parametrize(
    ("edit", "wrong"),
    [
        pytest.param({"doc": {"question": "0 + 2?"}}, "doc_hash", id="document"),
        pytest.param({"arguments": gen_args(("other", {}))}, "prompt_hash", id="prompt"),
        pytest.param({"target": "2"}, "target_hash", id="target"),
        pytest.param({"doc": {}, "target": ""}, "doc_hash, target_hash", id="two"),
        pytest.param({"doc_hash": 5}, "doc_hash", id="a_number_for_a_digest"),
    ],
)
def test_an_edit_is_named_and_the_joined_digests_are_of_what_stands_there(edit: dict[str, Any], wrong: str) -> None:
    line = text_line() | edit
    again = hashed(text_line() | edit)
    assert checked(line) == (joined(again), None if "doc_hash" in wrong else line["doc_hash"], wrong)


def test_responses_and_metrics_are_not_covered() -> None:
    line = choice_line() | {"resps": [], "filtered_resps": [], "acc": 0.0}
    assert checked(line)[2] == ""


def test_a_line_without_digests_has_none() -> None:
    line = {"doc": {}, "target": ""}
    assert checked(line) == (None, None, "")
    assert checked(line | {"doc_hash": None, "prompt_hash": None, "target_hash": None}) == (None, None, "")


def test_one_digest_alone_is_checked_and_joins_nothing() -> None:
    line = text_line()
    alone = {key: value for key, value in line.items() if key not in {"prompt_hash", "target_hash"}}
    assert checked(alone) == (None, line["doc_hash"], "")
    assert checked(alone | {"doc_hash": "0" * 64}) == (None, None, "doc_hash")


def test_the_digest_of_a_document_with_a_picture_is_taken_as_given_and_verifies_nothing() -> None:
    line = text_line(arguments=gen_args(("p", {}, {"visual": ["x"]}))) | {"doc_hash": "a" * 64}
    assert checked(line) == (joined(line), None, "")


def test_a_digest_of_another_type_that_cannot_be_checked_joins_nothing() -> None:
    line = text_line(arguments=gen_args(("p", {}, {"visual": ["x"]}))) | {"doc_hash": 5}
    assert checked(line) == (None, None, "")


def test_the_prompt_digest_is_taken_as_given_where_the_line_has_no_prompt() -> None:
    line = text_line()
    for arguments in ({}, gen_args((["two", "texts"], {})), gen_args((1, {}))):
        assert checked(line | {"arguments": arguments}) == (joined(line), line["doc_hash"], "")
    assert checked({key: value for key, value in line.items() if key != "arguments"})[2] == ""


def test_what_is_remembered_from_line_to_line_changes_no_digest() -> None:
    hashes = HarnessHashes()
    first, second = text_line(0), text_line(1)
    for line in (first, second, first, first | {"target": "2"}, second):
        assert checked(line, hashes) == checked(line)


def test_more_targets_than_are_remembered_are_all_right() -> None:
    hashes = HarnessHashes()
    for number in range(5000):
        line = {"doc": {}, "target": str(number), "target_hash": digest(str(number))}
        assert checked(line, hashes)[2] == ""


def moved(line: dict[str, Any], first: str, second: str, count: int) -> dict[str, Any]:
    """The line with the last characters of one digest put before the next one: joined, they are the same text."""
    at = len(line[first]) - count
    return line | {first: line[first][:at], second: line[first][at:] + line[second]}


@pytest.mark.parametrize("count", [1, 60, 64])
@pytest.mark.parametrize(
    ("first", "second", "id_stands"),
    [("doc_hash", "prompt_hash", False), ("prompt_hash", "target_hash", True)],
)
def test_digests_that_are_cut_elsewhere_are_edited(first: str, second: str, count: int, *, id_stands: bool) -> None:
    line = text_line()
    edited = moved(line, first, second, count)
    assert joined(edited) == joined(line)
    assert checked(edited) == (joined(line), line["doc_hash"] if id_stands else None, f"{first}, {second}")
