"""What differs between two runs is told, and what contradicts is refused."""

from __future__ import annotations

from typing import Any

import pytest

from builders import a_manifest
from itemproof.comparing.differences import differences, provenance_warnings, refuse_conflicts
from itemproof.core.errors import InvalidInput
from itemproof.records.comparison import Difference
from itemproof.records.manifest import FileEntry, ImportEntry, RunManifest


def a_run(*, model: str = "m", facts: dict[str, Any] | None = None, used: str = "acc", **metadata: Any) -> RunManifest:
    """A run with one file of the task `b`."""
    file = FileEntry(
        name="f",
        raw_path="r",
        raw_bytes=1,
        raw_sha256="0",
        records_path="p",
        records_bytes=1,
        records_sha256="0",
        longest_record_bytes=1,
        lines=1,
        records=1,
        scopes={},
        warnings={},
        metrics_used={"b": {"none": [used]}},
        task="b",
    )
    entry = ImportEntry(
        id="import-0001",
        timestamp="",
        format="harness",
        normaliser_version=1,
        variant=None,
        id_selection=[],
        options={},
        facts=facts or {},
        reproduced=None,
        notices=[],
        files=[file],
    )
    return a_manifest(model=model, metadata=metadata, imports=[entry])


def told(left: RunManifest, right: RunManifest) -> list[tuple[str, Any, Any]]:
    return [(one.key, one.left, one.right) for one in differences(left, right, {"b"})]


def test_equal_runs_differ_in_nothing() -> None:
    run = a_run(facts={"limit": 3, "date": 1.0, "tasks": {"b": {"n_shot": 5}}}, seeds={"random": 0})
    other = a_run(facts={"limit": 3, "date": 2.0, "tasks": {"b": {"n_shot": 5}}}, seeds={"random": 0})
    assert told(run, other) == []
    assert provenance_warnings(run, other, {"b"}) == []


def test_everything_that_differs_is_told_in_order() -> None:
    left = a_run(
        model="m1",
        facts={"chat_template_sha": "a", "tasks": {"b": {"n_shot": 5, "version": 1, "task_hash": "x"}}},
        seeds={"random": 0},
    )
    right = a_run(
        model="m2",
        facts={"limit": 10, "tasks": {"b": {"n_shot": 0, "version": 2, "task_hash": "y"}}},
        note="new",
        seeds={"random": 0},
    )
    assert told(left, right) == [
        ("model", "m1", "m2"),
        ("note", None, "new"),
        ("chat_template_sha", "a", None),
        ("limit", None, 10),
        ("version of b", "1", "2"),
        ("n_shot of b", 5, 0),
    ]


def test_a_side_without_facts_differs_in_none_of_them() -> None:
    assert told(a_run(facts={"limit": 3, "tasks": {"b": {"n_shot": 5}}}), a_run()) == []


def test_tasks_of_other_benchmarks_are_not_told() -> None:
    left, right = (a_run(facts={"tasks": {"b": {"n_shot": shots}}}) for shots in (0, 5))
    assert differences(left, right, {"c"}) == []
    assert differences(left, right, {"b"}) == [Difference(key="n_shot of b", left=0, right=5)]


def test_another_metric_producer_and_definition_are_warned_of_with_both_values() -> None:
    left = a_run(used="acc", producer={"name": "p", "version": "1"}, metric_definitions={"acc": "one"})
    right = a_run(used="exact_match", producer={"name": "p", "version": "2"})
    assert provenance_warnings(left, right, {"b"}) == [
        "producer: p 1 on the left, p 2 on the right.",
        "metric definitions: one on the left, nothing on the right.",
        "b: correctness comes from acc on the left, exact_match on the right.",
    ]


@pytest.mark.parametrize(
    "other", [{"dataset_revision": "r2"}, {"dataset_revision": {"b": "r2"}}], ids=["text", "object"]
)
def test_known_revisions_that_contradict_are_refused(other: dict[str, Any]) -> None:
    left, right = a_run(dataset_revision="r1"), a_run(**other)
    with pytest.raises(InvalidInput) as refused:
        refuse_conflicts(left, right, {"b"})
    (finding,) = refused.value.findings
    assert str(finding.code) == "I021"
    assert "r1" in finding.text
    assert "r2" in finding.text


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ({"dataset_revision": "r1"}, {"dataset_revision": "r1"}),
        ({"dataset_revision": "r1"}, {}),
        ({"dataset_revision": {"c": "r1"}}, {"dataset_revision": {"c": "r2"}}),
    ],
    ids=["equal", "known once", "of another benchmark"],
)
def test_other_revisions_may_be_compared(left: dict[str, Any], right: dict[str, Any]) -> None:
    refuse_conflicts(a_run(**left), a_run(**right), {"b"})


def test_what_is_known_on_one_side_only_is_warned_of() -> None:
    left, right = a_run(dataset_revision="r1"), a_run(facts={"tasks": {"b": {"version": 2.0}}})
    assert provenance_warnings(left, right, {"b"}) == [
        "b: the dataset revision is known on the left side only (r1).",
        "b: the task version is known on the right side only (2.0).",
    ]


def test_a_revision_of_the_results_file_counts() -> None:
    left, right = (a_run(facts={"tasks": {"b": {"dataset_revision": name}}}) for name in ("r1", "r2"))
    with pytest.raises(InvalidInput, match="I021"):
        refuse_conflicts(left, right, {"b"})


def test_a_strict_run_meets_only_its_own_bank_and_protocol() -> None:
    contract = {"item_bank": {"id": "a"}, "protocol": {"id": "p"}, "model_panel": {"id": "x"}}
    strict = a_run(benchmark_contract=contract)
    refuse_conflicts(strict, a_run(benchmark_contract={**contract, "model_panel": {"id": "y"}}), {"b"})
    for other in (a_run(), a_run(benchmark_contract={**contract, "protocol": {"id": "q"}})):
        with pytest.raises(InvalidInput, match="I022"):
            refuse_conflicts(strict, other, {"b"})
