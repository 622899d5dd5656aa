"""generation-eval as a person runs it: the contract's flow, the exit codes, and options that contradict each other."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from cli.main_in_process import Said, said
from cli.workbench import Workbench, whole
from unit.generation.records import TWO, a_fixture, a_response, lines

REPOSITORY = Path(__file__).resolve().parents[2]
MOCK = REPOSITORY / "examples" / "generation_eval_offline_runner" / "mock_responses.py"
GOOD = lines(a_response("A", "Equal[1, 1]"), a_response("B", "AllNodes[]"))


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a fixture of two cases and good responses, which is the current one."""
    (tmp_path / "two.json").write_text(json.dumps(a_fixture(*TWO)), encoding="utf-8")
    (tmp_path / "good.jsonl").write_text(GOOD, encoding="utf-8")
    (tmp_path / "bad.jsonl").write_text(lines(a_response("A", "```\nEqual[1, 1]\n```")), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def scored(*arguments: object) -> Said:
    """What scoring with the two cases came to."""
    return said("generation-eval", "--fixture", "two.json", *arguments)


@pytest.mark.parametrize("format_", ["jsonl", "json"])
def test_the_flow_of_the_contract_runs_as_it_is_written(here: Path, format_: str) -> None:
    exported = said("generation-eval", "--export-requests", "--request-format", format_, "--include-reference")
    (here / "requests").write_text(exported.out, encoding="utf-8")
    subprocess.run([sys.executable, MOCK, "requests", "responses.jsonl"], cwd=here, check=True)

    done = said("generation-eval", "--responses-file", "responses.jsonl", "--summary-only", "--json")

    assert (exported.code, exported.err) == (0, "")
    assert (done.code, done.err) == (0, "")
    assert done.document["ok"] is True
    assert done.document["answer_source"] == "responses.jsonl"
    assert "cases" not in done.document


def test_the_flow_without_references_scores_bare_heads(here: Path) -> None:
    exported = said("generation-eval", "--export-requests", "--request-format", "jsonl")
    (here / "requests").write_text(exported.out, encoding="utf-8")
    subprocess.run([sys.executable, MOCK, "requests", "responses.jsonl"], cwd=here, check=True)

    done = said("generation-eval", "--responses-file", "responses.jsonl", "--summary-only", "--json")

    own = done.document["itemproof"]
    assert done.code == 1
    assert own["passed"]["count"] == own["bare_head"]["count"]
    assert own["exact_match"]["count"] == 1


def test_every_request_is_a_line_of_its_own() -> None:
    done = said("generation-eval", "--export-requests", "--request-format", "jsonl", "--level", "L1", "--level", "L6")

    records = [json.loads(line) for line in done.out.splitlines()]
    assert [record["level"] for record in records] == ["L1"] * 12 + ["L6"] * 10
    assert "reference_expr" not in records[0]


def test_a_batch_is_the_default_and_may_go_to_a_file(here: Path) -> None:
    done = scored("--export-requests", "-o", "requests.json")

    batch = json.loads((here / "requests.json").read_text(encoding="utf-8"))
    assert (done.code, done.out) == (0, "wrote 2 requests to requests.json\n")
    assert batch == scored("--export-requests").document
    assert batch["fixture_path"] == "two.json"


def test_the_primer_stands_before_the_instructions() -> None:
    done = said("generation-eval", "--export-requests", "--request-format", "jsonl", "--with-primer")

    instructions = json.loads(done.out.splitlines()[0])["instructions"]
    assert instructions.startswith("# CogLang in two pages\n")
    assert instructions.endswith("Do not include Markdown fences, prose, or multiple alternatives.")


@pytest.mark.parametrize(("file", "code"), [("good.jsonl", 0), ("bad.jsonl", 1)])
def test_the_exit_code_says_whether_all_cases_pass(here: Path, file: str, code: int) -> None:
    for more in ([], ["--json"], ["--summary-only"]):
        done = scored("--responses-file", file, *more)
        assert (done.code, done.err) == (code, "")


def test_a_person_reads_what_failed_and_why(here: Path) -> None:
    out = scored("--responses-file", "bad.jsonl").out

    assert "not all cases pass: 0 of 2 (0.0 %)" in out
    assert "fails: missing_output 1 · parse_error 1" in out
    assert "beside the expression: code_fence 1" in out
    assert 'ParseError["trailing_tokens", 1]' in out
    assert "An expected head alone, without arguments, would have passed 2 of 2 (100.0 %)." in out


def test_bad_files_end_with_2_and_every_fault(here: Path) -> None:
    (here / "faulty.jsonl").write_text('{"case_id": 1}\n{\n' + GOOD + GOOD, encoding="utf-8")

    done = scored("--responses-file", "faulty.jsonl", "--json")

    error = done.document["error"]
    assert (done.code, done.document["exit_code"], error["count"]) == (2, 2, 4)
    found = [(one["code"], one["path"], one["line"]) for one in error["findings"]]
    assert found == [
        ("G011", "faulty.jsonl", 1),
        ("J001", "faulty.jsonl", 2),
        ("G018", "faulty.jsonl", 5),
        ("G018", "faulty.jsonl", 6),
    ]
    assert error["outcome"] == "Nothing was scored."


def test_a_warning_goes_to_standard_error_and_into_the_result(here: Path) -> None:
    (here / "more.jsonl").write_text(GOOD + lines(a_response("Z", "x")), encoding="utf-8")

    done = scored("--responses-file", "more.jsonl", "--json")

    assert done.code == 0
    assert done.err.startswith("warning: more.jsonl  G019  1 response answers a case that the fixture does not have")
    assert done.document["itemproof"]["unknown_case_ids"] == {"count": 1, "ids": ["Z"]}
    assert scored("--responses-file", "more.jsonl", "--strict").code == 2


def test_without_responses_the_references_are_scored_and_it_says_so(here: Path) -> None:
    done = scored()

    assert done.code == 0
    assert "no --responses-file was given" in done.err


def test_responses_may_come_from_standard_input(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(GOOD.encode())))

    done = scored("--responses-file", "-", "--json")

    assert (done.code, done.document["answer_source"]) == (0, "-")


def test_half_a_surrogate_pair_is_reported_escaped(here: Path) -> None:
    (here / "half.jsonl").write_text(r'{"case_id": "A", "output": "\ud800[1]"}' + "\n", encoding="utf-8")

    assert r'"output": "\ud800[1]"' in scored("--responses-file", "half.jsonl", "--json").out
    assert r"\ud800" in scored("--responses-file", "half.jsonl").out
    assert scored("--responses-file", "half.jsonl", "-o", "r.json", "--report", "r.html").code == 1
    assert r"\ud800" in (here / "r.json").read_text(encoding="utf-8")


def test_results_go_to_files_that_do_not_exist(here: Path) -> None:
    files = ("-o", "result.json", "--report", "result.html")
    done = scored("--responses-file", "bad.jsonl", *files)

    assert done.code == 1
    assert done.out.endswith("wrote result.json\nwrote result.html\n")
    assert json.loads((here / "result.json").read_text(encoding="utf-8"))["case_count"] == 2
    assert (here / "result.html").read_text(encoding="utf-8").startswith("<!doctype html>")
    assert scored("--responses-file", "bad.jsonl", *files).code == 3


def test_a_result_of_lines_can_be_imported(here: Path) -> None:
    bench = Workbench.made(here / "x")
    assert scored("--responses-file", "bad.jsonl", "-o", "lines.jsonl", "--summary-only").code == 1

    done = said("--root", bench.root, "import", "r", "lines.jsonl", "--create", "--model", "m", "--json")

    assert (done.code, done.document["records"]) == (0, 2)


def test_a_result_goes_into_a_run(here: Path) -> None:
    bench = Workbench.made(here / "x")
    to_run = ("--import", "r", "--create", "--model", "m", "--meta", "seed=1")

    done = said(
        "--root", bench.root, "generation-eval", "--fixture", "two.json", "--responses-file", "good.jsonl", *to_run
    )

    assert done.code == 0
    assert done.out.endswith("kept as import-0001 of r\n")
    assert bench.archive.run("r").manifest.metadata == {"seed": 1}
    assert whole(bench.root) == []
    summary = said("--root", bench.root, "summary", "r", "--json").document
    assert [(row["benchmark"], row["accuracy"]) for row in summary["rows"]] == [("two", 1.0)]


def test_a_run_and_a_file_come_together_or_not_at_all(here: Path) -> None:
    bench = Workbench.made(here / "x")
    (here / "there.html").write_text("mine", encoding="utf-8")
    base = ("--root", bench.root, "generation-eval", "--fixture", "two.json", "--responses-file", "good.jsonl")

    refused = said(*base, "--import", "r", "--create", "--model", "m", "--report", "there.html", "-o", "r.json")
    absent = said(*base, "--import", "nowhere", "--report", "new.html")

    assert (refused.code, absent.code) == (3, 2)
    assert bench.archive.run_ids() == []
    assert sorted(path.name for path in here.iterdir() if path.suffix in {".html", ".tmp"}) == ["there.html"]
    assert not (here / "r.json").exists()


def test_a_result_without_an_archive_is_not_kept(here: Path) -> None:
    done = scored("--responses-file", "good.jsonl", "--import", "r", "--create", "--model", "m")

    assert done.code == 2


_CONTRADICTIONS: dict[str, Sequence[str]] = {
    "export and responses": ["--export-requests", "--responses-file", "good.jsonl"],
    "export and a summary": ["--export-requests", "--summary-only"],
    "export and strictness": ["--export-requests", "--strict"],
    "export and a report": ["--export-requests", "--report", "r.html"],
    "export and a run": ["--export-requests", "--import", "r"],
    "a reference without export": ["--include-reference"],
    "a format without export": ["--request-format", "json"],
    "a primer without export": ["--with-primer"],
    "create without a run": ["--create", "--model", "m"],
    "a new run without a model": ["--import", "r", "--create"],
    "a model of an old run": ["--import", "r", "--model", "m"],
    "metadata of an old run": ["--import", "r", "--meta", "a=1"],
    "a file that is not there": ["--responses-file", "nowhere.jsonl"],
    "a folder": ["--responses-file", "."],
    "a level that is not there": ["--level", "L7"],
    "an unknown format": ["--export-requests", "--request-format", "xml"],
}


@pytest.mark.parametrize("which", _CONTRADICTIONS)
def test_what_cannot_be_meant_ends_with_2(here: Path, which: str) -> None:
    done = scored(*_CONTRADICTIONS[which])

    assert (done.code, done.out) == (2, "")
    assert "Traceback" not in done.err
