"""Every command: its help, its happy path, its stable keys, and what becomes of mistakes."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from cli.main_in_process import Said, said
from cli.workbench import Workbench, snapshot
from harness_lines import text_line
from itemproof import __version__
from itemproof.app.way_out import WayOut, measure
from itemproof.cli.main import COMMANDS

#: The commands about archives; those about other things have tests of their own.
_COMMANDS = [name for name, entry in COMMANDS.items() if entry.module in {"adding", "archive", "reading", "exporting"}]


def line(question_id: str, acc: object = 1, **changes: Any) -> dict[str, Any]:
    """A harness line with this id."""
    given = {"question_id": question_id, "doc": {}, "resps": [["a"]], "target": "a", "benchmark": "b", "acc": acc}
    return {**given, **changes}


@pytest.fixture
def bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Workbench:
    """An archive with the open run `open`, the sealed run `sealed` and the empty run `empty`; the logs are here."""
    bench = Workbench.made(tmp_path)
    for run in ("open", "sealed"):
        bench.bring(bench.log("old.jsonl", line("q1"), line("q2", acc=0)), run=run)
    monkeypatch.chdir(bench.folder / "logs")
    assert said("--root", bench.root, "seal", "sealed").code == 0
    assert said("--root", bench.root, "create-run", "empty", "--model", "m").code == 0
    bench.log("new.jsonl", line("q3"), line("q4"))
    bench.log("bad.jsonl", line("q5"), line("q6", acc="?"), b"{\n")
    bench.log("array.json", json.dumps([line("q7")]).encode())
    bench.log("meta.json", b'{"dataset_revision": "abc"}\n')
    bench.log("notes.txt", b"greedy\n")
    return bench


@pytest.mark.parametrize("command", _COMMANDS)
def test_every_command_has_help_with_an_example(command: str) -> None:
    done = said(command, "--help")

    assert (done.code, done.err) == (0, "")
    assert done.out.startswith(f"Usage: itemproof {command} ")
    assert "Example: itemproof " in done.out
    assert "--root" in done.out
    assert "--json" in done.out


def test_the_help_lists_every_command_and_keeps_its_lines() -> None:
    done = said("--help")

    assert done.code == 0
    assert [name for name in COMMANDS if f"\n  {name} " not in done.out] == []
    assert "\n    itemproof add logs/ " in done.out
    assert "\\b" not in done.out


def test_the_version_is_the_package_s() -> None:
    assert said("--version") == Said(0, f"itemproof {__version__}\n", "")


_HAPPY: dict[str, tuple[Sequence[str], set[str]]] = {
    "add": (["add", "new.jsonl", "--model", "m"], {"runs", "present", "failed", "not_tried", "left_out"}),
    "init": (["init"], {"root", "archive_id"}),
    "create-run": (["create-run", "r", "--model", "m"], {"run_id", "status", "model", "records"}),
    "import": (["import", "open", "new.jsonl"], {"run_id", "records", "warnings", "imports", "reproduced"}),
    "attach": (["attach", "open", "notes.txt"], {"run_id", "attached", "present"}),
    "seal": (["seal", "open"], {"run_id", "status", "records", "digest"}),
    "discard": (["discard", "open"], {"run_id", "kept_in", "erased"}),
    "list": (["list", "runs"], {"runs"}),
    "show": (["show", "open"], {"run_id", "model", "metadata", "imports", "attachments", "records", "status"}),
    "summary": (["summary", "open"], {"rows"}),
    "validate": (["validate", "--deep"], {"ok", "checked", "findings"}),
    "export": (["export", "open", "-o", "out.csv"], {"file", "records"}),
    "convert": (["convert", "array.json", "-o", "lines.jsonl"], {"file", "lines"}),
    "recover": (["recover"], {"settled"}),
}


def test_every_command_has_a_happy_path_here() -> None:
    assert [*_HAPPY] == _COMMANDS


@pytest.mark.parametrize("command", _HAPPY)
def test_a_command_that_did_its_work_ends_with_0_and_one_document(bench: Workbench, command: str) -> None:
    arguments, keys = _HAPPY[command]

    done = said("--root", bench.root, *arguments, "--json")

    assert (done.code, done.err) == (0, "")
    assert keys <= done.document.keys()
    assert done.out.count("\n") == 1


@pytest.mark.parametrize("command", _HAPPY)
def test_a_command_says_something_to_people_too(bench: Workbench, command: str) -> None:
    done = said("--root", bench.root, *_HAPPY[command][0])

    assert (done.code, done.err) == (0, "")
    assert done.out.strip()
    assert not done.out.startswith("{")


#: The command line, the exit code and the code of the first finding; None where the line itself is at fault.
_MISTAKES: dict[str, tuple[Sequence[str], int, str | None]] = {
    "add a path that leads nowhere": (["add", "nowhere"], 2, "H026"),
    "add a log of no model": (["add", "new.jsonl"], 2, "W023"),
    "add a broken log": (["add", "bad.jsonl", "--model", "m"], 2, "J001"),
    "add an array": (["add", "array.json", "--model", "m"], 2, "J013"),
    "add nothing": (["add"], 2, None),
    "add with two choices": (["add", "new.jsonl", "--timestamp", "latest", "--as-repeats"], 2, None),
    "init with a lock timeout below zero": (["init", "--lock-timeout", "-1"], 2, None),
    "init with too much": (["init", "there"], 2, None),
    "create a run without a model": (["create-run", "r"], 2, None),
    "create a run that is there": (["create-run", "open", "--model", "m"], 3, "W001"),
    "create a run that differs by case": (["create-run", "OPEN", "--model", "m"], 3, "D012"),
    "create a run that climbs": (["create-run", "../r", "--model", "m"], 2, "D011"),
    "create a run with half of a pair": (["create-run", "r", "--model", "m", "--meta", "half"], 2, "U001"),
    "create a run with a key twice": (["create-run", "r", "--model", "m", "--meta", "k=1", "--meta", "k=2"], 2, "U001"),
    "create a run with no metadata": (["create-run", "r", "--model", "m", "--metadata", "new.jsonl"], 2, "J001"),
    "import into no run": (["import", "nobody", "new.jsonl"], 2, "W002"),
    "import into a sealed run": (["import", "sealed", "new.jsonl"], 3, "W003"),
    "import into a run that is created twice": (
        ["import", "open", "new.jsonl", "--create", "--model", "m"],
        3,
        "W001",
    ),
    "import a path that leads nowhere": (["import", "open", "nowhere"], 2, "H026"),
    "import a broken log": (["import", "open", "bad.jsonl"], 2, "J001"),
    "import the same again": (["import", "open", "old.jsonl"], 2, "W027"),
    "import an unknown format": (["import", "open", "new.jsonl", "--format", "excel"], 2, "R030"),
    "import as another format": (["import", "open", "new.jsonl", "--format", "paired"], 2, "P005"),
    "import a model into a run": (["import", "open", "new.jsonl", "--model", "m"], 2, None),
    "import over what a line says": (["import", "open", "new.jsonl", "--benchmark", "c"], 2, "R002"),
    "import with a pattern": (["import", "open", "new.jsonl", "--name-pattern", "{language}_x"], 2, "H020"),
    "import with auto and a field": (["import", "open", "new.jsonl", "--id-field=auto", "--id-field=x"], 2, "I001"),
    "import with no cores": (["import", "open", "new.jsonl", "--jobs", "0"], 2, None),
    "attach to a sealed run": (["attach", "sealed", "notes.txt"], 3, "W003"),
    "attach to no run": (["attach", "nobody", "notes.txt"], 2, "W002"),
    "attach what is not there": (["attach", "open", "nowhere"], 2, None),
    "attach a folder": (["attach", "open", "."], 2, None),
    "seal a sealed run": (["seal", "sealed"], 3, "W003"),
    "seal an empty run": (["seal", "empty"], 3, "W010"),
    "seal no run": (["seal", "nobody"], 2, "W002"),
    "discard a sealed run": (["discard", "sealed"], 3, "W003"),
    "discard no run": (["discard", "nobody"], 2, "W002"),
    "discard no id": (["discard", "a/b", "--purge"], 2, "D011"),
    "list what there is not": (["list", "cats"], 2, None),
    "list too much": (["list", "runs", "runs"], 2, None),
    "list with an unknown option": (["list", "--long"], 2, None),
    "show no run": (["show", "nobody"], 2, "W002"),
    "show no id": (["show", "../open"], 2, "D011"),
    "show nothing": (["show"], 2, None),
    "sum up no run": (["summary", "nobody"], 2, "W002"),
    "sum up no benchmark": (["summary", "open", "--benchmark", "zebra"], 2, "U010"),
    "sum up at no level": (["summary", "open", "--level", "95"], 2, None),
    "validate with no cores": (["validate", "--jobs", "0"], 2, None),
    "export to a file that is there": (["export", "open", "-o", "notes.txt", "--format", "csv"], 3, "D005"),
    "export to no format": (["export", "open", "-o", "out.xlsx"], 2, "X001"),
    "export to no folder": (["export", "open", "-o", "nowhere/out.csv"], 2, "D007"),
    "export no run": (["export", "nobody", "-o", "out.csv"], 2, "W002"),
    "convert what is no array": (["convert", "new.jsonl", "-o", "lines.jsonl"], 2, "J030"),
    "convert onto a file": (["convert", "array.json", "-o", "notes.txt"], 3, "D005"),
    "convert without a destination": (["convert", "array.json"], 2, None),
    "recover too much": (["recover", "open"], 2, None),
    "recover with a word for seconds": (["recover", "--lock-timeout", "soon"], 2, None),
    "a command that there is not": (["frobnicate"], 2, None),
}


def test_every_command_has_three_mistakes_or_has_no_more_to_get_wrong() -> None:
    counts = {command: sum(command == given[0][0] for given in _MISTAKES.values()) for command in _COMMANDS}

    assert {command: count for command, count in counts.items() if count < 3} == {
        "init": 2,
        "validate": 1,
        "recover": 2,
    }


@pytest.mark.parametrize("mistake", _MISTAKES)
def test_a_mistake_is_told_in_words_and_changes_nothing(bench: Workbench, mistake: str) -> None:
    arguments, exit_code, code = _MISTAKES[mistake]
    before = snapshot(bench.folder)

    done = said("--root", bench.root, *arguments)

    assert (done.code, done.out) == (exit_code, "")
    assert (code or "Try: itemproof") in done.err
    assert "Traceback" not in done.err
    assert snapshot(bench.folder) == before


@pytest.mark.parametrize("mistake", _MISTAKES)
def test_a_mistake_is_one_document_with_json(bench: Workbench, mistake: str) -> None:
    arguments, exit_code, code = _MISTAKES[mistake]

    done = said("--root", bench.root, *arguments, "--json")

    assert (done.code, done.err) == (exit_code, "")
    error = done.document["error"]
    assert error["code"] == error["findings"][0]["code"] == (code or "U000")
    assert error["text"] == error["findings"][0]["text"] != ""
    assert all(finding.keys() >= {"code", "path", "line", "text"} for finding in error["findings"])


@pytest.mark.parametrize("command", ["show", "summary", "seal", "discard", "attach", "import", "export"])
def test_a_folder_that_is_no_archive_is_said_to_be_none(tmp_path: Path, command: str) -> None:
    (tmp_path / "x.jsonl").write_bytes(json.dumps(line("q1")).encode())
    more: dict[str, list[object]] = {
        "attach": [tmp_path / "x.jsonl"],
        "import": [tmp_path / "x.jsonl"],
        "export": ["-o", tmp_path / "o.csv"],
    }

    done = said("--root", tmp_path, command, "r", *more.get(command, []))

    assert (done.code, done.out) == (2, "")
    assert "W007" in done.err
    assert [path.name for path in tmp_path.iterdir()] == ["x.jsonl"]


def test_an_archive_that_is_damaged_ends_with_1_and_its_findings(bench: Workbench) -> None:
    stored = bench.root / "runs/open/records/0001.jsonl"
    stored.chmod(0o644)
    stored.write_bytes(stored.read_bytes().replace(b"q1", b"q9"))

    done = said("--root", bench.root, "validate", "--json")

    assert (done.code, done.err) == (1, "")
    assert done.document["ok"] is False
    assert [(one["code"], one["path"]) for one in done.document["findings"]] == [
        ("A003", "runs/open/records/0001.jsonl")
    ]
    refused = said("--root", bench.root, "seal", "open", "--json")
    assert (refused.code, refused.err) == (1, "")
    assert (refused.document["exit_code"], refused.document["error"]["code"]) == (1, "A003")
    assert refused.document["error"]["outcome"] == "The run stays open; nothing was changed."
    told = said("--root", bench.root, "seal", "open")
    assert (told.code, told.out) == (1, "")
    assert told.err.startswith("runs/open/records/0001.jsonl  A003  ")


def test_a_damaged_metadata_file_is_named(bench: Workbench) -> None:
    done = said("--root", bench.root, "create-run", "r", "--model", "m", "--metadata", "bad.jsonl")

    assert done.code == 2
    assert done.err.startswith("bad.jsonl")


def test_metadata_is_json_where_it_can_be_and_pairs_come_over_the_file(bench: Workbench) -> None:
    pairs = [
        "--meta",
        "shots=5",
        "--meta",
        "dataset_revision=main",
        "--meta",
        'seeds={"torch": 1}',
        "--meta",
        "note=a=b",
    ]

    done = said("--root", bench.root, "create-run", "r", "--model", "m", "--metadata", "meta.json", *pairs)

    assert done.code == 0
    metadata = bench.archive.run("r").manifest.metadata
    assert metadata == {"dataset_revision": "main", "shots": 5, "seeds": {"torch": 1}, "note": "a=b"}


def test_a_text_that_looks_like_a_key_is_named_before_it_is_kept(bench: Workbench) -> None:
    key = "sk-" + "abcdefgh" * 4

    done = said("--root", bench.root, "create-run", "r", "--model", "m", "--meta", f"endpoint={key}")

    assert done.code == 0
    assert "$.endpoint looks like a key" in done.err
    assert key not in done.err + done.out


def test_list_names_the_runs_alone_with_ids(bench: Workbench) -> None:
    assert said("--root", bench.root, "list", "--ids").out.split() == ["empty", "open", "sealed"]


def test_the_documents_say_what_they_are_of(bench: Workbench) -> None:
    imported = said("--root", bench.root, "import", "open", "new.jsonl", "--json").document
    assert imported == {
        "run_id": "open",
        "records": 2,
        "warnings": 0,
        "notices": [],
        "imports": [
            {
                "id": "import-0002",
                "file": "new.jsonl",
                "format": "harness",
                "records": 2,
                "run_local": 0,
                "ambiguous": 0,
            }
        ],
        "reproduced": {"agree": 0, "differ": []},
    }
    assert said("--root", bench.root, "list", "--json").document["runs"] == [
        {"run_id": "empty", "status": "open", "model": "m", "records": 0},
        {"run_id": "open", "status": "open", "model": "demo/model", "records": 4},
        {"run_id": "sealed", "status": "sealed", "model": "demo/model", "records": 2},
    ]
    shown = said("--root", bench.root, "show", "sealed", "--json").document
    manifest = json.loads((bench.root / "runs/sealed/manifest.json").read_bytes())
    assert manifest.items() <= shown.items()
    [row] = said("--root", bench.root, "summary", "open", "--json").document["rows"]
    keys = ["benchmark", "language", "script", "variant_id", "filter", "records", "known", "correct", "accuracy"]
    assert [row[key] for key in keys] == ["b", None, None, "original", "none", 4, 4, 3, 0.75]
    assert row.keys() >= {"low", "high", "metrics"}
    assert 0 < row["low"] < 0.75 < row["high"] < 1
    checked = said("--root", bench.root, "validate", "--json").document["checked"]
    assert (checked["runs"], checked["files"], checked["records"]) == (3, 3, 6)


def test_a_run_with_a_broken_manifest_is_named_and_the_others_are_listed(bench: Workbench) -> None:
    (bench.root / "runs/open/manifest.json").write_text("{", encoding="utf-8")
    (bench.root / "runs/no id").mkdir()
    (bench.root / "runs/no id/manifest.json").write_text("{}", encoding="utf-8")

    done = said("--root", bench.root, "list", "--ids")
    document = said("--root", bench.root, "list", "--json")

    assert (done.code, done.out.split()) == (1, ["empty", "sealed"])
    assert [text.split("  ")[0] for text in done.err.splitlines() if not text.startswith(" ")] == [
        "no id cannot be listed:",
        "open cannot be listed:",
    ]
    assert "  runs/open/manifest.json  $  J001  " in done.err
    assert (document.code, document.err) == (1, "")
    assert [run["run_id"] for run in document.document["runs"]] == ["empty", "sealed"]
    broken = {run["run_id"]: [one["code"] for one in run["findings"]] for run in document.document["broken"]}
    assert broken == {"no id": ["D011"], "open": ["J001"]}


def test_an_archive_of_broken_runs_alone_is_not_said_to_be_empty(bench: Workbench) -> None:
    for run in ("open", "sealed", "empty"):
        (bench.root / f"runs/{run}/manifest.json").write_text("{", encoding="utf-8")

    done = said("--root", bench.root, "list")

    assert (done.code, done.out) == (1, "")


_LONG = "x" * 300


@pytest.mark.parametrize(
    "arguments",
    [
        ["add", _LONG],
        ["import", "open", _LONG],
        ["export", "open", "-o", f"{_LONG}.csv"],
        ["export", "open", "-o", f"{_LONG}/out.csv"],
        ["convert", "array.json", "-o", _LONG],
        ["init", "--root", _LONG],
        ["init", "--root", f"{_LONG}/below"],
        ["list", "--root", _LONG],
        ["summary", "open", "--root", _LONG],
        ["seal", "open", "--root", f"{_LONG}/below"],
        ["recover", "--root", _LONG],
        ["add", "new.jsonl", "--model", "m", "--root", _LONG],
    ],
    ids=" ".join,
)
def test_a_name_that_the_disk_refuses_is_a_fault_of_the_disk(bench: Workbench, arguments: list[str]) -> None:
    done = said("--root", bench.root, *arguments)

    assert (done.code, done.out) == (4, "")
    assert "D004  File name too long." in done.err


def test_a_validation_where_nothing_can_be_read_finds_so(bench: Workbench) -> None:
    done = said("validate", "--root", bench.folder / _LONG, "--json")

    assert done.code == 1
    assert {one["code"] for one in done.document["findings"]} == {"D004"}


def test_a_fault_of_the_disk_where_nobody_expected_one_ends_with_4(
    bench: Workbench, monkeypatch: pytest.MonkeyPatch
) -> None:
    def forbidden(*_: object, **__: object) -> object:
        raise PermissionError(13, "Permission denied", "somewhere")

    monkeypatch.setattr("itemproof.cli.archive.recover", forbidden)

    done = said("--root", bench.root, "recover", "--json")

    assert (done.code, done.err) == (4, "")
    [finding] = done.document["error"]["findings"]
    assert (finding["code"], finding["path"]) == ("D003", "somewhere")


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["convert", "pipe", "-o", "lines.jsonl"], "J036"),
        (["attach", "open", "pipe"], "W009"),
        (["import", "open", "pipe"], "H026"),
        (["add", "pipe", "--model", "m"], "H026"),
    ],
    ids=["convert", "attach", "import", "add"],
)
def test_a_pipe_is_refused_and_nobody_waits_for_it(bench: Workbench, arguments: list[str], code: str) -> None:
    os.mkfifo("pipe")

    done = said("--root", bench.root, *arguments)

    assert (done.code, done.out) == (2, "")
    assert f"  {code}  " in done.err


def test_a_log_without_ids_is_told_its_way_out_even_where_some_documents_are_equal(bench: Workbench) -> None:
    log = bench.log("samples_sums.jsonl", *(text_line(n, doc={"question": f"{n % 5}?"}) for n in range(6)))

    done = said("--root", bench.root, "import", "open", log)

    assert done.code == 0
    assert done.out.splitlines()[1:] == [
        "  sums   6 docs   run-local: these docs carry no id. They count in summaries, not in pairs.",
        "    To pair: import into a new run with --id-field doc_hash (verified, 4 of 6 unique). Nothing is lost.",
        "    By doc_hash, documents that are equal stay run-local: nothing tells their questions apart.",
    ]
    again = said("--root", bench.root, "import", "new", log, "--create", "--model", "m", "--id-field", "doc_hash")
    assert "  sums: 2 of 6 records are run-local." in again.out


def test_a_log_of_several_filters_counts_lines(bench: Workbench) -> None:
    lines = [text_line(n, doc={"question": f"{n % 5}?"}, filter=name) for name in ("a", "b") for n in range(6)]

    done = said("--root", bench.root, "import", "open", bench.log("samples_sums.jsonl", *lines))

    assert "  sums   6 docs x 2 filters   run-local" in done.out
    assert "--id-field doc_hash (verified, 8 of 12 lines unique)" in done.out


def test_the_way_out_is_measured_on_the_bytes_that_the_archive_holds(
    bench: Workbench, monkeypatch: pytest.MonkeyPatch
) -> None:
    measured = []

    def spy(path: Path, *, name: str) -> WayOut:
        measured.append((path, name))
        return measure(path, name=name)

    monkeypatch.setattr("itemproof.cli.adding.measure", spy)
    log = bench.log("samples_sums.jsonl", text_line(0))

    assert said("--root", bench.root, "import", "open", log).code == 0
    assert measured == [(bench.root / "runs/open/raw/0002-samples_sums.jsonl", "samples_sums.jsonl")]


def test_lines_of_other_formats_are_told_how_to_be_paired_in_their_own_words(bench: Workbench) -> None:
    wording = {"question": "Which?", "choices": ["a", "b"], "correct_index": 0, "pred_acc": 0}
    log = bench.log("pairs.jsonl", {"benchmark": "b", "original": wording, "rephrased": wording})

    done = said("--root", bench.root, "import", "open", log)

    assert done.code == 0
    assert done.out.splitlines()[1:3] == [
        "  pairs.jsonl: 2 records run-local: counted in summaries, not in pairs.",
        "    To pair: write a question_id into each line, or name the field that holds one with --id-field.",
    ]


@pytest.mark.parametrize("numbers", [(1e308, 1e308), (1e308, -1e308, 1e308)], ids=["beyond", "within"])
def test_metrics_near_the_end_of_a_double_are_imported_beside_a_table(
    bench: Workbench, numbers: tuple[float, ...]
) -> None:
    stamp = "2026-01-02T03-04-05.6"
    results = {
        "results": {"sums": {"bleu,none": 10**400, "loss,none": 1e308}},
        "configs": {"sums": {"metric_list": []}},
    }
    bench.log(f"results_{stamp}.json", json.dumps({**results, "date": 10**400}).encode())
    lines = [text_line(n, filter="none", metrics=["bleu", "loss"], bleu=1, loss=x) for n, x in enumerate(numbers)]
    log = bench.log(f"samples_sums_{stamp}.jsonl", *lines)

    done = said("--root", bench.root, "import", "open", log, "--json")

    assert done.code == 0
    assert [one["metric"] for one in done.document["reproduced"]["differ"]] == (["loss"] if len(numbers) == 3 else [])
    assert said("--root", bench.root, "summary", "open").code == 0
    assert said("--root", bench.root, "validate", "--deep").code == 0
