"""A position is refused the second time under one key of what else tells records apart."""

from __future__ import annotations

from typing import Any

import pytest

from itemproof.adapters.base import Tally
from itemproof.adapters.harness_positions import refuse_doubles, see_position


def seen(*positions: tuple[Any, str]) -> Tally:
    tally = Tally()
    for line, (doc_id, beside) in enumerate(positions, start=1):
        see_position(tally, doc_id, beside, line)
    return tally


def refused(tally: Tally) -> list[tuple[str, int | None, str | None]]:
    return [(one.code.id, one.where.line, one.where.path) for one in refuse_doubles(tally, ())]


@pytest.mark.parametrize("doc_id", [0, 7, 65536, 10**12])
def test_a_position_is_refused_the_second_time(doc_id: int) -> None:
    tally = seen((doc_id, "a"), (doc_id, "b"), (doc_id, "a"))
    assert refused(tally) == [("H004", 3, "$.doc_id")]
    assert f"doc_id {doc_id} was there before, in line 1" in refuse_doubles(tally, ()).kept[0].text


def test_every_later_line_is_refused_in_line_order() -> None:
    assert refused(seen((1, "a"), (0, "a"), (0, "a"), (1, "a"), (0, "a"))) == [
        ("H004", 3, "$.doc_id"),
        ("H004", 4, "$.doc_id"),
        ("H004", 5, "$.doc_id"),
    ]


def test_stretches_that_were_read_side_by_side_are_one_file() -> None:
    tally = Tally()
    first, second = Tally(), Tally()
    see_position(first, 4, "a", 1)
    see_position(second, 4, "a", 900)
    tally.add(first)
    tally.add(second)
    assert refused(tally) == [("H004", 900, "$.doc_id")]


def test_the_refusal_names_the_filters_of_the_results_file() -> None:
    findings = refuse_doubles(seen((0, "a"), (0, "a")), ["strict-match", "flexible-extract"])
    assert findings.kept[0].text.endswith(
        "--filter NAME; the results file names them strict-match, flexible-extract, in this order."
    )


def test_different_positions_do_not_disturb_each_other() -> None:
    numbers = [*range(300), *range(65500, 65600), 2**40, 2**40 + 1]
    assert refused(seen(*((number, "a") for number in numbers))) == []


@pytest.mark.parametrize(
    ("doc_id", "named"),
    [
        pytest.param(0.0, "0", id="a whole number with a fraction's spelling"),
        pytest.param("0", "0", id="a decimal text"),
        pytest.param("q-7", "q-7", id="a text"),
        pytest.param("", "", id="an empty text"),
        pytest.param("07", "07", id="a padded text"),
        pytest.param("²", "²", id="a digit that is no decimal"),
        pytest.param(0.5, "0.5", id="a fraction"),
        pytest.param(-1, "-1", id="a negative number"),
        pytest.param(2**70, str(2**70), id="a number beyond 64 bits"),
        pytest.param(True, "true", id="a truth value"),
        pytest.param([1, "a"], '[1, "a"]', id="a list"),
        pytest.param({"b": 1, "a": 2}, '{"a": 2, "b": 1}', id="an object"),
    ],
)
def test_a_position_of_any_kind_is_refused_the_second_time(doc_id: Any, named: str) -> None:
    tally = seen((doc_id, "a"), (doc_id, "b"), (doc_id, "a"))
    assert refused(tally) == [("H004", 3, "$.doc_id")]
    assert f"doc_id {named} was there before, in line 1" in refuse_doubles(tally, ()).kept[0].text


@pytest.mark.parametrize("number", [0, 7, 10**18 - 1, 10**18, 2**62, 2**70])
def test_a_number_and_its_text_are_one_position(number: int) -> None:
    assert refused(seen((number, "a"), (str(number), "a"))) == [("H004", 2, "$.doc_id")]


def test_odd_positions_of_stretches_that_were_read_side_by_side_are_one_file() -> None:
    tally = Tally()
    first, second = Tally(), Tally()
    see_position(first, "x", "a", 900)
    see_position(second, "x", "a", 4)
    tally.add(first)
    tally.add(second)
    assert refused(tally) == [("H004", 900, "$.doc_id")]


def test_different_odd_positions_do_not_disturb_each_other() -> None:
    different: list[Any] = ["x", "X", -1, 0.5, 1, "01", [1], {}, False]
    assert refused(seen(*((doc_id, "a") for doc_id in different))) == []


def test_a_long_position_is_shown_in_part() -> None:
    text = refuse_doubles(seen(("x" * 500, "a"), ("x" * 500, "a")), ()).kept[0].text
    assert f"doc_id {'x' * 80} was" in text


def test_no_position_is_passed_over() -> None:
    assert refused(seen((None, "a"), (None, "a"))) == []
