"""Troubles that people reported of other tools with what a question is known by, and with runs that are repeated."""

from __future__ import annotations

import os
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from cli.main_in_process import said
from cli.workbench import WHEN, Workbench, whole
from itemproof.app.imports import Choices, Means, find, import_found


@pytest.fixture
def bench(tmp_path: Path) -> Workbench:
    return Workbench.made(tmp_path)


def line(question_id: Any, **changes: Any) -> dict[str, Any]:
    """A harness line with this id."""
    given = {"question_id": question_id, "doc": {}, "resps": [["x"]], "target": "x", "benchmark": "b", "acc": 1}
    return {**given, **changes}


def test_bug_025_an_integer_and_its_decimal_text_are_one_identity(bench: Workbench) -> None:
    log = bench.log("both.jsonl", line(1), line("1", acc=0))

    refused = bench.refusal(log)

    assert [(one.code.id, one.where.line) for one in refused.findings] == [("I003", 2)]
    assert f"{log}:1" in refused.text
    bench.bring(bench.log("text.jsonl", line(7), line("007"), line("7.0")))
    assert [record["question_id"] for record in bench.records()] == ["7", "007", "7.0"]


@pytest.mark.parametrize("second", [{}, {"doc": {"question": "capital of Spain"}, "acc": 0}], ids=["same", "other"])
def test_bug_027_an_id_on_two_lines_is_refused_with_both_places(bench: Workbench, second: dict[str, Any]) -> None:
    log = bench.log("dup.jsonl", line("dup"), line("other"), line("dup", **second))

    refused = bench.refusal(log)

    assert [(one.code.id, one.where.line) for one in refused.findings] == [("I003", 3)]
    assert "'dup'" in refused.text
    assert f"{log}:1" in refused.text


@pytest.mark.parametrize(
    "apart", [{"repeat_id": 1}, {"filter": "strict"}, {"language": "es"}, {"benchmark": "c"}, {"variant_id": "v2"}]
)
def test_bug_027_what_is_part_of_the_key_makes_the_same_id_legal(bench: Workbench, apart: dict[str, Any]) -> None:
    bench.bring(bench.log("legal.jsonl", line("dup"), line("dup", **apart)))

    assert [record["question_id"] for record in bench.records()] == ["dup", "dup"]
    assert whole(bench.root) == []


def test_bug_029_ids_are_never_renumbered(bench: Workbench) -> None:
    for run, first in (("from-0", 0), ("from-1", 1)):
        names = [f"exec_{number}" for number in range(first, first + 3)]
        bench.bring(bench.log(f"{run}.jsonl", *map(line, names)), run=run)

        assert [record["question_id"] for record in bench.records(run)] == names


def test_bug_031_equal_documents_without_ids_stay_apart_and_are_not_paired(bench: Workbench) -> None:
    """No digest becomes an id unless it is asked for, and then one that two documents share names neither."""
    documents = [
        {"subject": subject, "question": "Same?", "choices": ["x", "y", "x"]} for subject in ("s1", "s1", "s2")
    ]
    lines = [
        {"doc_id": number, "doc": doc, "target": "2", "resps": [["x"]], "filter": "none", "benchmark": "b", "acc": 1}
        for number, doc in enumerate(documents)
    ]
    log = bench.log("same.jsonl", *lines)
    bench.bring(log)

    records = bench.records()
    assert {record["identity_scope"] for record in records} == {"run-local"}
    assert len({record["question_id"] for record in records}) == 3
    assert [(record["target"], record["prediction"], record["correct"]) for record in records] == [
        ("2", None, True)
    ] * 3
    summary = said("--root", bench.root, "summary", "run-1", "--json").document
    assert [(row["records"], row["correct"]) for row in summary["rows"]] == [(3, 3)]


def test_bug_033_ids_that_look_alike_stay_different_and_exact(bench: Workbench) -> None:
    names = ["caf\u00e9", "cafe\u0301", "q9 ", "q9", "Q9", "\u200fq9"]

    bench.bring(bench.log("alike.jsonl", *map(line, names)))

    assert [record["question_id"] for record in bench.records()] == names
    assert whole(bench.root) == []


def test_bug_051_a_second_copy_of_an_evaluation_is_never_taken_for_new_results(bench: Workbench) -> None:
    first = bench.log("logs_a/samples_t_2024-06-03T10-00-00.jsonl", line("q1"), line("q2"))
    second = bench.log("logs_a/samples_t_2024-06-03T10-20-00.jsonl", line("q1"), line("q2"))

    assert bench.faults(first, second) == [("H022", None, None)]
    assert bench.faults(first.parent) == [("H022", None, None)]
    bench.bring(first)
    assert bench.faults(first) == [("W027", None, None)]
    assert bench.faults(second) == [("W027", None, None)]
    again = bench.log("again.jsonl", line("q2"), line("q1"))
    assert bench.faults(again) == [("I003", 2, None), ("I003", 1, None)]
    assert [file.records for file in bench.files()] == [2]


def test_bug_053_times_are_utc_whatever_the_zone_and_nothing_hangs_on_their_order(bench: Workbench) -> None:
    logs = [bench.log(f"{name}.jsonl", line(name)) for name in "abc"]
    bench.bring(logs[0])
    for day, log in enumerate(logs[1:], 1):
        earlier = partial(_days_before, day)
        import_found(
            bench.archive, "run-1", find([log], Choices()), Choices(), create=None, means=Means(jobs=1, clock=earlier)
        )
    manifest = bench.archive.run("run-1").manifest
    assert [entry.timestamp for entry in manifest.imports] == [f"2026-11-{day}T12:00:00Z" for day in (30, 29, 28)]
    assert [record["question_id"] for record in bench.records()] == ["a", "b", "c"]
    assert whole(bench.root) == []

    for zone in ("Asia/Tokyo", "America/New_York"):
        run = zone.partition("/")[2]
        arguments = ["--root", str(bench.root), "import", run, str(logs[0]), "--create", "--model", "m"]
        subprocess.run(
            [sys.executable, "-m", "itemproof", *arguments],
            env={**os.environ, "TZ": zone},
            check=True,
            capture_output=True,
        )
        made_at = bench.archive.run(run).manifest.created_at
        assert made_at.endswith("Z")
        assert abs(datetime.fromisoformat(made_at) - datetime.now(UTC)) < timedelta(minutes=10)


def _days_before(days: int) -> datetime:
    return WHEN - timedelta(days=days)
