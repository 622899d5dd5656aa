"""Paired lines: two records, each right or wrong by its own answer key and by nothing else."""

from __future__ import annotations

from typing import Any

import jsonschema
import pytest

from itemproof.adapters.paired import PairedAdapter
from itemproof.core.errors import InvalidInput
from itemproof.records.record import FIELDS
from itemproof.records.schema import schema_of
from normalising import RAW_SHA256, faults, file_context, normalised, places

ADAPTER = PairedAdapter()
ABC = ["a", "b", "c"]


def line(original: dict[str, Any] | None = None, rephrased: dict[str, Any] | None = None, /, **others: Any) -> Any:
    given = {"original": original or {}, "rephrased": rephrased or {}}
    return {"question_id": "q1", "benchmark": "b", **given, **others}


def records_of(given: dict[str, Any], **options: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    (original, rephrased), _ = normalised(ADAPTER, given, file_context(**options))
    for record in (original, rephrased):
        jsonschema.validate(record, schema_of("record-v1"))
    return original, rephrased


def test_a_line_makes_an_original_and_a_rephrased_record() -> None:
    given = {
        "question_id": 12,
        "benchmark": "b",
        "language": "is",
        "script": "Latn",
        "rephrasing_model": "writer",
        "filter": "f",
        "repeat_id": "2",
        "warnings": ["both"],
        "source": "elsewhere",
        "original": {
            "question": "Q?",
            "choices": ABC,
            "correct_index": 0,
            "pred_acc": 0,
            "pred_acc_norm": 2,
            "pred_acc_pmi": None,
            "logprobs": [-1.5, -2, None],
            "logprobs_norm": [-0.5, -0.7, -0.9],
            "exact_match": None,
        },
        "rephrased": {
            "question": "Q2?",
            "choices": ["b", "a", "c"],
            "correct_index": 1,
            "pred_acc": 0,
            "logprobs_pmi": [0.1, 0.2, 0.3],
            "generated_text": "",
            "warnings": ["mine"],
            "metrics": {"f1": 0.5},
            "tokens": {"in": 3},
        },
        "note": {"z": 1, "a": 2},
    }
    original, rephrased = records_of(given)
    shared = {
        "schema_version": 1,
        "run_id": "run-1",
        "question_id": "12",
        "benchmark": "b",
        "script": "Latn",
        "language": "is",
        "model": "m",
        "filter": "f",
        "repeat_id": 2,
        "identity_scope": "stable",
        "source": {"path": "runs/run-1/raw/0001-items.jsonl", "line": 7},
        "note": {"z": 1, "a": 2},
    }
    assert original == shared | {
        "variant_id": "original",
        "rephrasing_model": None,
        "input": {"question": "Q?", "choices": ABC},
        "target": {"index": 0},
        "prediction": {"index": 0, "index_norm": 2},
        "correct": True,
        "scores": {"logprobs": [-1.5, -2, None], "logprobs_norm": [-0.5, -0.7, -0.9]},
        "metrics": {"exact_match": None},
        "response": None,
        "warnings": ["both"],
    }
    assert rephrased == shared | {
        "variant_id": "rephrased",
        "rephrasing_model": "writer",
        "input": {"question": "Q2?", "choices": ["b", "a", "c"]},
        "target": {"index": 1},
        "prediction": {"index": 0},
        "correct": False,
        "scores": {"logprobs_pmi": [0.1, 0.2, 0.3]},
        "metrics": {"f1": 0.5, "tokens": {"in": 3}},
        "response": "",
        "warnings": ["both", "mine"],
    }
    for record in (original, rephrased):
        assert list(record) == [*FIELDS, "note"]


@pytest.mark.parametrize(
    ("wording", "correct"),
    [
        pytest.param({"correct_index": 0, "pred_acc": 0}, True, id="zero is the first choice and right"),
        pytest.param({"correct_index": 0, "pred_acc": 1}, False, id="one is another choice and wrong"),
        pytest.param({"correct_index": 1, "pred_acc": 0}, False, id="zero is a prediction"),
        pytest.param({"correct_index": None, "pred_acc": 0}, None, id="a null key is unknown"),
        pytest.param({"pred_acc": 1}, None, id="no key is unknown"),
        pytest.param({"correct_index": 1}, None, id="no prediction is unknown"),
        pytest.param({"correct_index": 1, "pred_acc": None}, None, id="a null prediction is unknown"),
        pytest.param({"correct_index": 1, "pred_acc_norm": 1}, None, id="a normalised prediction sets nothing"),
        pytest.param({"correct_index": 1, "pred_acc": 0, "pred_acc_norm": 1}, False, id="the raw one counts"),
        pytest.param({"acc": 1}, None, id="a metric sets nothing"),
    ],
)
def test_correct_is_the_raw_prediction_against_the_wordings_own_key(
    wording: dict[str, Any], correct: bool | None
) -> None:
    for record in records_of(line(wording, wording)):
        assert record["correct"] is correct


def test_choices_beside_the_wordings_belong_to_neither() -> None:
    given = line({"pred_acc": 3}, {"pred_acc": 3}, choices=ABC, correct_index=3)
    original, rephrased = records_of(given)
    assert (original["target"], rephrased["target"]) == ({"index": 3}, None)
    assert (original["input"], original["choices"]) == ({}, ABC)


@pytest.mark.parametrize(
    ("given", "option", "expected"),
    [
        pytest.param(line(), None, "rephrased", id="nobody names it"),
        pytest.param(line({}, {"variant_id": "v2"}), None, "v2", id="it names itself"),
        pytest.param(line(variant_id="v3"), None, "v3", id="the line names it"),
        pytest.param(line({}, {"variant_id": "v2"}, variant_id="v2"), None, "v2", id="both agree"),
        pytest.param(line({}, {"variant_id": "v2"}, variant_id="v3"), "v4", "v4", id="the option overrides"),
    ],
)
def test_the_rephrasing_has_a_name(given: dict[str, Any], option: str | None, expected: str) -> None:
    original, rephrased = records_of(given, variant=option)
    assert (original["variant_id"], rephrased["variant_id"]) == ("original", expected)


def test_the_option_cannot_name_the_rephrasing_original() -> None:
    with pytest.raises(InvalidInput) as refused:
        ADAPTER.normaliser(file_context(variant="original"))
    assert places(refused.value.findings.kept) == [("P004", None)]


def test_the_rephrasings_own_model_comes_first() -> None:
    given = line({"rephrasing_model": None}, {"rephrasing_model": "mine"}, rephrasing_model="line's")
    assert [record["rephrasing_model"] for record in records_of(given)] == [None, "mine"]


def test_a_line_without_an_id_makes_two_run_local_records_with_different_keys() -> None:
    given = {"benchmark": "b", "original": {}, "rephrased": {}}
    records, tally = normalised(ADAPTER, given, file_context())
    assert [(record["question_id"], record["identity_scope"]) for record in records] == [
        (f"{RAW_SHA256}:7", "run-local")
    ] * 2
    assert (tally.stable, tally.run_local, dict(tally.warnings)) == (0, 2, {})


@pytest.mark.parametrize(
    ("others", "id_field", "expected"),
    [
        pytest.param({"original_question_id": "deep"}, [], "deep", id="the look-up's first place"),
        pytest.param({"key": 5}, ["key"], "5", id="a field asked for"),
        pytest.param({"key": 5, "identity_scope": "run-local"}, ["key"], "5", id="asked for on a run-local line"),
    ],
)
def test_the_identity_is_read_as_everywhere(others: dict[str, Any], id_field: list[str], expected: str) -> None:
    for record in records_of(line(**others), id_field=id_field):
        assert (record["question_id"], record["identity_scope"]) == (expected, "stable")


def test_the_document_may_hold_the_context() -> None:
    given = {"doc": {"id": "d1", "benchmark": "b", "language": "is"}, "original": {}, "rephrased": {}}
    original, _ = records_of(given)
    assert (original["question_id"], original["benchmark"], original["language"]) == ("d1", "b", "is")


def test_a_line_that_calls_itself_run_local_stays_so() -> None:
    records, tally = normalised(ADAPTER, line(identity_scope="run-local"), file_context())
    warning = "the producer calls this identity run-local; its own id was 'q1'"
    assert [(record["identity_scope"], record["warnings"]) for record in records] == [("run-local", [warning])] * 2
    assert dict(tally.warnings) == {"I011": 2}


def test_a_missing_field_that_was_asked_for_is_a_warning_on_both() -> None:
    _, tally = normalised(ADAPTER, line(), file_context(id_field=["key"]))
    assert (tally.run_local, dict(tally.warnings)) == (2, {"I010": 2})


@pytest.mark.parametrize(
    ("wording", "said", "counted"),
    [
        pytest.param({"correct": True}, [True], {"P012": 1}, id="a verdict without a key"),
        pytest.param({"correct": True, "correct_index": 0, "pred_acc": 1}, [True], {"P012": 1}, id="another verdict"),
        pytest.param({"correct": False, "correct_index": 0, "pred_acc": 1}, [False], {}, id="the same verdict"),
    ],
)
def test_the_producers_own_verdict_is_a_metric_and_a_difference_is_told(
    wording: dict[str, Any], said: list[bool], counted: dict[str, int]
) -> None:
    records, tally = normalised(ADAPTER, line(wording), file_context())
    assert [records[0]["metrics"]["correct"]] == said
    assert dict(tally.warnings) == counted


def test_a_wording_may_repeat_the_context_of_its_line() -> None:
    original, _ = records_of(line({"language": "is", "repeat_id": 0}, language="is"))
    assert original["metrics"] == {}


def test_metrics_that_are_no_object_are_kept_as_they_are() -> None:
    original, _ = records_of(line({"metrics": ["acc"], "acc": 1}))
    assert original["metrics"] == {"metrics": ["acc"], "acc": 1}


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        pytest.param({"question_id": "q", "benchmark": "b", "original": {}}, [("P001", "$.rephrased")], id="one only"),
        pytest.param(
            {"question_id": "q", "benchmark": "b", "original": [], "rephrased": None},
            [("P001", "$.original"), ("P001", "$.rephrased")],
            id="no objects",
        ),
        pytest.param(line({"pred_acc": True}), [("R020", "$.original.pred_acc")], id="a boolean index"),
        pytest.param(line({"pred_acc": 1.0}), [("R020", "$.original.pred_acc")], id="a fraction as index"),
        pytest.param(line({}, {"pred_acc_pmi": -1}), [("R020", "$.rephrased.pred_acc_pmi")], id="a negative index"),
        pytest.param(line({"correct_index": "1"}), [("R020", "$.original.correct_index")], id="a text as key"),
        pytest.param(line(correct_index=[0]), [("R020", "$.correct_index")], id="a list as shared key"),
        pytest.param(
            line({"choices": ABC, "correct_index": 3, "pred_acc": 4}),
            [("R021", "$.original.pred_acc"), ("R021", "$.original.correct_index")],
            id="indices behind the last choice",
        ),
        pytest.param(
            line({"choices": ABC}, {"choices": ABC}, correct_index=3),
            [("R021", "$.correct_index")],
            id="a shared key behind the last choice is told once",
        ),
        pytest.param(
            line({"choices": ABC, "correct_index": 0}, {"choices": ABC}, correct_index=3),
            [("R021", "$.correct_index")],
            id="a shared key behind the rephrasing's last choice",
        ),
        pytest.param(
            line({"choices": ABC, "logprobs": [1, 2], "logprobs_norm": [1, 2, 3, 4]}),
            [("R023", "$.original.logprobs"), ("R023", "$.original.logprobs_norm")],
            id="arrays of other lengths than the choices",
        ),
        pytest.param(
            line({"logprobs": [1, 2], "logprobs_pmi": [1, 2, 3], "pred_acc": 2}),
            [("R023", "$.original.logprobs_pmi"), ("R021", "$.original.pred_acc")],
            id="arrays that disagree without choices",
        ),
        pytest.param(line({"choices": [], "pred_acc": 0}), [("R021", "$.original.pred_acc")], id="no choices"),
        pytest.param(line({"logprobs": "1,2"}), [("R022", "$.original.logprobs")], id="a text as array"),
        pytest.param(
            line({"logprobs": [1, "2", True]}),
            [("R022", "$.original.logprobs[1]"), ("R022", "$.original.logprobs[2]")],
            id="an array of other things than numbers",
        ),
        pytest.param(line({"generated_text": ["t"]}), [("P002", "$.original.generated_text")], id="a list as text"),
        pytest.param(line({"metrics": {"f1": 1}, "f1": 1}), [("P003", "$.original.f1")], id="a metric twice"),
        pytest.param(line({"variant_id": "v0"}), [("P004", "$.original.variant_id")], id="another original"),
        pytest.param(line({"rephrasing_model": "w"}), [("P004", "$.original.rephrasing_model")], id="a written one"),
        pytest.param(line({}, {"variant_id": "original"}), [("P004", "$.rephrased.variant_id")], id="two originals"),
        pytest.param(line(variant_id="original"), [("P004", "$.variant_id")], id="two originals by the line"),
        pytest.param(line({}, {"variant_id": " "}), [("R001", "$.rephrased.variant_id")], id="a blank name"),
        pytest.param(
            line({}, {"variant_id": "v"}, variant_id="w"), [("R002", "$.rephrased.variant_id")], id="two names"
        ),
        pytest.param(line({"language": "is"}), [("R002", "$.original.language")], id="a context of its own"),
        pytest.param(line({}, {"repeat_id": False}), [("R002", "$.rephrased.repeat_id")], id="false is no repeat"),
        pytest.param(line({"warnings": [1]}), [("R001", "$.original.warnings")], id="warnings that are no texts"),
        pytest.param(line(warnings="w"), [("R001", "$.warnings")], id="warnings of the line that are no list"),
        pytest.param(line(schema_version=2), [("P005", "$.schema_version")], id="another schema version"),
        pytest.param(line(identity_scope=1), [("P005", "$.identity_scope")], id="an unknown scope"),
        pytest.param(
            line(correct=False, metrics={}, response=None),
            [("P005", "$.correct"), ("P005", "$.metrics")],
            id="fields of one wording beside both",
        ),
        pytest.param({"question_id": "q", "original": {}, "rephrased": {}}, [("R003", "$.benchmark")], id="nowhere"),
        pytest.param(line(model="other"), [("R002", "$.model")], id="another model"),
        pytest.param(line(question_id=""), [("I002", "$.question_id")], id="an empty id"),
    ],
)
def test_a_faulty_line_is_refused(given: dict[str, Any], expected: list[tuple[str, str]]) -> None:
    assert places(faults(ADAPTER, given, file_context())) == expected


def test_all_faults_of_a_line_are_told_at_once() -> None:
    given = {"model": "other", "filter": 1, "question_id": True, "original": {"pred_acc": -1}, "rephrased": 0}
    assert places(faults(ADAPTER, given, file_context())) == [
        ("R002", "$.model"),
        ("R003", "$.benchmark"),
        ("R001", "$.filter"),
        ("I002", "$.question_id"),
        ("R020", "$.original.pred_acc"),
        ("P001", "$.rephrased"),
    ]


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        pytest.param(line(), True, id="both objects"),
        pytest.param({"original": {}}, False, id="one object"),
        pytest.param({"original": "text", "rephrased": "text"}, False, id="two texts"),
    ],
)
def test_a_line_is_recognised_by_its_two_objects(given: dict[str, Any], expected: bool) -> None:
    assert ADAPTER.recognises(given) is expected
