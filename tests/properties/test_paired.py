"""Whatever a paired line says, an answer is right by its own wording's key alone, and unknown is never wrong."""

from __future__ import annotations

from typing import Any

import jsonschema
from hypothesis import assume, given
from hypothesis import strategies as st

from itemproof.adapters.paired import PairedAdapter
from itemproof.records.record import FIELDS, key_of
from itemproof.records.schema import schema_of
from normalising import attempt, file_context

ADAPTER = PairedAdapter()
SCHEMA = jsonschema.Draft202012Validator(schema_of("record-v1"))
ABSENT = object()

maybe_index = st.sampled_from([ABSENT, None, 0, 1, 2, 3])
choices = st.sampled_from([ABSENT, None, ["a", "b", "c"], ["b", "a", "c"], ["a", "b"], []])


def present(**fields: Any) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if value is not ABSENT}


wordings = st.builds(
    present,
    choices=choices,
    correct_index=maybe_index,
    pred_acc=maybe_index,
    pred_acc_norm=maybe_index,
    logprobs=st.sampled_from([ABSENT, None, [-1.0, -2, None], [0.5, 1]]),
    f1=st.floats(0, 1),
)


def known_key(wording: dict[str, Any], other: dict[str, Any], shared: Any, *, asserted: bool) -> Any:
    """The key by the contract, said another way: its own, else the line's where nothing speaks against it."""
    if "correct_index" in wording or shared is ABSENT:
        return wording.get("correct_index")
    if wording is other:
        return shared
    mine, theirs = wording.get("choices"), other.get("choices")
    if mine is None or theirs is None:
        return shared if asserted else None
    return shared if mine == theirs else None


@given(wordings, wordings, maybe_index, st.booleans())
def test_correct_follows_from_the_wordings_own_index_and_key(
    original: dict[str, Any], rephrased: dict[str, Any], shared: Any, asserted: bool
) -> None:
    line = present(id=1, benchmark="b", original=original, rephrased=rephrased, correct_index=shared)
    context = file_context(metadata={"shared_answer_key": asserted})
    records, findings = attempt(ADAPTER.normaliser(context), line)
    assume(not findings)
    for record, wording in zip(records, (original, rephrased), strict=True):
        SCHEMA.validate(record)
        key, chosen = known_key(wording, original, shared, asserted=asserted), wording.get("pred_acc")
        assert record["target"] == (None if key is None else {"index": key})
        assert record["correct"] is (None if key is None or chosen is None else key == chosen)
        assert record["metrics"] == {"f1": wording["f1"]}
        assert record["scores"] == {n: wording[n] for n in ("logprobs",) if wording.get(n) is not None}
        assert list(record)[: len(FIELDS)] == list(FIELDS)
    assert key_of(records[0]) != key_of(records[1])


@given(wordings, st.permutations(["original", "rephrased", "id", "benchmark"]))
def test_the_order_of_keys_on_the_line_changes_nothing(wording: dict[str, Any], order: list[str]) -> None:
    line = {"original": wording, "rephrased": wording, "id": "q", "benchmark": "b"}
    found = attempt(ADAPTER.normaliser(file_context()), {name: line[name] for name in order})
    assert found == attempt(ADAPTER.normaliser(file_context()), line)


json_values = st.sampled_from([None, True, -1, 0, 9, 1.0, "", "x", [], [1], ["x"], {}, {"index": 0}])
names = st.sampled_from(
    [
        *FIELDS,
        "original",
        "rephrased",
        "choices",
        "correct_index",
        "pred_acc",
        "logprobs",
        "generated_text",
        "id",
        "doc",
    ]
)
anything = st.dictionaries(names, json_values | st.dictionaries(names, json_values, max_size=4), max_size=6)


@given(anything, st.dictionaries(names, json_values, max_size=4))
def test_any_line_becomes_two_valid_records_or_is_refused_with_a_place(
    changes: dict[str, Any], wording: dict[str, Any]
) -> None:
    line = {"id": "q", "benchmark": "b", "original": wording, "rephrased": {}, **changes}
    normaliser = ADAPTER.normaliser(file_context())
    records, findings = attempt(normaliser, line)
    assert len(records) == (0 if findings else 2)
    assert all(str(finding.where.path).startswith("$.") for finding in findings)
    tally = normaliser.take()
    assert tally.stable + tally.run_local == len(records)
    for record in records:
        SCHEMA.validate(record)
