"""A scored file into an archive: a record a case, what was scored beside it, and nothing that cannot be derived."""

from __future__ import annotations

import json
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

from cli.workbench import Workbench, clock, whole
from itemproof.app.generation import Evaluated, Settings, evaluate, import_evaluated, prepared, spooled
from itemproof.app.imports import Means
from itemproof.archive.request import Imported
from itemproof.archive.transaction import NewRun
from itemproof.core.errors import InvalidInput
from itemproof.files.strict_json import loads
from itemproof.generation.archive_lines import FILE_NAME, write_lines
from itemproof.records.record import FIELDS
from unit.generation.records import TWO, a_case, a_fixture, a_response, lines

CASES = (*TWO, a_case("C", "List[]", level="L2"), a_case("D", "Get[List[1], 0]", level="L2"))
OUTPUTS = {"A": "Equal[ 1, 1]", "B": "Foo[]", "C": "```", "D": None}


@pytest.fixture
def bench(tmp_path: Path) -> Workbench:
    return Workbench.made(tmp_path)


def scored(bench: Workbench, outputs: dict[str, str | None], *, strict: bool = False) -> Evaluated:
    """The outputs, scored against the four cases."""
    fixture = bench.log("four.json", json.dumps(a_fixture(*CASES, name="four")).encode())
    responses = bench.log("answers.jsonl", lines(*(a_response(*pair) for pair in outputs.items())).encode())
    return evaluate(prepared(fixture, strict=strict), responses, Settings(strict=strict))


def kept(bench: Workbench, evaluated: Evaluated, run: str = "run-1") -> Imported:
    """The run with the result in it."""
    create = NewRun(model="m") if run not in bench.archive.run_ids() else None
    return import_evaluated(bench.archive, run, evaluated, create=create, means=Means(jobs=1, clock=clock))


def test_every_case_of_the_fixture_has_its_record(bench: Workbench) -> None:
    kept(bench, scored(bench, OUTPUTS))

    records = bench.records()
    assert [record["question_id"] for record in records] == ["A", "B", "C", "D"]
    assert [record["correct"] for record in records] == [True, False, False, False]
    assert {record["identity_scope"] for record in records} == {"stable"}
    assert {(record["benchmark"], record["filter"]) for record in records} == {("four", "none")}
    assert whole(bench.root) == []


def test_a_record_keeps_what_was_asked_answered_and_found(bench: Workbench) -> None:
    kept(bench, scored(bench, OUTPUTS))

    record = bench.records()[0]
    assert tuple(record)[: len(FIELDS)] == FIELDS
    expected = {
        "input": {"prompt": "Answer A.", "document": {"level": "L1", "expected_top_level_heads": ["Equal"]}},
        "target": "Equal[1, 1]",
        "prediction": "Equal[1, 1]",
        "response": "Equal[ 1, 1]",
        "metrics": {
            "passed": 1,
            "has_output": 1,
            "parse_ok": 1,
            "canonicalize_ok": 1,
            "validate_ok": 1,
            "expected_top_level_head_ok": 1,
            "no_hallucinated_operator": 1,
            "exact_canonical_match": 1,
        },
        "warnings": [],
        "level": "L1",
        "failure_categories": [],
        "preflight_decision": "accepted",
    }
    assert {name: record[name] for name in expected} == expected


def test_every_stage_is_a_metric(bench: Workbench) -> None:
    kept(bench, scored(bench, OUTPUTS))

    stages = [[*record["metrics"].values()] for record in bench.records()]
    assert stages == [[1] * 8, [0, 1, 1, 1, 0, 0, 0, 0], [0, 1, 0, 0, 0, 0, 1, 0], [0, 0, 0, 0, 0, 0, 1, 0]]


def test_the_response_file_and_the_fixture_are_kept_as_they_were(bench: Workbench) -> None:
    evaluated = scored(bench, OUTPUTS)

    kept(bench, evaluated)

    manifest = bench.archive.run("run-1").manifest
    stored = {one.name: (bench.root / one.path).read_bytes() for one in manifest.attachments}
    assert stored == {name: (bench.folder / "logs" / name).read_bytes() for name in ("answers.jsonl", "four.json")}
    assert manifest.imports[0].format == "generation-eval"
    assert manifest.imports[0].options == {"strict": False, "fixture": str(evaluated.plan.fixture.file)}
    assert manifest.files[0].metrics_used == {"four": {"none": ["passed"]}}


def test_the_raw_file_has_a_line_for_each_case(bench: Workbench) -> None:
    kept(bench, scored(bench, OUTPUTS))

    for record, case in zip(bench.records(), CASES, strict=True):
        line = bench.raw_line(record)
        assert (line["case_id"], line["reference_expr"]) == (case["case_id"], case["reference_expr"])
        assert line["output"] == OUTPUTS[case["case_id"]]


def test_half_a_surrogate_pair_is_kept_as_its_escape_with_a_warning(bench: Workbench) -> None:
    imported = kept(bench, scored(bench, {"A": 'Equal["\ud800", 1]'}))

    record = bench.records()[0]
    assert record["response"] == r'Equal["\ud800", 1]'
    assert record["prediction"] == r'Equal["\ud800", 1]'
    assert len(record["warnings"]) == 1
    assert imported.entry.files[0].warnings == {"G021": 1}
    assert record["correct"] is True
    assert whole(bench.root) == []


def test_an_escape_that_a_model_wrote_itself_is_no_warning(bench: Workbench) -> None:
    imported = kept(bench, scored(bench, {"A": r'Equal["\ud800", 1]'}))

    assert imported.entry.files[0].warnings == {}


def test_the_same_cases_again_are_refused_and_nothing_changes(bench: Workbench) -> None:
    kept(bench, scored(bench, OUTPUTS))
    again = scored(bench, {"A": "Equal[2, 2]"})

    with bench.unchanged(), pytest.raises(InvalidInput) as refused:
        kept(bench, again)

    assert {found.code.id for found in refused.value.findings} == {"I003"}


def test_strict_scores_never_pair_with_others(bench: Workbench) -> None:
    kept(bench, scored(bench, OUTPUTS))
    kept(bench, scored(bench, OUTPUTS, strict=True))

    assert [record["filter"] for record in bench.records()] == ["none"] * 4 + ["strict"] * 4


def test_two_results_have_the_same_questions(bench: Workbench) -> None:
    kept(bench, scored(bench, OUTPUTS), "left")
    kept(bench, scored(bench, {"A": "Equal[1, 1]"}), "right")

    names = ("benchmark", "language", "script", "question_id", "filter", "repeat_id")
    left, right = ([[record[name] for name in names] for record in bench.records(run)] for run in ("left", "right"))
    assert left == right


def test_a_file_of_result_lines_is_a_log_like_others(bench: Workbench) -> None:
    evaluated = scored(bench, OUTPUTS)
    with (bench.folder / "logs" / FILE_NAME).open("wb") as out:
        write_lines(evaluated.scored, evaluated.plan.language, out, strict=False)

    imported = bench.bring(bench.folder / "logs" / FILE_NAME)

    assert imported.entry.format == "generation-eval"
    assert [record["correct"] for record in bench.records()] == [True, False, False, False]


def _line(bench: Workbench) -> dict[str, Any]:
    out = BytesIO()
    evaluated = scored(bench, OUTPUTS)
    write_lines(evaluated.scored, evaluated.plan.language, out, strict=False)
    first: dict[str, Any] = loads(out.getvalue().split(b"\n")[0])
    return first


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        pytest.param({"parse_ok": 1}, [("G020", 1, "$.parse_ok")], id="a number for a truth value"),
        pytest.param({"failure_categories": "x"}, [("G020", 1, "$.failure_categories")], id="a text for a list"),
        pytest.param({"benchmark": None}, [("R003", 1, "$.benchmark")], id="no benchmark"),
        pytest.param({"model": "other"}, [("R002", 1, "$.model")], id="another model"),
        pytest.param({"question_id": True}, [("I002", 1, "$.question_id")], id="an id that names nothing"),
    ],
)
def test_a_line_that_was_changed_is_refused(bench: Workbench, changes: dict[str, Any], expected: list[Any]) -> None:
    log = bench.log("changed.jsonl", {**_line(bench), **changes})

    assert bench.faults(log) == expected


def test_a_stream_is_a_file_for_as_long_as_it_is_needed() -> None:
    with spooled(BytesIO(b"x" * 3_000_000)) as path:
        assert path.read_bytes() == b"x" * 3_000_000
    assert not path.exists()
