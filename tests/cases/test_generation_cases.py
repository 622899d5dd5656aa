"""Every case of a fault in a fixture or a response file gives, through the whole scoring, exactly what lies beside it.

A folder `G…` holds `fixture.json`, or responses for a fixture of four cases, or both; `options.json` with `strict` or
`levels`; and `expected.json` with the whole list of findings, or the codes of the warnings and the cases that pass.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from itemproof.app.generation import Evaluated, Settings, evaluate, prepared
from itemproof.core.errors import InvalidInput

_HERE = Path(__file__).parent
_CASES = sorted(_HERE.glob("G*_*/"))
_ANSWERS = {"A": "Equal[1, 1]", "B": "AllNodes[]", "C": "List[]", "D": "Get[List[1], 0]"}


def _expected(case: Path) -> dict[str, Any]:
    expected: dict[str, Any] = json.loads((case / "expected.json").read_text(encoding="utf-8"))
    return expected


def _fixture_of_cases(folder: Path) -> Path:
    """The file of a fixture of four cases."""
    cases = [
        {
            "case_id": case_id,
            "level": "L1",
            "prompt": f"Answer {case_id}.",
            "reference_expr": answer,
            "expected_top_level_heads": [answer.partition("[")[0]],
        }
        for case_id, answer in _ANSWERS.items()
    ]
    path = folder / "four.json"
    path.write_text(
        json.dumps({"schema_version": "coglang-generation-eval-fixture/v0.1", "cases": cases}), encoding="utf-8"
    )
    return path


def _scored(case: Path, folder: Path) -> Evaluated:
    options = (
        json.loads((case / "options.json").read_text(encoding="utf-8")) if (case / "options.json").exists() else {}
    )
    strict = options.get("strict", False)
    own = case / "fixture.json"
    plan = prepared(own if own.exists() else _fixture_of_cases(folder), options.get("levels", []), strict=strict)
    responses = next(case.glob("responses.*"), None)
    return evaluate(plan, responses, Settings(strict=strict))


@pytest.mark.parametrize("case", [case for case in _CASES if "findings" in _expected(case)], ids=lambda case: case.name)
def test_a_faulty_file_is_refused_with_exactly_its_findings(case: Path, tmp_path: Path) -> None:
    with pytest.raises(InvalidInput) as refused:
        _scored(case, tmp_path)

    found = [{"code": one.code.id, "line": one.where.line, "path": one.where.path} for one in refused.value.findings]
    assert found == _expected(case)["findings"]


@pytest.mark.parametrize("case", [case for case in _CASES if "warnings" in _expected(case)], ids=lambda case: case.name)
def test_a_doubtful_file_is_scored_with_its_warnings(case: Path, tmp_path: Path) -> None:
    evaluated = _scored(case, tmp_path)

    passed = [one["case_id"] for one in evaluated.result["cases"] if not one["failure_categories"]]
    assert {"warnings": [one.code.id for one in evaluated.warnings], "passed": passed} == _expected(case)


@pytest.mark.parametrize("case", _CASES, ids=lambda case: case.name)
def test_a_case_shows_the_fault_it_is_named_for(case: Path) -> None:
    expected = _expected(case)

    assert case.name[:4] in {found["code"] for found in expected.get("findings", [])} | {*expected.get("warnings", [])}
