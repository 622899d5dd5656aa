"""Mistakes that people make at the edges: of names, numbers, streams and things that are no files."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from cli.main_in_process import said
from cli.workbench import Workbench, places

LINE = b'{"doc_id":0,"doc":{"id":"q%d"},"target":"4","resps":[["4"]],"filtered_resps":["4"],"filter":"none","acc":1}\n'


@pytest.fixture
def bench(tmp_path: Path) -> Workbench:
    return Workbench.made(tmp_path / "bench")


def test_adding_what_is_not_there_makes_no_archive(tmp_path: Path) -> None:
    done = said("--root", tmp_path / "new", "add", tmp_path / "nowhere")
    assert (done.code, (tmp_path / "new").exists()) == (2, False)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="the system has no named pipes")
def test_a_pipe_is_no_log_and_is_not_waited_for(bench: Workbench) -> None:
    pipe = bench.folder / "logs" / "pipe.jsonl"
    os.mkfifo(pipe)
    with bench.unchanged():
        done = said("--root", bench.root, "import", "r", pipe, "--create", "--model", "m", "--json")
    assert (done.code, done.document["error"]["code"]) == (2, "H026")


@pytest.mark.parametrize("model", ["", "  "])
def test_a_model_without_a_name_is_refused(bench: Workbench, model: str) -> None:
    with bench.unchanged():
        done = said("--root", bench.root, "create-run", "r", "--model", model, "--json")
    assert (done.code, done.document["error"]["code"]) == (2, "W011")


@pytest.mark.parametrize("option", ["--variant", "--benchmark", "--language", "--script", "--filter", "--name-pattern"])
def test_a_blank_option_is_refused(bench: Workbench, option: str) -> None:
    log = bench.log("a.jsonl", LINE % 1)
    with bench.unchanged():
        done = said("--root", bench.root, "import", "r", log, "--create", "--model", "m", option, " ", "--json")
    assert (done.code, done.document["error"]["code"]) == (2, "W025")
    assert option in done.document["error"]["text"]


@pytest.mark.parametrize("seconds", ["nan", "inf", "-1", "soon"])
def test_a_lock_timeout_is_a_number_of_seconds(bench: Workbench, seconds: str) -> None:
    with bench.unchanged():
        done = said("--root", bench.root, "create-run", "r", "--model", "m", "--lock-timeout", seconds)
    assert done.code == 2
    assert "--lock-timeout" in done.err


def test_an_archive_where_a_file_lies_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"mine")
    done = said("--root", tmp_path / "file", "init", "--json")
    assert (done.code, done.document["error"]["code"]) == (2, "W012")
    assert (tmp_path / "file").read_bytes() == b"mine"


def test_the_faults_of_every_file_are_told_at_once(bench: Workbench) -> None:
    strange = bench.log("strange.jsonl", b'{"spec":{"run_id":"r-77"}}\n')
    broken = bench.log("broken.jsonl", LINE % 1, b'{"doc_id":1,"acc":NaN}\n')
    refusal = bench.refusal(strange, broken, benchmark="b")
    assert places(refusal.findings.kept) == [("R031", 1, None), ("J003", 2, "$.acc")]
    assert refusal.outcome == "Nothing was imported."


@pytest.mark.parametrize("closed", ["stdout", "stderr"])
def test_a_closed_stream_is_no_traceback(bench: Workbench, closed: str) -> None:
    shell = {"stdout": "list >&-", "stderr": "show nobody 2>&-"}[closed]
    done = subprocess.run(
        ["sh", "-c", f'"$0" -m itemproof --root "$1" {shell}', sys.executable, str(bench.root)],
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == ({"stdout": 0, "stderr": 2}[closed], b"", b"")


def test_doubled_questions_are_listed_in_the_order_of_the_file(bench: Workbench) -> None:
    log = bench.log("a.jsonl", *(LINE % number for number in (*range(50), *range(50))))
    refusal = bench.refusal(log, benchmark="b")
    assert [one.where.line for one in refusal.findings.kept] == list(range(51, 71))
    assert refusal.findings.count == 50


def test_a_key_in_an_attachment_or_in_metadata_is_named_before_it_can_no_longer_be_removed(bench: Workbench) -> None:
    secret = "sk-" + "a1B2" * 8
    config = bench.log("config.yaml", b"api_key: " + secret.encode() + b"\n")
    log = bench.log("a.jsonl", LINE % 1)
    meta = f"server.token={secret}"
    new = ("--create", "--model", "m", "--benchmark", "b", "--meta", meta)
    made = said("--root", bench.root, "import", "r", log, *new)
    attached = said("--root", bench.root, "attach", "r", config)
    sealed = said("--root", bench.root, "seal", "r")
    for done in (made, attached, sealed):
        assert (done.code, "looks like a key or token" in done.err, secret in done.err) == (0, True, False)
