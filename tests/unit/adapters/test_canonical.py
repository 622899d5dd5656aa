"""Canonical lines: completed, checked whole, and never told anything they did not say."""

from __future__ import annotations

from typing import Any

import jsonschema
import msgspec
import pytest

from itemproof.adapters.base import LineRefused
from itemproof.adapters.canonical import CanonicalAdapter
from itemproof.records.record import FIELDS, RecordDict
from itemproof.records.schema import schema_of
from normalising import RAW_SHA256, faults, file_context, normalised, places

ADAPTER = CanonicalAdapter()
LEAST = {"question_id": "q1", "variant_id": "original", "benchmark": "b"}
CHOICES = {"choices": ["a", "b", "c"]}


def line(**changes: Any) -> RecordDict:
    return {**LEAST, **changes}


def record_of(given: dict[str, Any], **options: Any) -> RecordDict:
    records, _ = normalised(ADAPTER, given, file_context(**options))
    (record,) = records
    jsonschema.validate(record, schema_of("record-v1"))
    return record


def test_the_least_line_gets_every_field_in_order_and_nothing_invented() -> None:
    record = record_of(line())
    assert list(record) == list(FIELDS)
    assert record == {
        "schema_version": 1,
        "run_id": "run-1",
        "question_id": "q1",
        "variant_id": "original",
        "benchmark": "b",
        "script": None,
        "language": None,
        "model": "m",
        "rephrasing_model": None,
        "filter": "none",
        "repeat_id": 0,
        "identity_scope": "stable",
        "input": {},
        "target": None,
        "prediction": None,
        "correct": None,
        "scores": {},
        "metrics": {},
        "response": None,
        "source": {"path": "runs/run-1/raw/0001-items.jsonl", "line": 7},
        "warnings": [],
    }


def test_a_whole_record_is_kept_but_for_its_source() -> None:
    given = {
        "schema_version": 1,
        "run_id": "run-1",
        "question_id": " Q é ",
        "variant_id": "v2",
        "benchmark": "b",
        "script": "Latn",
        "language": "is",
        "model": "m",
        "rephrasing_model": "writer",
        "filter": "strict",
        "repeat_id": 3,
        "identity_scope": "stable",
        "input": {"question": "?", "choices": ["a", "b"]},
        "target": {"index": 0},
        "prediction": {"index": 1, "index_pmi": 0},
        "correct": False,
        "scores": {"likelihoods": [-1.5, None], "logprobs": [-1, -2]},
        "metrics": {"acc": 0.0, "by_part": [True, None]},
        "response": ["a", {"b": None}],
        "source": "elsewhere",
        "warnings": ["mind the gap"],
    }
    assert record_of(given) == {**given, "source": {"path": "runs/run-1/raw/0001-items.jsonl", "line": 7}}


def test_further_keys_follow_in_the_producers_order() -> None:
    record = record_of({"zeta": None, **LEAST, "alpha": {"b": 1, "a": 2}})
    assert list(record)[len(FIELDS) :] == ["zeta", "alpha"]
    assert record["alpha"] == {"b": 1, "a": 2}


def test_records_of_two_lines_share_no_warning() -> None:
    normaliser = ADAPTER.normaliser(file_context())
    normaliser.records(line(identity_scope="run-local"), 1)
    (second,) = normaliser.records(line(), 2)
    assert second["warnings"] == []
    assert second["identity_scope"] == "stable"


@pytest.mark.parametrize(
    ("changes", "field", "value"),
    [
        pytest.param({"question_id": 7}, "question_id", "7", id="an integer id becomes its text"),
        pytest.param({"question_id": 10**30}, "question_id", "1" + "0" * 30, id="a long integer id stays exact"),
        pytest.param({"repeat_id": "3"}, "repeat_id", 3, id="a plain decimal repeat becomes an integer"),
        pytest.param({"repeat_id": "03"}, "repeat_id", "03", id="another repeat text stays"),
        pytest.param({"repeat_id": None}, "repeat_id", 0, id="a null repeat is the only one"),
        pytest.param({"filter": None}, "filter", "none", id="a null filter is none"),
        pytest.param({"identity_scope": None}, "identity_scope", "stable", id="a null scope says nothing"),
        pytest.param({"run_id": None, "model": None}, "model", "m", id="a null model is the run's"),
        pytest.param({"correct": True}, "correct", True, id="true stays true"),
    ],
)
def test_a_field_is_read(changes: dict[str, Any], field: str, value: Any) -> None:
    found = record_of(line(**changes))[field]
    assert (found, type(found)) == (value, type(value))


def test_options_fill_what_the_line_leaves_open() -> None:
    given = {"question_id": "q", "variant_id": "theirs"}
    record = record_of(given, benchmark="b", language="is", script="Latn", filter="f", repeat_id=2, variant="ours")
    named = ("benchmark", "language", "script", "filter", "repeat_id", "variant_id")
    assert [record[name] for name in named] == ["b", "is", "Latn", "f", 2, "ours"]


def test_the_runs_benchmark_stands_in_last() -> None:
    assert record_of({"question_id": "q", "variant_id": "v"}, metadata={"benchmark": "run's"})["benchmark"] == "run's"


def test_a_line_that_calls_itself_run_local_gets_an_id_that_pairs_with_nothing() -> None:
    records, tally = normalised(ADAPTER, line(identity_scope="run-local", warnings=["kept"]), file_context())
    assert records[0]["question_id"] == f"{RAW_SHA256}:7"
    assert records[0]["identity_scope"] == "run-local"
    assert records[0]["warnings"] == ["kept", "the producer calls this identity run-local; its own id was 'q1'"]
    assert (tally.stable, tally.run_local, dict(tally.warnings)) == (0, 1, {"I011": 1})


def test_a_field_asked_for_by_name_is_another_identity_than_the_one_called_run_local() -> None:
    record = record_of(line(identity_scope="run-local", key={"n": 4}), id_field=["key.n"])
    assert (record["question_id"], record["identity_scope"], record["warnings"]) == ("4", "stable", [])


def test_a_line_without_the_field_asked_for_is_run_local_with_a_warning() -> None:
    records, tally = normalised(ADAPTER, line(), file_context(id_field=["target"]))
    assert records[0]["identity_scope"] == "run-local"
    assert records[0]["warnings"] == [
        "the line lacks the field of --id-field target; it counts in summaries, not in pairs"
    ]
    assert dict(tally.warnings) == {"I010": 1}


def test_a_position_asked_for_is_run_local() -> None:
    assert record_of(line(doc_id=3), id_field=["doc_id"])["question_id"] == f"{RAW_SHA256}:7"


def test_a_field_asked_for_in_another_benchmark_leaves_the_question_id() -> None:
    assert record_of(line(key="k"), id_field=["other=key"])["question_id"] == "q1"


def test_the_selection_auto_reads_the_question_id_alone() -> None:
    assert record_of(line(original_question_id="deeper"), id_field=["auto"])["question_id"] == "q1"


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        pytest.param({"variant_id": "v", "benchmark": "b"}, [("C001", "$.question_id")], id="no question_id"),
        pytest.param(line(question_id=None), [("I002", "$.question_id")], id="a null question_id"),
        pytest.param(line(question_id=True), [("I002", "$.question_id")], id="a boolean question_id"),
        pytest.param(line(question_id=1.0), [("I002", "$.question_id")], id="a fraction as question_id"),
        pytest.param(line(question_id=" \t"), [("I002", "$.question_id")], id="a blank question_id"),
        pytest.param(line(question_id=["q"]), [("I002", "$.question_id")], id="a list as question_id"),
        pytest.param({"question_id": "q", "benchmark": "b"}, [("R004", "$.variant_id")], id="no variant_id"),
        pytest.param(line(variant_id=""), [("R001", "$.variant_id")], id="an empty variant_id"),
        pytest.param({"question_id": "q", "variant_id": "v"}, [("R003", "$.benchmark")], id="no benchmark"),
        pytest.param(line(language=["en"]), [("R001", "$.language")], id="a list as language"),
        pytest.param(line(model="other"), [("R002", "$.model")], id="another model"),
        pytest.param(line(run_id="other"), [("R002", "$.run_id")], id="another run"),
        pytest.param(line(repeat_id=True), [("R005", "$.repeat_id")], id="a boolean repeat"),
        pytest.param(line(repeat_id=1.0), [("R005", "$.repeat_id")], id="a fraction as repeat"),
        pytest.param(line(rephrasing_model=3), [("R001", "$.rephrasing_model")], id="a number as rephrasing model"),
        pytest.param(line(schema_version=2), [("C002", "$.schema_version")], id="another schema version"),
        pytest.param(line(schema_version=None), [("C002", "$.schema_version")], id="a null schema version"),
        pytest.param(line(schema_version=1.0), [("C002", "$.schema_version")], id="a fraction as schema version"),
        pytest.param(line(schema_version=True), [("C002", "$.schema_version")], id="a boolean schema version"),
        pytest.param(line(identity_scope="global"), [("C002", "$.identity_scope")], id="an unknown scope"),
        pytest.param(line(correct=1), [("C002", "$.correct")], id="one is not true"),
        pytest.param(line(correct="true"), [("C002", "$.correct")], id="a text is not true"),
        pytest.param(line(input="?"), [("C002", "$.input")], id="a text as input"),
        pytest.param(line(scores=[1]), [("C002", "$.scores")], id="a list as scores"),
        pytest.param(line(metrics=None), [("C002", "$.metrics")], id="null metrics"),
        pytest.param(line(warnings="w"), [("C002", "$.warnings")], id="a text as warnings"),
        pytest.param(line(warnings=["w", None]), [("C002", "$.warnings[1]")], id="a null warning"),
        pytest.param(line(input=CHOICES, target={"index": 3}), [("R021", "$.target.index")], id="target behind"),
        pytest.param(line(target={"index": -1}), [("R020", "$.target.index")], id="a negative target"),
        pytest.param(
            line(input=CHOICES, prediction={"index": 0, "index_norm": 5, "index_pmi": True}),
            [("R021", "$.prediction.index_norm"), ("R020", "$.prediction.index_pmi")],
            id="predictions that point nowhere",
        ),
        pytest.param(
            line(input=CHOICES, scores={"likelihoods": [1], "logprobs_x": [1, 2], "logprobs": [1, 2, 3]}),
            [("R023", "$.scores.likelihoods"), ("R023", "$.scores.logprobs_x")],
            id="arrays of other lengths",
        ),
    ],
)
def test_a_faulty_line_is_refused(given: dict[str, Any], expected: list[tuple[str, str]]) -> None:
    assert places(faults(ADAPTER, given, file_context())) == expected


def test_all_faults_of_a_line_are_told_at_once() -> None:
    given = {
        "question_id": False,
        "model": "other",
        "filter": 1,
        "repeat_id": {},
        "correct": 0,
        "input": {"choices": []},
        "target": {"index": 0},
    }
    assert places(faults(ADAPTER, given, file_context())) == [
        ("R002", "$.model"),
        ("R003", "$.benchmark"),
        ("R004", "$.variant_id"),
        ("R001", "$.filter"),
        ("R005", "$.repeat_id"),
        ("I002", "$.question_id"),
        ("C002", "$.correct"),
        ("R021", "$.target.index"),
    ]


def test_a_benchmark_of_no_use_is_told_once() -> None:
    assert places(faults(ADAPTER, line(benchmark=5), file_context(id_field=["b=key"]))) == [("R001", "$.benchmark")]


def test_a_faulty_field_that_was_asked_for_is_refused() -> None:
    assert places(faults(ADAPTER, line(key=None), file_context(id_field=["key"]))) == [("I002", "$.key")]


def test_a_wrong_scope_is_refused_also_where_a_field_was_asked_for() -> None:
    given = line(key="k", identity_scope=["stable"])
    assert places(faults(ADAPTER, given, file_context(id_field=["key"]))) == [("C002", "$.identity_scope")]


@pytest.mark.parametrize("name", ["benchmark", "language", "script", "filter"])
def test_a_line_that_says_otherwise_than_an_option_is_refused(name: str) -> None:
    given, option = line(**{name: "theirs"}), dict[str, Any]({name: "ours"})
    assert places(faults(ADAPTER, given, file_context(**option))) == [("R002", f"$.{name}")]


@pytest.mark.parametrize("repeat", [True, 1.0])
def test_what_equals_a_repeat_that_was_seen_before_is_not_taken_for_it(repeat: Any) -> None:
    normaliser = ADAPTER.normaliser(file_context())
    normaliser.records(line(repeat_id=1), 1)
    with pytest.raises(LineRefused) as refused:
        normaliser.records(line(repeat_id=repeat), 2)
    assert places(list(refused.value.findings)) == [("R005", "$.repeat_id")]


@pytest.mark.parametrize(
    "changes",
    [
        pytest.param({"input": {**CHOICES, "arguments": [1, 2]}, "scores": {"likelihoods": [1, 2]}}, id="by request"),
        pytest.param({"input": {"choices": "['a', 'b']"}, "target": {"index": 9}}, id="choices that are a text"),
        pytest.param({"input": {"choices": {"text": ["a"]}}, "target": {"index": 9}}, id="choices that are an object"),
        pytest.param({"input": CHOICES, "scores": {"logprobs": {"a": 1}}}, id="scores by name"),
        pytest.param({"input": CHOICES, "scores": {"entropy": [1]}}, id="scores of another kind"),
        pytest.param({"input": CHOICES, "target": {"index": 9, "page": 2}}, id="a target of the producer's own shape"),
        pytest.param({"input": CHOICES, "target": {"index": None}}, id="an unknown target"),
        pytest.param({"input": CHOICES, "target": {}}, id="an empty target"),
        pytest.param({"scores": {"logprobs": [1, 2], "logprobs_norm": [1]}}, id="no choices to disagree with"),
    ],
)
def test_what_says_nothing_of_the_choice_count_is_kept(changes: dict[str, Any]) -> None:
    record = record_of(line(**changes))
    assert {name: record[name] for name in changes} == changes


def test_the_tally_is_handed_over_once() -> None:
    normaliser = ADAPTER.normaliser(file_context())
    normaliser.records(line(), 1)
    normaliser.records(line(identity_scope="run-local"), 2)
    first, second = normaliser.take(), normaliser.take()
    assert (first.stable, first.run_local, second.stable, second.run_local) == (1, 1, 0, 0)


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        pytest.param({"question_id": "q", "variant_id": "v"}, True, id="question and variant"),
        pytest.param({"identity_scope": "stable"}, True, id="a scope"),
        pytest.param(
            {"identity_scope": "stable", "doc": {}, "resps": []}, True, id="a scope and a harness line's keys"
        ),
        pytest.param({"identity_scope": "stable", "original": {}, "rephrased": {}}, False, id="a scope on a pair"),
        pytest.param({"question_id": "q"}, False, id="a question alone"),
        pytest.param({"question_id": "q", "variant_id": "v", "doc": {}, "resps": []}, False, id="a harness line"),
        pytest.param({"question_id": "q", "variant_id": "v", "original": {}}, False, id="a paired line"),
    ],
)
def test_a_line_is_recognised_by_its_identity(given: dict[str, Any], expected: bool) -> None:
    assert ADAPTER.recognises(given) is expected


def test_more_combinations_than_are_remembered_are_read_as_well(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("itemproof.adapters.canonical._REMEMBERED", 1)
    normaliser = ADAPTER.normaliser(file_context())
    for name in ("f1", "f2", "f2", "f1"):
        (record,) = normaliser.records(line(filter=name), 1)
        assert record["filter"] == name


def test_a_fault_that_cannot_be_named_is_not_swallowed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("itemproof.adapters.canonical.CanonicalFaults.of", lambda _self, _line: [])
    with pytest.raises(msgspec.ValidationError):
        ADAPTER.normaliser(file_context()).records(line(correct=1), 1)


#: A value of the option for each field that one may fill.
OPTIONS: dict[str, tuple[str, Any, str]] = {
    "variant_id": ("variant", "v", "R001"),
    "benchmark": ("benchmark", "b", "R001"),
    "language": ("language", "is", "R001"),
    "script": ("script", "Latn", "R001"),
    "filter": ("filter", "f", "R001"),
    "repeat_id": ("repeat_id", 1, "R005"),
}


@pytest.mark.parametrize("value", [["x"], [], {"x": 1}, {}], ids=["list", "empty list", "object", "empty object"])
@pytest.mark.parametrize("field", OPTIONS)
def test_an_option_hides_no_list_or_object_in_its_field(field: str, value: Any) -> None:
    option, given, code = OPTIONS[field]
    found = faults(ADAPTER, line(**{field: value}), file_context(**{option: given}))
    assert places(found) == [(code, f"$.{field}")]


def test_a_number_and_its_text_are_one_repeat() -> None:
    for number in (10**18, 2**63 - 1, 2**63, 2**64, -(2**63) - 1):
        assert record_of(line(repeat_id=number))["repeat_id"] == record_of(line(repeat_id=str(number)))["repeat_id"]
