"""The result: the contract's keys in their order, the reference tool's figures, and what itemproof adds."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from itemproof.app.generation import FROM_REFERENCES, Settings, evaluate, prepared
from shared import SHARED, needs_shared
from unit.generation.records import Scoring, a_case, a_response, lines

KEYS = [
    "schema_version",
    "tool",
    "fixture_schema_version",
    "answer_source",
    "ok",
    "case_count",
    "summary",
    "level_summary",
    "maturity",
    "failure_case_count",
    "failure_cases",
    "cases",
    "fixture_path",
    "itemproof",
]


def test_the_keys_stand_in_the_order_of_the_reference_tool(scoring: Scoring) -> None:
    result = scoring(lines(a_response("A", "Equal[1, 2]"))).result

    assert list(result) == KEYS
    assert list(scoring(lines(), keep_answers=False).result) == [key for key in KEYS if key != "cases"]
    assert (result["schema_version"], result["tool"]) == ("coglang-generation-eval-result/v0.1", "coglang")
    assert result["answer_source"] == "responses.jsonl"


def test_every_stage_is_counted_over_all_cases(scoring: Scoring) -> None:
    cases = [a_case(str(number), "Equal[1, 1]") for number in range(8)]
    outputs = ["Equal[1, 1]", "Equal[ 1,1]", "Equal[2, 2]", "Foo[1]", "List[1]", 'Equal[{"a": Foo[1]}, 1]', "no", None]

    result = scoring(lines(*(a_response(str(at), output) for at, output in enumerate(outputs))), cases).result

    assert result["summary"] == {
        "case_count": 8,
        "missing_output_count": 1,
        "parse_ok_count": 6,
        "parse_ok_rate": 0.75,
        "canonicalize_ok_count": 6,
        "canonicalize_ok_rate": 0.75,
        "validate_ok_count": 5,
        "validate_ok_rate": 0.625,
        "expected_top_level_head_ok_count": 4,
        "expected_top_level_head_ok_rate": 0.5,
        "hallucinated_operator_count": 2,
        "ok": False,
        "failure_category_counts": {
            "hallucinated_operator": 2,
            "missing_output": 1,
            "parse_error": 1,
            "top_level_head_mismatch": 2,
            "validation_error": 1,
        },
    }
    own = result["itemproof"]
    assert own["passed"] == {"count": 3, "rate": 0.375, "by_level": {"L1": {"count": 3, "rate": 0.375}}}
    assert own["exact_match"]["count"] == 2
    assert own["bare_head"] == {"count": 8, "rate": 1.0, "by_level": {"L1": {"count": 8, "rate": 1.0}}}
    assert own["preflight"]["decisions"] == {"accepted": 5, "rejected": 2}
    assert own["missing_case_ids"] == ["7"]


def test_a_case_has_every_field_in_order(scoring: Scoring) -> None:
    case = scoring(lines(a_response("A", "Foo[List[1 2]]"))).result["cases"][0]

    remarks = case["itemproof"].pop("diagnostics")
    assert list(case.items()) == [
        ("case_id", "A"),
        ("level", "L1"),
        ("prompt", "Answer A."),
        ("output", "Foo[List[1 2]]"),
        ("parse_ok", True),
        ("canonicalize_ok", True),
        ("validate_ok", False),
        ("expected_top_level_head_ok", False),
        ("hallucinated_heads", ("Foo",)),
        ("failure_categories", ("validation_error", "top_level_head_mismatch", "hallucinated_operator")),
        ("preflight_decision", "rejected"),
        ("canonical", "Foo[List[1, 2]]"),
        ("parse_error", None),
        ("itemproof", {"exact_match": False}),
    ]
    assert [(one["name"], one["line"], one["column"], one["outside_specification"]) for one in remarks] == [
        ("unknown_head", 1, 1, False),
        ("missing_comma", 1, 12, True),
    ]


def test_a_case_without_an_output_says_so(scoring: Scoring) -> None:
    case = scoring("").result["cases"][0]

    assert (case["output"], case["preflight_decision"], case["parse_error"]) == (None, None, "missing output")
    assert case["failure_categories"] == ("missing_output",)
    assert case["itemproof"] == {"exact_match": False, "diagnostics": []}


def test_without_a_response_file_the_references_are_scored(scoring: Scoring) -> None:
    evaluated = scoring(None)

    assert evaluated.is_ok
    assert evaluated.result["answer_source"] == FROM_REFERENCES


def test_a_strict_scorer_fails_what_the_specification_excludes(scoring: Scoring) -> None:
    text = lines(a_response("A", "Equal[1 1]"), a_response("B", "AllNodes[1]"))

    assert scoring(text).is_ok
    strict = scoring(text, strict=True)
    assert [case["failure_categories"] for case in strict.result["cases"]] == [
        ("parse_error",),
        ("specification_error",),
    ]
    assert strict.result["cases"][0]["parse_error"] == 'ParseError["missing_comma", 3]'
    assert strict.result["summary"]["failure_category_counts"] == {"parse_error": 1, "specification_error": 1}
    assert not strict.is_ok
    assert strict.result["itemproof"]["bare_head"]["count"] == 0


@pytest.mark.parametrize("remember", [0, 1, 8192])
def test_how_much_is_remembered_changes_nothing(scoring: Scoring, remember: int) -> None:
    cases = [a_case(str(number), "List[a, 1]") for number in range(6)]
    outputs = ["List[a, 1]", "List[ a,1]", "List[ a,1]", "```", "```", "Foo[]"]
    text = lines(*(a_response(str(at), output) for at, output in enumerate(outputs)))

    assert scoring(text, cases, remember=remember).result == scoring(text, cases).result
    assert scoring(text, cases, remember=remember).result["itemproof"]["exact_match"]["count"] == 3


def test_the_levels_of_a_summary_stand_by_their_text(scoring: Scoring) -> None:
    cases = [a_case(level, "List[]", level=level) for level in ("L10", "L9", "L2")]

    result = scoring(None, cases).result

    assert list(result["level_summary"]) == ["L10", "L2", "L9"]
    assert list(result["itemproof"]["passed"]["by_level"]) == ["L2", "L9", "L10"]


def test_a_result_is_the_same_in_every_process(tmp_path: Path) -> None:
    program = (
        "import json, sys\nfrom pathlib import Path\nfrom itemproof.app.generation import *\n"
        "plan = prepared(None)\nfile = Path(sys.argv[1])\n"
        "print(json.dumps(evaluate(plan, file, Settings(), shown='r').result))"
    )
    file = tmp_path / "r.jsonl"
    outputs = [case.reference_expr[: 3 * at] for at, case in enumerate(prepared(None).fixture.cases)]
    ids = [case.case_id for case in prepared(None).fixture.cases]
    file.write_text(lines(*map(a_response, ids, outputs), a_response("?", "x")), encoding="utf-8")

    said = {
        subprocess.run(
            [sys.executable, "-c", program, str(file)],
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": ":".join(sys.path)},
            check=True,
            capture_output=True,
        ).stdout
        for seed in ("1", "2")
    }

    assert len(said) == 1


def _expected() -> dict[str, Any]:
    """The figures that the reference tool gave for the twenty thousand cases, as they were written down."""
    return {
        "parse_ok_count": 16940,
        "canonicalize_ok_count": 16940,
        "validate_ok_count": 14505,
        "expected_top_level_head_ok_count": 12937,
        "hallucinated_operator_count": 1991,
        "missing_output_count": 0,
        "failure_category_counts": {
            "hallucinated_operator": 1991,
            "parse_error": 3060,
            "top_level_head_mismatch": 4003,
            "validation_error": 2435,
        },
    }


@needs_shared
def test_twenty_thousand_cases_give_the_figures_of_the_reference_tool() -> None:
    data = SHARED / "data" / "coglang"
    plan = prepared(data / "fixture_20k.json")

    result = evaluate(plan, data / "responses_20k.jsonl", Settings(keep_answers=False)).result

    summary, expected = result["summary"], _expected()
    assert {name: summary[name] for name in expected} == expected
    assert (summary["parse_ok_rate"], summary["validate_ok_rate"]) == (0.847, 0.72525)
    assert summary["expected_top_level_head_ok_rate"] == 0.64685
    levels = {level: (one["case_count"], one["validate_ok_count"]) for level, one in result["level_summary"].items()}
    assert levels == {"L1": (7200, 5231), "L2": (6400, 4657), "L3": (6400, 4617)}
    assert (result["failure_case_count"], result["ok"]) == (7195, False)
    assert result["maturity"]["highest_contiguous_level"] == "L0"
    assert result["maturity"]["blocked_level"] == "L1"
    assert result["maturity"]["unevaluated_levels"] == ["L4", "L5", "L6"]
    assert result["itemproof"]["preflight"]["decisions"] == {
        "accepted": 7140,
        "accepted_with_warnings": 1710,
        "cannot_estimate": 1491,
        "rejected": 5495,
        "requires_review": 4164,
    }
    json.dumps(result)
