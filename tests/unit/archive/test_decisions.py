"""What only the end of a file can tell changes the records of its beginning."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from cli.workbench import Workbench, whole
from harness_lines import harness_context, text_line
from itemproof.adapters.harness import HarnessAdapter
from itemproof.archive.decisions import normalise_file, pieces_by_blocks
from itemproof.archive.normalise import Piece, Sink, Work


@pytest.fixture
def bench(tmp_path: Path) -> Workbench:
    return Workbench.made(tmp_path)


def line(name: str, **changes: Any) -> dict[str, Any]:
    given = {"doc": {"id": name}, "resps": [["a"]], "target": "a", "benchmark": "b", "filter": "none"}
    return {**given, **changes}


def test_a_metric_that_proves_not_binary_at_the_end_says_of_no_line_what_is_right(bench: Workbench) -> None:
    bench.bring(bench.log("acc.jsonl", line("a", acc=1.0), line("b", acc=0.0), line("c", acc=0.25)))

    assert [record["correct"] for record in bench.records()] == [None, None, None]
    assert [record["metrics"]["acc"] for record in bench.records()] == [1.0, 0.0, 0.25]
    assert bench.files()[0].metrics_used == {}
    assert whole(bench.root) == []


def test_another_metric_takes_over_where_one_is_not_binary(bench: Workbench) -> None:
    lines = [line("a", acc=1.0, exact_match=0), line("b", acc=0.5, exact_match=1)]
    bench.bring(bench.log("both.jsonl", *lines))

    assert [(record["correct"], record["warnings"]) for record in bench.records()] == [(False, []), (True, [])]
    assert bench.files()[0].metrics_used == {"b": {"none": ["exact_match"]}}


def test_each_benchmark_and_filter_is_judged_by_itself(bench: Workbench) -> None:
    lines = [
        line("a", acc=1),
        line("b", acc=0.5, filter="soft"),
        line("c", acc=1, filter="soft"),
        line("d", acc=0.5, benchmark="c"),
        line("e", acc=1, benchmark="c"),
    ]
    bench.bring(bench.log("parts.jsonl", *lines))

    assert [record["correct"] for record in bench.records()] == [True, None, None, None, None]
    assert bench.files()[0].metrics_used == {"b": {"none": ["acc"]}}


@pytest.mark.parametrize("value", ["1", [1], {"acc": 1}, 2, 0.5, 1e300])
def test_no_other_value_is_made_a_verdict(bench: Workbench, value: object) -> None:
    bench.bring(bench.log("odd.jsonl", line("a", acc=True), line("b", acc=value)))

    assert [record["correct"] for record in bench.records()] == [None, None]


def test_null_is_no_value_and_spoils_nothing(bench: Workbench) -> None:
    bench.bring(bench.log("null.jsonl", line("a", acc=None), line("b", acc=1)))

    assert [record["correct"] for record in bench.records()] == [None, True]


def test_each_file_decides_for_itself(bench: Workbench) -> None:
    bench.bring(bench.log("1.jsonl", line("a", acc=1)), bench.log("2.jsonl", line("b", acc=0.5), line("c", acc=1)))

    assert [record["correct"] for record in bench.records()] == [True, None, None]


def test_a_document_on_two_lines_names_neither_and_the_others_stay(bench: Workbench) -> None:
    same = text_line(0)["doc"]
    lines = [text_line(0, benchmark="b"), text_line(1, benchmark="b"), text_line(2, doc=same, benchmark="b")]

    bench.bring(bench.log("docs.jsonl", *lines), id_field=("doc_hash",))

    records = bench.records()
    assert [record["identity_scope"] for record in records] == ["run-local", "stable", "run-local"]
    [file] = bench.files()
    assert (file.scopes, file.warnings) == ({"stable": 1, "run-local": 2, "ambiguous": 2}, {"H014": 2})
    assert [len(record["warnings"]) for record in records] == [1, 0, 1]
    assert records[1]["question_id"] == text_line(1)["doc_hash"]
    assert whole(bench.root) == []


def test_one_document_under_two_filters_is_named_by_its_digest(bench: Workbench) -> None:
    lines = [text_line(0, filter=name, benchmark="b") for name in ("strict", "loose")]

    bench.bring(bench.log("filters.jsonl", *lines), id_field=("auto",))

    assert [record["question_id"] for record in bench.records()] == [text_line(0)["doc_hash"]] * 2


def test_a_file_is_made_again_only_when_its_end_changed_something(tmp_path: Path) -> None:
    raw = tmp_path / "raw.jsonl"
    raw.write_text('{"doc":{"id":"a"},"resps":[["x"]],"filter":"none","acc":1}\n', encoding="utf-8")
    work = Work(adapter=HarnessAdapter(), context=harness_context(), shown="raw.jsonl", raw=raw, max_line_bytes=1_000)
    passes: list[Work] = []

    def pieces(given: Work, sink: Sink) -> Iterator[Piece]:
        passes.append(given)
        return pieces_by_blocks(given, sink)

    assert normalise_file(work, tmp_path / "out", pieces).records == 1
    assert len(passes) == 1
    raw.write_text(raw.read_text(encoding="utf-8") * 2 + raw.read_text(encoding="utf-8").replace("1}", "3}"), "utf-8")
    assert normalise_file(work, tmp_path / "out", pieces).records == 3
    assert len(passes) == 3
    assert passes[2].context.decisions.not_binary == {("foxes", "none", "acc")}
    assert len((tmp_path / "out").read_bytes().splitlines()) == 3


@pytest.mark.parametrize("text", ["", "\n \n", "\ufeff"])
def test_a_file_without_a_record_is_refused(tmp_path: Path, text: str) -> None:
    raw = tmp_path / "raw.jsonl"
    raw.write_text(text, encoding="utf-8")
    work = Work(adapter=HarnessAdapter(), context=harness_context(), shown="raw.jsonl", raw=raw, max_line_bytes=1_000)

    done = normalise_file(work, tmp_path / "out", pieces_by_blocks)

    assert [(finding.code.id, finding.where.file) for finding in done.findings] == [("J014", "raw.jsonl")]
