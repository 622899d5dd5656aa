"""What holds for every harness line and results file, however odd."""

from __future__ import annotations

import copy
import json
import math
from typing import Any

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from harness_lines import choice_line, digest, harness_context, text_line
from itemproof.adapters.base import LineRefused, Tally
from itemproof.adapters.harness import HarnessAdapter
from itemproof.adapters.harness_hashes import HarnessHashes
from itemproof.adapters.harness_pattern import name_pattern
from itemproof.adapters.harness_requests import answers_of, fast_answers
from itemproof.adapters.harness_results import facts_of, is_results, model_of
from itemproof.adapters.harness_table import notices, reproduce
from itemproof.core.errors import InvalidInput
from itemproof.records.record import FIELDS, Record

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
NUMBER = st.floats(allow_nan=False, allow_infinity=False) | st.integers(-(10**25), 10**25)
JSON = st.recursive(
    st.none() | st.booleans() | NUMBER | TEXT,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=4),
    max_leaves=12,
)
NUMBER_TEXT = (
    st.floats().map(str) | st.integers().map(str) | st.sampled_from(["1_0", " -1.0", "1.", "null", "[1", "2]", ""])
)
LEAF = st.tuples(NUMBER_TEXT, st.sampled_from(["True", "False"])).map(list) | JSON

#: Keys that a line may have, with values that are often right and sometimes anything.
KEYS = {
    "doc_id": st.integers(0, 3) | JSON,
    "doc": st.dictionaries(st.sampled_from(["id", "language", "question"]), JSON, max_size=3) | JSON,
    "arguments": st.just(choice_line()["arguments"]) | st.lists(st.lists(JSON, max_size=3), max_size=3) | JSON,
    "resps": st.lists(st.lists(LEAF, max_size=2), max_size=3) | JSON,
    "filtered_resps": st.lists(LEAF, max_size=3) | JSON,
    "filter": st.sampled_from(["none", "strict"]) | JSON,
    "metrics": st.lists(st.sampled_from(["acc", "exact_match", "acc_mutual_info", "gone"]), max_size=3) | JSON,
    "acc": st.sampled_from([0, 1, 0.0, 1.0, True, False]) | JSON,
    "exact_match": JSON,
    "acc_mutual_info": JSON,
    "target": JSON,
    "doc_hash": TEXT | JSON,
    "warnings": st.lists(TEXT, max_size=2) | JSON,
    "repeat_id": st.integers() | JSON,
    "prediction": JSON,
    "mine": JSON,
    "question": JSON,
}
OFTEN_THERE = ("doc", "filtered_resps")
ODD_LINE = st.fixed_dictionaries(
    {key: KEYS[key] for key in OFTEN_THERE},
    optional={key: strategy for key, strategy in KEYS.items() if key not in OFTEN_THERE},
)
LINE = ODD_LINE | st.integers(0, 9).map(choice_line) | st.integers(0, 9).map(text_line)


def outcome(line: dict[str, Any], number: int, normaliser: Any) -> Any:
    """The record as it would be written, or the codes and places of the line's faults."""
    try:
        (record,) = normaliser.records(copy.deepcopy(line), number)
    except LineRefused as refused:
        return [(finding.code.id, finding.where.path) for finding in refused.findings]
    return json.dumps(record, ensure_ascii=False, allow_nan=False)


@given(LINE)
def test_every_line_is_a_whole_record_or_refused_with_codes_and_places(line: dict[str, Any]) -> None:
    found = outcome(line, 1, HarnessAdapter().normaliser(harness_context()))
    if isinstance(found, list):
        assert found
        return
    record = json.loads(found)
    assert list(record)[: len(FIELDS)] == list(FIELDS)
    msgspec.convert(record, Record)
    assert record["response"] == {key: line[key] for key in ("resps", "filtered_resps") if key in line}
    assert record["target"] == line.get("target")
    assert record["input"]["document"] == line["doc"]


@given(st.lists(LINE, max_size=5))
def test_a_record_does_not_depend_on_the_lines_before_it(lines: list[dict[str, Any]]) -> None:
    # A document that occurs twice without a filter is refused by design; here each has its own position.
    placed = [line | {"doc_id": place} for place, line in enumerate(lines)]
    together = HarnessAdapter().normaliser(harness_context(id_field=["auto"]))
    for number, line in enumerate(placed, start=1):
        alone = HarnessAdapter().normaliser(harness_context(id_field=["auto"]))
        assert outcome(line, number, together) == outcome(line, number, alone)


@given(st.lists(LINE, max_size=6), st.integers(0, 6))
def test_the_tallies_of_two_stretches_add_up_to_that_of_the_whole(lines: list[dict[str, Any]], cut: int) -> None:
    placed = list(enumerate(lines, start=1))
    whole = HarnessAdapter().normaliser(harness_context())
    parts = HarnessAdapter().normaliser(harness_context())
    total = Tally()
    for number, line in placed:
        outcome(line, number, whole)
    for stretch in (placed[:cut], placed[cut:]):
        for number, line in stretch:
            outcome(line, number, parts)
        total.add(parts.take())
    due = whole.take()
    assert (total.stable, total.run_local, total.unhashed) == (due.stable, due.run_local, due.unhashed)
    assert (total.warnings, total.populated, total.not_binary) == (due.warnings, due.populated, due.not_binary)
    assert {use: count for use, (count, _) in total.sums.items()} == {
        use: count for use, (count, _) in due.sums.items()
    }


@given(st.lists(LEAF, min_size=1, max_size=4), st.data())
def test_the_fast_way_and_the_other_agree(filtered: list[Any], data: Any) -> None:
    second: st.SearchStrategy[Any] = st.just(" a") | st.just({"until": []})
    arguments = [["p", data.draw(second)] for _ in filtered]
    fast = fast_answers(arguments, filtered)
    if fast is not None:
        assert answers_of(arguments, None, filtered) == (*fast, None, [])


@given(st.lists(st.tuples(NUMBER_TEXT, st.sampled_from(["True", "False"])).map(list), max_size=4))
def test_a_generation_is_never_made_a_number(filtered: list[Any]) -> None:
    arguments = [["p", {"until": []}] for _ in filtered]
    found = answers_of(arguments, None, filtered)
    assert (found.likelihoods, found.greedy) == ([], [])
    assert found.prediction == (None if not filtered else filtered[0] if len(filtered) == 1 else filtered)


@given(JSON, TEXT, JSON)
def test_the_digests_of_any_document_prompt_and_target_are_made_again(doc: Any, prompt: str, target: Any) -> None:
    made = {
        "doc_hash": digest(json.dumps(doc, indent=2, ensure_ascii=False)),
        "prompt_hash": digest(prompt),
        "target_hash": digest(str(target)),
    }
    line = {"doc": doc, "target": target, **made}
    assert HarnessHashes().check(line, [[prompt, " a"]]) == ("".join(made.values()), made["doc_hash"], "")


@given(JSON | st.fixed_dictionaries({}, optional=dict.fromkeys(["results", "configs", "config", "n-samples"], JSON)))
def test_no_results_file_stops_anything(data: Any) -> None:
    facts = facts_of(data)
    json.dumps(facts)
    assert isinstance(is_results(data), bool)
    assert model_of(data) is None or isinstance(model_of(data), str)
    assert reproduce({"t": Tally()}, data) == {"agree": 0, "differ": []}
    assert isinstance(notices("t", Tally(), None, facts), list)


@given(st.lists(st.sampled_from([0.0, 1.0]), min_size=1, max_size=20))
def test_the_mean_that_the_harness_reports_is_made_again(values: list[float]) -> None:
    normaliser = HarnessAdapter().normaliser(harness_context(task="t"))
    for number, value in enumerate(values):
        normaliser.records(choice_line(number, acc=value), number + 1)
    table = {"acc,none": math.fsum(values) / len(values), "acc_norm,none": 0.0}
    data = {"results": {"t": table}, "configs": {"t": {"metric_list": [{"metric": "acc"}, {"metric": "acc_norm"}]}}}
    assert reproduce({"t": normaliser.take()}, data) == {"agree": 2, "differ": []}


@given(st.text("ab_-", min_size=1, max_size=12))
def test_a_reading_of_a_name_puts_together_to_the_name(task: str) -> None:
    pattern = name_pattern("{benchmark}_{language}[_{variant}]")
    try:
        parts = pattern.read(task)
    except InvalidInput:
        return
    assert "_".join(parts[name] for name in ("benchmark", "language", "variant") if name in parts) == task
