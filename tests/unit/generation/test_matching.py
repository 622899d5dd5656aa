"""Responses meet cases by id alone: twice is a fault, unknown is said, and a million cost no memory."""

from __future__ import annotations

import json
import random
import tracemalloc
from pathlib import Path

import pytest

from itemproof.core.errors import InvalidInput
from itemproof.generation.fixture import Case, Fixture
from itemproof.generation.matching import Matching
from itemproof.generation.responses import ResponseFile
from unit.generation.records import Scoring, a_response, lines

GOOD = (a_response("A", "Equal[1, 1]"), a_response("B", "AllNodes[]"))


def test_no_order_of_the_responses_changes_the_result(scoring: Scoring) -> None:
    due = scoring(lines(*GOOD)).result

    for seed in range(5):
        records = list(GOOD)
        random.Random(seed).shuffle(records)
        assert scoring(lines(*records)).result == due


def test_a_second_response_is_a_fault_even_if_it_is_the_same(scoring: Scoring) -> None:
    with pytest.raises(InvalidInput) as refused:
        scoring(lines(GOOD[0], GOOD[1], GOOD[0]))

    (found,) = refused.value.findings.kept
    assert (found.code.id, found.where.line) == ("G018", 3)
    assert found.text == "'A' is answered already (line 1); keep the one answer that is to be scored."


def test_a_second_response_in_a_list_names_the_first_by_line(scoring: Scoring) -> None:
    with pytest.raises(InvalidInput, match=r"\$\[1\]\.case_id  G018  'A' is answered already \(line 1\)"):
        scoring(json.dumps([GOOD[0], GOOD[0]]))


def test_an_unknown_case_is_warned_of_and_listed(scoring: Scoring) -> None:
    evaluated = scoring(lines(*GOOD, a_response("Z", "x"), a_response("a", "y")))

    assert evaluated.is_ok
    assert evaluated.result["itemproof"]["unknown_case_ids"] == {"count": 2, "ids": ["Z", "a"]}
    assert [str(found) for found in evaluated.warnings] == [
        "responses.jsonl  G019  2 responses answer cases that the fixture does not have: 'Z', 'a'."
    ]


def test_an_unknown_case_is_a_fault_for_a_strict_scorer(scoring: Scoring) -> None:
    with pytest.raises(InvalidInput) as refused:
        scoring(lines(*GOOD, a_response("Z", "x")), strict=True)

    assert [(found.code.id, found.where.line) for found in refused.value.findings] == [("G019", 3)]


def test_an_unknown_case_that_repeats_is_a_fault(scoring: Scoring) -> None:
    with pytest.raises(InvalidInput) as refused:
        scoring(lines(a_response("Z", "x"), *GOOD, a_response("Z", "x")))

    assert [(found.code.id, found.where.line) for found in refused.value.findings] == [("G018", 4)]


def test_a_case_of_a_level_that_was_left_out_is_not_unknown(scoring: Scoring) -> None:
    evaluated = scoring(lines(*GOOD), levels=["L2"])

    assert evaluated.result["case_count"] == 1
    assert evaluated.result["itemproof"]["unknown_case_ids"] == {"count": 0, "ids": []}
    assert evaluated.result["maturity"]["unevaluated_levels"] == ["L1"]


def _many(path: Path, count: int) -> int:
    """The greatest memory in bytes of reading so many responses of which a hundred answer a case."""
    cases = [Case(f"c{number}", "L1", "p", "Equal[1, 1]", ("Equal",)) for number in range(100)]
    fixture = Fixture(name="f", shown="f", file=path, language="coglang", defined_levels=["L1"], cases=cases)
    with path.open("w", encoding="utf-8") as out:
        for number in range(count):
            out.write(json.dumps(a_response(f"c{number}", "Equal[1, 1]", metadata="x" * 200)) + "\n")
    matching = Matching(fixture, ResponseFile(path, "r"), strict=False)
    tracemalloc.start()
    taken = sum(1 for _ in matching.pairs())
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert (taken, matching.unknown.count) == (100, count - 100)
    return peak


def test_memory_does_not_grow_with_the_responses(tmp_path: Path) -> None:
    _many(tmp_path / "few.jsonl", 2000)  # numpy is loaded once
    few, many = _many(tmp_path / "few.jsonl", 20_000), _many(tmp_path / "many.jsonl", 60_000)

    assert many - few < 40_000 * 16
