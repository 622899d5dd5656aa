"""Troubles that people reported of other tools with lines, their ends, and the size of files."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from cli.main_in_process import said
from cli.workbench import Workbench, as_line, snapshot, whole


@pytest.fixture
def bench(tmp_path: Path) -> Workbench:
    return Workbench.made(tmp_path)


def line(name: str, answer: str = "a", **changes: Any) -> dict[str, Any]:
    """A harness line about a question of this name."""
    doc = {"id": name, "question": f"What is {name}?"}
    return {"doc": doc, "resps": [[answer]], "target": "a", "benchmark": "b", "filter": "none", "acc": 1, **changes}


def test_bug_010_only_a_line_feed_ends_a_line(bench: Workbench) -> None:
    others = "".join(map(chr, (0x2028, 0x2029, 0x85)))
    bench.bring(bench.log("sep.jsonl", line("one", f"a{others}b"), line("two", "c")))

    records = bench.records()
    assert [(record["question_id"], record["source"]["line"]) for record in records] == [("one", 1), ("two", 2)]
    assert records[0]["response"]["resps"] == [[f"a{others}b"]]
    stored = (bench.root / "runs/run-1/records/0001.jsonl").read_bytes()
    assert len(stored.decode("utf-8").splitlines()) == 2
    assert whole(bench.root) == []


def test_bug_011_an_array_is_refused_with_the_way_out_and_imports_once_converted(bench: Workbench) -> None:
    array = bench.log("samples_old.jsonl", json.dumps([line("one"), line("two", acc=0.0)], indent=1).encode())

    refused = bench.refusal(array)

    assert [one.code.id for one in refused.findings] == ["H024"]
    assert "itemproof convert" in refused.text
    lines = bench.folder / "logs" / "lines.jsonl"
    assert said("convert", array, "-o", lines).code == 0
    bench.bring(lines)
    assert [(record["question_id"], record["correct"]) for record in bench.records()] == [("one", True), ("two", False)]


@pytest.mark.parametrize(
    ("torn", "code"),
    [
        pytest.param(b'{"doc":{"id":"two"},"resps":[["a ca', "J001", id="in a text"),
        pytest.param(b'{"doc":{"id":"two"},"resps":[["caf\xc3', "J007", id="in a character"),
    ],
)
def test_bug_012_a_last_line_that_was_cut_is_refused_and_said_to_be(bench: Workbench, torn: bytes, code: str) -> None:
    log = bench.log("torn.jsonl", line("one"), torn)

    refused = bench.refusal(log)

    assert [(one.code.id, one.where.line) for one in refused.findings] == [(code, 2)]
    assert "cut off" in refused.text
    whole_line = as_line(line("two")).rstrip(b"\n")
    bench.bring(bench.log("torn.jsonl", line("one"), whole_line))
    assert [record["question_id"] for record in bench.records()] == ["one", "two"]


def test_bug_015_events_of_several_kinds_are_no_records(bench: Workbench) -> None:
    events: list[dict[str, Any]] = [
        {"spec": {"run_id": "r-77", "model": "demo"}},
        {"run_id": "r-77", "event_id": 0, "sample_id": "t.0", "type": "sampling", "data": {"sampled": ["B"]}},
        {"final_report": {"accuracy": 1.0}},
    ]
    log = bench.log("events.jsonl", *events)

    refused = bench.refusal(log)

    assert [(one.code.id, one.where.line) for one in refused.findings] == [("R031", 1)]
    for name in ("canonical", "harness", "paired"):
        assert f"{name} needs" in refused.text


def test_bug_016_windows_line_ends_and_blank_lines_count_and_lone_returns_end_nothing(bench: Workbench) -> None:
    one, two = (json.dumps(each).encode() for each in (line("one", "a\r\nb"), line("two")))
    windows = bench.log("crlf.jsonl", one + b"\r\n\r\n   \r\n" + two)
    mac = bench.log("cr.jsonl", one + b"\r" + two + b"\r")
    blank = bench.log("form_feed.jsonl", one + b"\n\x0c\n" + two + b"\n")

    bench.bring(windows)

    records = bench.records()
    assert [(record["question_id"], record["source"]["line"]) for record in records] == [("one", 1), ("two", 4)]
    assert records[0]["response"]["resps"] == [["a\r\nb"]]
    assert (bench.root / records[0]["source"]["path"]).read_bytes() == windows.read_bytes()
    assert bench.faults(mac, run="run-2") == [("J001", 1, "$")]
    assert bench.faults(blank, run="run-2") == [("J001", 2, "$")]


def test_bug_017_compressed_text_is_read_whole_or_not_at_all(bench: Workbench) -> None:
    members = [gzip.compress(as_line(line(name))) for name in ("one", "two")]
    cut = bench.log("cut.jsonl.gz", members[0], members[1][:-6])
    hidden = bench.log("hidden.jsonl", *members)
    whole_file = bench.log("whole.jsonl.gz", *members)

    assert bench.faults(cut) == [("J022", None, None)]
    assert bench.faults(hidden) == [("J020", None, None)]
    bench.bring(whole_file)

    [file] = bench.files()
    assert (file.records, file.lines, file.raw_bytes) == (2, 2, len(members[0] + members[1]))
    assert (bench.root / file.raw_path).read_bytes() == whole_file.read_bytes()
    assert whole(bench.root) == []


def test_bug_019_a_very_long_line_is_imported_or_refused_by_the_limit_and_its_number(bench: Workbench) -> None:
    wide = bench.log("wide.jsonl", line("one"), line("two", "x" * 5_000_000), line("three"))

    assert bench.faults(wide, max_line_bytes=1_000_000) == [("J010", 2, None)]
    bench.bring(wide)

    assert [len(record["response"]["resps"][0][0]) for record in bench.records()] == [1, 5_000_000, 1]
    assert whole(bench.root) == []


_PEAK = """
import resource, sys
from cli.main_in_process import said
from pathlib import Path
done = said("--root", sys.argv[1], *sys.argv[2:])
assert done.code == 0, done
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


def test_bug_021_memory_does_not_grow_with_the_file(bench: Workbench) -> None:
    """Eight times the file takes no more room than the keys of its records need, for import and for validate."""
    for run, count in (("small", 2_000), ("large", 16_000)):
        bench.log(f"{run}.jsonl", *(line(f"q{number}", "long " * 300) for number in range(count)))

    def peak_kib(*arguments: str) -> int:
        given = [sys.executable, "-c", _PEAK, str(bench.root), *arguments]
        environment = {"PYTHONPATH": str(Path(__file__).parents[1])}
        done = subprocess.run(given, env=environment, capture_output=True, check=True, text=True)
        return int(done.stdout.splitlines()[-1])

    def brought(run: str) -> int:
        log = bench.folder / "logs" / f"{run}.jsonl"
        return peak_kib("import", run, str(log), "--create", "--model", "m", "--jobs", "1")

    small, large = brought("small"), brought("large")
    assert large - small < 20_000
    assert peak_kib("validate", "large", "--jobs", "1") - peak_kib("validate", "small", "--jobs", "1") < 20_000


def test_a_fault_in_the_last_of_many_lines_leaves_nothing_behind(bench: Workbench) -> None:
    before = snapshot(bench.root)
    log = bench.log("many.jsonl", *(line(f"q{number}") for number in range(3_000)), b"{}\n")

    assert bench.faults(log) == [("H003", 3_001, "$"), ("R003", 3_001, "$.benchmark")]
    assert snapshot(bench.root) == before
