"""Response files in their three forms, and what becomes of records that are odd, absent or wrong."""

from __future__ import annotations

import gzip
import json
from typing import Any

import pytest

from itemproof.app.generation import Evaluated
from itemproof.core.errors import InvalidInput
from unit.generation.records import RESPONSE, Scoring, a_response, lines

GOOD = (a_response("A", "Equal[1, 1]"), a_response("B", "AllNodes[]"))
BATCH = {"schema_version": "coglang-generation-eval-response-batch/v0.1", "tool": "t"}


def categories(evaluated: Evaluated) -> list[list[str]]:
    """The failure categories of the cases, in order."""
    return [list(case["failure_categories"]) for case in evaluated.result["cases"]]


FORMS: dict[str, str | bytes] = {
    "lines": lines(*GOOD),
    "lines without a last line end": lines(*GOOD).rstrip(),
    "lines with blank ones between": lines(*GOOD).replace("\n", "\n \n\r\n"),
    "lines with CR": lines(*GOOD).replace("\n", "\r\n"),
    "lines behind a byte order mark": b"\xef\xbb\xbf" + lines(*GOOD).encode(),
    "lines in another order": lines(*reversed(GOOD)),
    "a list": json.dumps(GOOD),
    "a list over several lines": json.dumps(GOOD, indent=2),
    "a list behind a byte order mark": b"\xef\xbb\xbf" + json.dumps(GOOD).encode(),
    "a batch": json.dumps({**BATCH, "responses": GOOD}),
    "a batch over several lines": json.dumps({**BATCH, "responses": GOOD}, indent=2),
    "a batch of answers": json.dumps({"answers": GOOD}),
    "a batch whose list stands first": json.dumps({"responses": GOOD, **BATCH}, indent=1),
    "a batch in another order": json.dumps({**BATCH, "responses": GOOD[::-1]}),
    "records without a version": lines(*({"case_id": r["case_id"], "output": r["output"]} for r in GOOD)),
    "the other names of an output": lines(
        {"case_id": "A", "text": "Equal[1, 1]"}, {"case_id": "B", "completion": "AllNodes[]"}
    ),
    "a null before another name": lines(a_response("A", None, text="Equal[1, 1]"), GOOD[1]),
    "extra fields, a list of responses among them": lines(
        a_response("A", "Equal[1, 1]", responses=[1], raw={"a": 1.5}), a_response("B", "AllNodes[]", text=5)
    ),
    "an escaped quote in a name": lines(*GOOD).replace('"output"', r'"outpu\u0074"'),
}


@pytest.mark.parametrize("form", FORMS)
def test_every_form_of_the_same_responses_gives_the_same_result(scoring: Scoring, form: str) -> None:
    evaluated = scoring(FORMS[form])

    assert evaluated.is_ok
    assert evaluated.result == scoring(lines(*GOOD)).result
    assert evaluated.warnings == []


def test_a_compressed_file_is_read_by_its_name(scoring: Scoring) -> None:
    assert scoring(gzip.compress(lines(*GOOD).encode()), name="responses.jsonl.gz").is_ok


@pytest.mark.parametrize("indent", [None, 2], ids=["on a line", "over several lines"])
def test_a_single_response_is_no_batch(scoring: Scoring, indent: int | None) -> None:
    assert categories(scoring(json.dumps(GOOD[0], indent=indent))) == [[], ["missing_output"]]


@pytest.mark.parametrize("text", ["", "\n \n", "[]", '{"responses": []}'])
def test_a_file_without_responses_leaves_every_case_without_an_output(scoring: Scoring, text: str) -> None:
    evaluated = scoring(text)

    assert categories(evaluated) == [["missing_output"], ["missing_output"]]
    assert evaluated.result["itemproof"]["missing_case_ids"] == ["A", "B"]
    assert not evaluated.is_ok


@pytest.mark.parametrize(
    ("record", "category"),
    [
        pytest.param(a_response("A", None), "missing_output", id="null"),
        pytest.param({"case_id": "A"}, "missing_output", id="no field"),
        pytest.param({"case_id": "A", "answer": "Equal[1, 1]"}, "missing_output", id="another field"),
        pytest.param(a_response("A", ""), "parse_error", id="an empty text"),
        pytest.param(a_response("A", "", text="Equal[1, 1]"), "parse_error", id="an empty text hides what follows"),
        pytest.param(a_response("A", "  \n"), "parse_error", id="a blank text"),
        pytest.param(a_response("A", "0"), "parse_error", id="a falsy text"),
        pytest.param(a_response("A", "False"), "top_level_head_mismatch", id="a false text"),
        pytest.param(a_response("A", "\ufeffEqual[1, 1]"), "validation_error", id="a mark that is not trimmed"),
        pytest.param(a_response("A", "Equal[1,\u00a01]"), None, id="a space that is no blank"),
        pytest.param(a_response("A", "\n  Equal[1, 1]\n"), None, id="blanks of the language"),
        pytest.param(a_response("A", 'Equal["a\u2028b", 1]'), None, id="a line separator"),
    ],
)
def test_an_output_is_scored_as_it_stands(scoring: Scoring, record: dict[str, Any], category: str | None) -> None:
    text = json.dumps(record, ensure_ascii=False) + "\n" + lines(GOOD[1])

    found = scoring(text)

    assert categories(found)[0][:1] == ([] if category is None else [category])
    output = record.get("output")
    assert found.result["cases"][0]["output"] == output


HALVES = {
    "lines": r'{"case_id": "A", "output": "Equal[\"\ud800\", 1]"}' + "\n" + lines(GOOD[1]),
    "a list": r'[{"case_id": "A", "output": "Equal[\"\ud800\", 1]"}, ' + json.dumps(GOOD[1]) + "]",
    "a batch": r'{"responses": [{"case_id": "A", "output": "Equal[\"\ud800\", 1]"}, ' + json.dumps(GOOD[1]) + "]}",
}


@pytest.mark.parametrize("form", HALVES)
def test_half_a_surrogate_pair_in_an_output_is_scored(scoring: Scoring, form: str) -> None:
    evaluated = scoring(HALVES[form])

    assert evaluated.is_ok
    assert evaluated.result["cases"][0]["canonical"] == 'Equal["\ud800", 1]'
    assert r"\ud800" in json.dumps(evaluated.result)


def test_half_a_surrogate_pair_in_a_response_over_several_lines_is_scored(scoring: Scoring) -> None:
    assert categories(scoring('{\n"case_id": "A",\n"output": "Equal[\\"\\ud800\\", 1]"}'))[0] == []


@pytest.mark.parametrize(
    "record",
    [
        r'{"case_id": "\ud800", "output": "x"}',
        r'{"case_id": "A", "output": "x", "model": "\udc00"}',
        r'{"case_id": "A", "output": "x", "text": "\ud800"}',
        r'{"case_id": "A", "output": "\ud800", "model": "\ud800"}',
    ],
)
def test_half_a_surrogate_pair_elsewhere_is_a_fault(scoring: Scoring, record: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        scoring(record)

    assert {found.code.id for found in refused.value.findings} == {"J005"}


def _faults(scoring: Scoring, text: str | bytes, **settings: Any) -> list[tuple[str, int | None, str | None]]:
    with pytest.raises(InvalidInput) as refused:
        scoring(text, **settings)
    assert refused.value.outcome in {"Nothing was scored.", ""}
    return [(found.code.id, found.where.line, found.where.path) for found in refused.value.findings]


def test_every_fault_of_every_record_is_told_with_its_line(scoring: Scoring) -> None:
    records: list[Any] = [
        {"case_id": 1, "output": ["x"], "schema_version": None},
        GOOD[0],
        {"custom_id": "A", "response": {}},
        a_response("A", "again"),
        a_response("B", True, schema_version=RESPONSE + "1"),
    ]
    text = lines(*records) + '{"case_id": "B"\n[1]\n'

    assert _faults(scoring, text) == [
        ("G011", 1, "$.case_id"),
        ("G013", 1, "$.schema_version"),
        ("G012", 1, "$.output"),
        ("G011", 3, "$.case_id"),
        ("G018", 4, "$.case_id"),
        ("G013", 5, "$.schema_version"),
        ("G012", 5, "$.output"),
        ("J001", 6, "$"),
        ("J011", 7, None),
    ]


def test_faults_of_a_list_have_the_line_and_the_path_of_their_element(scoring: Scoring) -> None:
    text = '{"responses": [\n  5,\n  {"case_id": "A", "output": 1},\n  {"case_id": "B", "b": 1, "b": 2}\n]}'

    assert _faults(scoring, text) == [
        ("G010", 2, "$.responses[0]"),
        ("G012", 3, "$.responses[1].output"),
        ("J002", 4, "$.responses[2].b"),
    ]


def test_more_faults_than_are_told_are_counted(scoring: Scoring) -> None:
    with pytest.raises(InvalidInput) as refused:
        scoring(json.dumps([5] * 5000))

    assert (len(refused.value.findings.kept), refused.value.findings.count) == (20, 5000)


def test_a_provider_s_envelope_is_recognised(scoring: Scoring) -> None:
    with pytest.raises(InvalidInput, match="custom_id looks like a provider's own envelope"):
        scoring(lines({"custom_id": "A", "response": {}}))


@pytest.mark.parametrize(
    ("text", "code"),
    [
        pytest.param('{\n"a": 1}', "G014", id="neither list"),
        pytest.param('{"responses": null}', "G014", id="a list that is null"),
        pytest.param('{"responses": {"a": 1}}', "G014", id="a list that is an object"),
        pytest.param('{"responses": [], "answers": []}', "G015", id="both lists"),
        pytest.param('{"responses": null, "answers": []}', "G015", id="both, one null"),
        pytest.param('{"responses": []}\n{"responses": []}\n', "J001", id="two batches"),
        pytest.param('[{"case_id": "A"}', "J001", id="a list that is not closed"),
        pytest.param('"text"', "J011", id="a text"),
        pytest.param("42", "J011", id="a number"),
        pytest.param("Equal[1, 1]\n", "J001", id="no JSON"),
        pytest.param("\ufeff{}".encode("utf-16"), "J012", id="UTF-16"),
        pytest.param(gzip.compress(b"{}"), "J020", id="gzip under a plain name"),
        pytest.param(b'{"case_id": "\xff"}', "J007", id="no UTF-8"),
        pytest.param('{"case_id": "A", "n": 1e999}', "J003", id="a number too large"),
        pytest.param('{"case_id": "A", "n": NaN}', "J003", id="not a number"),
        pytest.param('{"case_id": "A", "n": ' + "[" * 300 + "]" * 300 + "}", "J006", id="nested too deeply"),
        pytest.param('{"case_id": "A", "output": "a", "output": "b"}', "J002", id="a key twice"),
    ],
)
def test_a_file_that_is_none_of_the_forms_is_refused(scoring: Scoring, text: str | bytes, code: str) -> None:
    assert [one[0] for one in _faults(scoring, text)] == [code]


def test_a_line_over_the_limit_is_refused(scoring: Scoring) -> None:
    text = lines(a_response("A", "x" * 200), GOOD[1])

    assert _faults(scoring, text, max_line_bytes=200) == [("J010", 1, None)]


def test_a_batch_of_another_version_is_warned_of_and_strictly_a_fault(scoring: Scoring) -> None:
    text = json.dumps({"schema_version": "x/v9", "responses": GOOD})

    evaluated = scoring(text)

    assert evaluated.is_ok
    assert [(found.code.id, found.where.path) for found in evaluated.warnings] == [("G016", "$.schema_version")]
    assert len(evaluated.result["itemproof"]["warnings"]) == 1
    assert _faults(scoring, text, strict=True) == [("G016", None, "$.schema_version")]
