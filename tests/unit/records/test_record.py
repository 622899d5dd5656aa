"""The shape of a record and what makes it one of its kind."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from itemproof.records.record import FIELDS, Key, Record, RecordDict, key_of

RECORD: RecordDict = {
    "schema_version": 1,
    "run_id": "run-1",
    "question_id": "q1",
    "variant_id": "original",
    "benchmark": "b",
    "script": None,
    "language": "is",
    "model": "m",
    "rephrasing_model": None,
    "filter": "none",
    "repeat_id": 0,
    "identity_scope": "stable",
    "input": {},
    "target": None,
    "prediction": [1, {"a": None}],
    "correct": None,
    "scores": {},
    "metrics": {},
    "response": "",
    "source": {"path": "runs/run-1/raw/0001-a.jsonl", "line": 1},
    "warnings": [],
}


def test_the_fields_are_the_contracts_in_its_order() -> None:
    assert tuple(RECORD) == FIELDS
    assert len(FIELDS) == 21


def test_a_record_may_carry_more() -> None:
    assert msgspec.convert({**RECORD, "extra": 1}, Record).target is None


@pytest.mark.parametrize("name", FIELDS)
def test_every_field_must_be_there(name: str) -> None:
    with pytest.raises(msgspec.ValidationError, match=f"missing required field `{name}`"):
        msgspec.convert({key: value for key, value in RECORD.items() if key != name}, Record)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("schema_version", 2),
        ("schema_version", True),
        ("schema_version", 1.0),
        ("run_id", ""),
        ("question_id", ""),
        ("question_id", 1),
        ("variant_id", None),
        ("benchmark", ""),
        ("script", ""),
        ("language", 1),
        ("model", None),
        ("rephrasing_model", []),
        ("filter", None),
        ("repeat_id", None),
        ("repeat_id", True),
        ("repeat_id", 0.0),
        ("repeat_id", ""),
        ("identity_scope", "global"),
        ("identity_scope", None),
        ("input", None),
        ("input", []),
        ("correct", 1),
        ("correct", "true"),
        ("scores", []),
        ("metrics", None),
        ("source", {"path": "x", "line": 0}),
        ("source", {"path": "", "line": 1}),
        ("source", "x:1"),
        ("warnings", None),
        ("warnings", [1]),
    ],
)
def test_a_field_of_another_type_is_refused(name: str, value: Any) -> None:
    with pytest.raises(msgspec.ValidationError, match=rf"`\$\.{name}"):
        msgspec.convert({**RECORD, name: value}, Record)


def test_a_key_says_what_may_occur_once_in_a_run() -> None:
    assert key_of(RECORD) == Key("b", "is", None, "q1", "original", "none", 0)
    assert key_of(RECORD) == key_of({**RECORD, "correct": True, "input": {"question": "?"}})


@pytest.mark.parametrize("name", Key._fields)
def test_each_part_of_a_key_tells_records_apart(name: str) -> None:
    assert key_of({**RECORD, name: "other"}) != key_of(RECORD)


def test_an_integer_repeat_is_not_its_text() -> None:
    assert key_of({**RECORD, "repeat_id": "0"}) != key_of(RECORD)
