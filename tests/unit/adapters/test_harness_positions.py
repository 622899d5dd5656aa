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


@pytest.mark.parametrize("doc_id", [None, 1.0, True, [], {}, "5", -1, 2**70])
def test_what_is_no_position_is_passed_over(doc_id: Any) -> None:
    assert refused(seen((doc_id, "a"), (doc_id, "a"))) == []
