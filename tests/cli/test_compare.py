"""`compare` on the command line: answer first, exit codes, files, and no traceback for anything."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from cli.main_in_process import Said, said
from cli.workbench import Workbench
from itemproof.records.schema import schema_of


@pytest.fixture
def bench(tmp_path: Path) -> Workbench:
    made = Workbench.made(tmp_path)
    for name, corrects in (("one", "1" * 12 + "0" * 8), ("two", "1" * 18 + "00")):
        lines: list[dict[str, Any]] = [
            {"question_id": f"q{at}", "variant_id": "original", "benchmark": "rivers", "correct": char == "1"}
            for at, char in enumerate(corrects)
        ]
        made.bring(made.log(f"{name}.jsonl", *lines), run=name, model=f"m/{name}")
    return made


def compare(bench: Workbench, *arguments: object) -> Said:
    return said("--root", bench.root, "compare", *arguments)


def test_the_answer_is_said_with_how_sure_it_is(bench: Workbench) -> None:
    done = compare(bench, "one", "two")
    assert (done.code, done.err) == (0, "")
    assert done.out.splitlines() == [
        "left   one   m/one   variant original",
        "right  two   m/two   variant original",
        "paired by question_id: 20 of 20",
        "the runs differ in: model",
        "",
        "  rivers   correct   n 20   60.0 % -> 90.0 %   +30.0 points [+6.4, +50.8]   better   p 0.031",
        "  broke 0 · fixed 6 · both right 12 · both wrong 2",
        "  flip rate 30.0 %",
    ]


def test_the_document_fits_its_published_schema(bench: Workbench) -> None:
    done = compare(bench, "one", "two", "--json", "--gate", "not-worse", "--floor", "one", "--non-inferiority", "0.1")
    assert (done.code, done.err) == (0, "")
    jsonschema.validate(done.document, schema_of("comparison-v1"))
    assert done.document["gates"] == [
        {"gate": "not-worse", "value": done.document["statistics"]["delta"]["high"], "holds": True, "where": None}
    ]
    assert done.document["floor"] == {"run": "one", "pairs": 20, "changed": 0, "flip_rate": 0.0}


@pytest.mark.parametrize(
    ("gate", "code"),
    [
        (["--gate", "not-worse"], 0),
        (["--gate", "within=0.05"], 0),
        (["--gate", "wrong_to_correct <= 3"], 1),
        (["--fail-on-regression"], 0),
        (["--gate", "not-worse", "--gate", "p < 0.01"], 1),
        (["--gate", "faster"], 2),
    ],
)
def test_a_gate_that_does_not_hold_is_exit_1(bench: Workbench, gate: list[str], code: int) -> None:
    assert compare(bench, "one", "two", *gate).code == code


def test_a_gate_that_does_not_hold_is_named(bench: Workbench) -> None:
    done = compare(bench, "one", "two", "--gate", "wrong_to_correct <= 3")
    assert done.out.splitlines()[-1] == "gate wrong_to_correct <= 3: does not hold (6)"


def test_other_run_is_the_right_side(bench: Workbench) -> None:
    assert compare(bench, "one", "--other-run", "two").out == compare(bench, "one", "two").out
    assert compare(bench, "one", "two", "--other-run", "two").code == 2


def test_files_are_written_and_named(bench: Workbench) -> None:
    files = {suffix: bench.folder / f"report.{suffix}" for suffix in ("csv", "jsonl", "md")}
    done = compare(bench, "one", "two", "-o", files["csv"], "--markdown", files["md"])
    assert done.out.splitlines()[-2:] == [f"wrote 20 items to {files['csv']}", f"wrote {files['md']}"]
    rows = list(csv.reader(io.StringIO(files["csv"].read_text("utf-8"), newline="")))
    assert len(rows) == 21
    only = compare(bench, "one", "two", "--items", files["jsonl"], "--only", "changed", "--json")
    assert only.code == 0
    lines = [json.loads(line) for line in files["jsonl"].read_bytes().splitlines()]
    assert {line["outcome"] for line in lines} == {"wrong_to_correct"}
    assert files["md"].read_text("utf-8").startswith("### itemproof: better\n")


def test_a_file_that_exists_is_exit_3_and_stays(bench: Workbench) -> None:
    path = bench.folder / "report.csv"
    path.write_bytes(b"mine")
    done = compare(bench, "one", "two", "-o", path)
    assert (done.code, done.out, "D005" in done.err) == (3, "", True)
    assert path.read_bytes() == b"mine"


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["one", "three"], "W002"),
        (["one", "./three"], "H026"),
        (["one"], "U024"),
        (["one", "two", "--variant", "new"], "U023"),
        (["one", "two", "--metric", "speed"], "U025"),
        (["one", "two", "--benchmark", "x"], "U027"),
        (["one", "two", "--id-field", "a..b"], "I001"),
        (["one", "two", "-o", "x.pdf"], "X010"),
        (["one", "two", "-o", "x.html"], "X011"),
        (["one", "two", "--format", "csv"], "U000"),
        (["one", "two", "--level", "1.5"], "U000"),
        (["one", "two", "--non-inferiority", "0"], "U000"),
        (["one", "two", "--timestamp", "latest", "--as-repeats"], "U000"),
        ([], "U000"),
    ],
)
def test_bad_usage_is_exit_2_with_its_code(bench: Workbench, arguments: list[str], code: str) -> None:
    done = compare(bench, *arguments, "--json")
    assert (done.code, done.document["error"]["code"], done.err) == (2, code, "")


def test_a_folder_without_a_log_is_said(bench: Workbench) -> None:
    empty = bench.folder / "empty"
    empty.mkdir()
    done = compare(bench, f"{empty}/", "two")
    assert (done.code, done.out) == (2, "")
    assert "W022" in done.err


def test_no_pairs_are_explained_with_exit_0(bench: Workbench) -> None:
    line = {"question_id": "z", "variant_id": "original", "benchmark": "rivers"}
    bench.bring(bench.log("x.jsonl", line), run="three")
    done = compare(bench, "one", "three")
    assert done.code == 0
    assert done.out.splitlines()[-4:] == [
        "no pairs",
        "  left only 20",
        "  right only 1",
        "  the sides share no question id.",
    ]


def test_paths_need_no_archive(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    line = b'{"question_id":"q","variant_id":"original","benchmark":"b","correct":true}\n'
    for name in ("a.jsonl", "b.jsonl"):
        (tmp_path / name).write_bytes(line)
    done = said("compare", "a.jsonl", "b.jsonl")
    assert done.code == 0
    assert done.out.splitlines()[2] == "nothing is stored (keep it: itemproof add a.jsonl b.jsonl)"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.jsonl", "b.jsonl"]
    assert said("compare", "a.jsonl", "run").code == 2


def test_text_from_data_cannot_drive_the_terminal(bench: Workbench) -> None:
    evil = "\x1b[2K\x07\u202eb"
    for name in ("e1", "e2"):
        line = {"question_id": evil, "variant_id": "original", "benchmark": evil, "correct": True}
        bench.bring(bench.log(f"{name}.jsonl", line), run=name, model=evil)
    done = compare(bench, "e1", "e2")
    assert done.code == 0
    assert "\\x1b[2K\\x07\\u202eb" in done.out
    assert not {"\x1b", "\x07", "\u202e"} & set(done.out)
