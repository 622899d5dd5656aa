"""A side's table keeps what is compared of each record, and counts what is not."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from comparing_tables import a_line, questions, table_of
from itemproof.comparing.selection import Selection
from itemproof.comparing.table import UNKNOWN, Context, Headline, SideReader, order


def test_a_record_is_found_under_its_whole_identity() -> None:
    table = table_of([a_line("q1", repeat_id="a"), a_line("q1", language="en", filter="strict")])
    assert dict(table.contexts) == {
        Context("b", None, None, "none", "a"): {"q1": 0},
        Context("b", "en", None, "strict", 0): {"q1": 1},
    }


def test_true_false_and_unknown_are_three_verdicts() -> None:
    table = table_of([a_line("a", correct=True), a_line("b", correct=False), a_line("c", correct=None)])
    assert list(table.verdicts) == [1, 0, UNKNOWN]


def test_run_local_records_are_counted_and_not_kept() -> None:
    table = table_of([a_line("x", identity_scope="run-local", language="en"), a_line("q1")])
    assert table.run_local == {Headline("b", "en", None, "none"): 1}
    assert questions(table) == ["q1"]
    assert table.headlines == {Headline("b", "en", None, "none"), Headline("b", None, None, "none")}


def test_each_line_is_found_again_in_its_file() -> None:
    lines = [a_line("long" * 9), a_line("q2"), a_line("q3")]
    reader = SideReader(Selection(), None)
    for file in (lines[:2], lines[2:]):
        reader.next_file()
        for line in file:
            reader.see(line)
    table = reader.tables["original"]
    assert list(zip(table.files, table.offsets, strict=True)) == [(0, 0), (0, len(lines[0])), (1, 0)]


def test_wordings_are_told_apart_and_all_are_counted() -> None:
    reader = SideReader(Selection(), frozenset({"original"}))
    reader.next_file()
    for line in (a_line("q1"), a_line("q1", variant_id="new"), a_line("q2", variant_id="new")):
        reader.see(line)
    assert set(reader.tables) == {"original"}
    assert reader.variants == {"original": 1, "new": 2}


@pytest.mark.parametrize(
    ("selection", "taken"),
    [
        pytest.param(Selection(benchmark="b"), {"q1", "q3"}, id="benchmark"),
        pytest.param(Selection(language="en"), {"q1", "q2"}, id="language"),
        pytest.param(Selection(filter="strict"), {"q3"}, id="filter"),
        pytest.param(Selection(benchmark="b", language="en"), {"q1"}, id="both"),
    ],
)
def test_only_what_is_selected_takes_part(selection: Selection, taken: set[str]) -> None:
    lines = [
        a_line("q1", language="en"),
        a_line("q2", language="en", benchmark="c"),
        a_line("q3", filter="strict"),
    ]
    assert set(questions(table_of(lines, selection))) == taken


def test_a_repeated_identity_keeps_both_rows() -> None:
    table = table_of([a_line("q1"), a_line("q2"), a_line("q1", correct=False)])
    assert table.twice == [(Context("b", None, None, "none", 0), "q1", 0, 2)]


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        pytest.param({"document": {"a": 1}}, {"document": {"a": 1}, "prompt": "p"}, True, id="the same document"),
        pytest.param({"document": {"a": 1}}, {"document": {"a": 2}}, False, id="another document"),
        pytest.param({"question": "q"}, {"question": "q"}, True, id="the same question"),
        pytest.param({"choices": ["a", "b"]}, {"choices": ["b", "a"]}, False, id="the order of choices"),
    ],
)
def test_documents_are_told_by_their_bytes(one: dict[str, Any], other: dict[str, Any], *, same: bool) -> None:
    table = table_of([a_line("a", input=one), a_line("b", input=other)])
    assert (table.documents[0] == table.documents[1]) is same


def test_no_text_is_no_digest() -> None:
    table = table_of([a_line("a", input={})])
    assert (list(table.documents), list(table.prompts)) == ([0], [0])


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        pytest.param([["p", {"until": ["a"]}]], [["p", {"until": ["b"]}]], True, id="settings are no prompt"),
        pytest.param([["p", " x"]], [["p", " y"]], False, id="a choice is part of it"),
        pytest.param([["p", "q"]], [["p"], ["q"]], False, id="requests are told apart"),
        pytest.param("odd", "odd", True, id="another shape"),
        pytest.param("odd", "even", False, id="another shape that differs"),
    ],
)
def test_prompts_are_what_was_asked(one: Any, other: Any, *, same: bool) -> None:
    table = table_of([a_line("a", input={"arguments": one}), a_line("b", input={"arguments": other})])
    assert (table.prompts[0] == table.prompts[1]) is same


@pytest.mark.parametrize(
    ("values", "numbers", "is_binary"),
    [
        pytest.param([True, False, 1, 0, 1.0], ["1.0", "0.0", "1.0", "0.0", "1.0"], True, id="binary"),
        pytest.param([1, 0.5], ["1.0", "0.5"], False, id="a fraction"),
        pytest.param([1, None], ["1.0", "nan"], True, id="null is absent"),
        pytest.param([1, "1"], ["1.0", "nan"], False, id="a text is no number"),
        pytest.param([1, [1]], ["1.0", "nan"], False, id="a list is no number"),
        pytest.param([1, 10**400], ["1.0", "nan"], False, id="beyond a double"),
    ],
)
def test_a_metric_is_a_number_or_unknown(values: list[Any], numbers: list[str], *, is_binary: bool) -> None:
    lines = [a_line(f"q{at}", metrics={"m": value}) for at, value in enumerate(values)]
    table = table_of([*lines, a_line("without")], Selection(metric="m"))
    assert list(map(str, table.values)) == [*numbers, "nan"]
    assert (not table.not_binary, table.has_metric) == (is_binary, True)


def test_a_metric_may_have_any_name() -> None:
    lines = [a_line("q", metrics={'exact match,"x"\u2028': 1})]
    assert list(table_of(lines, Selection(metric='exact match,"x"\u2028')).values) == [1.0]


def test_a_line_that_is_no_record_is_an_error_of_msgspec() -> None:
    reader = SideReader(Selection(), None)
    reader.next_file()
    with pytest.raises(msgspec.MsgspecError):
        reader.see(b"{}\n")


def test_null_comes_before_numbers_and_numbers_before_texts() -> None:
    keys: list[tuple[int | str | None, ...]] = [("b",), (2,), (None,), (10,), ("a",)]
    assert sorted(keys, key=order) == [(None,), (2,), (10,), ("a",), ("b",)]
