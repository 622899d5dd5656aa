"""Whatever a canonical line says, it becomes a valid record that says the same, or it is refused with a reason."""

from __future__ import annotations

import copy
from typing import Any

import jsonschema
import msgspec
from hypothesis import given
from hypothesis import strategies as st

from itemproof.adapters.canonical import CanonicalAdapter
from itemproof.adapters.canonical_faults import CanonicalFaults
from itemproof.files.strict_json import dumps_line, loads
from itemproof.records.record import FIELDS, Record
from itemproof.records.schema import schema_of
from normalising import attempt, file_context, normalised

ADAPTER = CanonicalAdapter()
CONTEXT = file_context()
SCHEMA = jsonschema.Draft202012Validator(schema_of("record-v1"))

texts = st.text(min_size=1).filter(lambda text: not text.isspace())
scalars = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text()
values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)
objects = st.dictionaries(st.text(max_size=8).filter(lambda name: name != "choices"), values, max_size=3)
#: A list cannot be taken for choice indices, whatever it holds.
unread = st.lists(values, max_size=3) | scalars

sound = st.fixed_dictionaries(
    {"question_id": texts | st.integers(), "variant_id": texts, "benchmark": texts},
    optional={
        "schema_version": st.just(1),
        "run_id": st.just("run-1"),
        "model": st.just("m"),
        "script": st.none() | texts,
        "language": st.none() | texts,
        "rephrasing_model": st.none() | texts,
        "filter": texts,
        "repeat_id": st.integers() | texts,
        "identity_scope": st.sampled_from(["stable", "run-local"]),
        "input": objects,
        "target": unread,
        "prediction": unread,
        "correct": st.none() | st.booleans(),
        "scores": objects,
        "metrics": objects,
        "response": values,
        "source": values,
        "warnings": st.lists(st.text(), max_size=3),
    },
)
extras = st.dictionaries(st.text(min_size=1).filter(lambda name: name not in FIELDS), values, max_size=3)


@given(sound, extras)
def test_a_sound_line_becomes_a_valid_record_that_says_the_same(line: dict[str, Any], more: dict[str, Any]) -> None:
    before = copy.deepcopy({**line, **more})
    (record,), tally = normalised(ADAPTER, {**line, **more}, CONTEXT)
    msgspec.convert(record, Record)
    SCHEMA.validate(record)
    assert repr(loads(dumps_line(record))) == repr(record)
    assert list(record) == [*FIELDS, *more]
    same = [name for name in line if name not in ("question_id", "repeat_id", "source", "warnings")]
    assert repr([record[name] for name in same]) == repr([before[name] for name in same])
    assert repr([record[name] for name in more]) == repr([before[name] for name in more])
    if line.get("identity_scope") != "run-local":
        assert record["question_id"] == str(line["question_id"])
        assert record["warnings"] == line.get("warnings", [])
    assert tally.stable + tally.run_local == 1


@given(sound)
def test_a_record_is_normalised_to_itself(line: dict[str, Any]) -> None:
    (first,), _ = normalised(ADAPTER, {**line, "identity_scope": "stable"}, CONTEXT)
    (second,), _ = normalised(ADAPTER, first, CONTEXT)
    assert repr(second) == repr(first)


#: Values that Python takes for one another, and those of every JSON type.
awkward = st.sampled_from([None, True, False, 0, 1, 1.0, 0.0, -1, "", " ", "1", "stable", [], [1], {}, {"index": 1}])
lines = st.dictionaries(st.sampled_from([*FIELDS, "extra"]), awkward | values, max_size=8)


@given(lines, sound)
def test_a_line_is_refused_exactly_when_it_has_a_fault(changes: dict[str, Any], base: dict[str, Any]) -> None:
    line = {**base, **changes}
    records, findings = attempt(ADAPTER.normaliser(CONTEXT), line)
    assert findings == CanonicalFaults(CONTEXT).of(line)
    assert bool(findings) is not bool(records)
    for record in records:
        SCHEMA.validate(record)


@given(st.lists(sound, min_size=2, max_size=4), lines)
def test_what_came_before_changes_nothing(earlier: list[dict[str, Any]], changes: dict[str, Any]) -> None:
    line = {**earlier[-1], **changes}
    used = ADAPTER.normaliser(CONTEXT)
    for before in earlier:
        attempt(used, before)
    assert repr(attempt(used, line)) == repr(attempt(ADAPTER.normaliser(CONTEXT), line))
