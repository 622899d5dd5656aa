"""Troubles that people reported of other tools with disks, writers at the same time, and names."""

from __future__ import annotations

import errno
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cli.main_in_process import said
from cli.workbench import Workbench, snapshot, whole
from itemproof.archive.attach import attach
from itemproof.files import atomic


@pytest.fixture
def bench(tmp_path: Path) -> Workbench:
    return Workbench.made(tmp_path)


def line(question_id: str, **changes: Any) -> dict[str, Any]:
    """A harness line with this id."""
    given = {"question_id": question_id, "doc": {}, "resps": [["a"]], "target": "a", "benchmark": "b", "acc": 1}
    return {**given, **changes}


def itemproof(*arguments: object, limit_bytes: int | None = None) -> subprocess.CompletedProcess[str]:
    """The command as a process that may write no file longer than the limit."""
    program = [sys.executable, "-m", "itemproof", *map(str, arguments)]
    if limit_bytes is not None:
        program = ["prlimit", f"--fsize={limit_bytes}", *program]
    return subprocess.run(program, capture_output=True, text=True, check=False)


@pytest.mark.skipif(shutil.which("prlimit") is None, reason="needs prlimit")
def test_bug_054_a_disk_that_takes_no_more_leaves_the_archive_as_it_was(bench: Workbench) -> None:
    bench.bring(bench.log("first.jsonl", line("q1")))
    big = bench.log("big.jsonl", *(line(f"big-{number}", note="x" * 500) for number in range(1_000)))

    with bench.unchanged():
        done = itemproof("--root", bench.root, "import", "run-1", big, limit_bytes=100_000)

    assert done.returncode == 4
    assert "D001" in done.stderr
    assert "Traceback" not in done.stderr
    bench.bring(big)
    assert len(bench.records()) == 1_001
    assert whole(bench.root) == []


def test_bug_056_writers_at_the_same_time_commit_whole_or_are_told_so(bench: Workbench) -> None:
    bench.bring(bench.log("zero.jsonl", line("q0")))
    logs = [bench.log(f"f{part}.jsonl", *(line(f"f{part}-{n}") for n in range(50))) for part in range(4)]
    writers = [
        subprocess.Popen([sys.executable, "-m", "itemproof", "--root", bench.root, "import", "run-1", log, *more])
        for log in logs
        for more in [["--lock-timeout", "60"]]
    ]

    assert [writer.wait(timeout=120) for writer in writers] == [0] * 4
    assert sorted(file.records for file in bench.files()) == [1, 50, 50, 50, 50]
    assert whole(bench.root) == []


def test_bug_058_readers_leave_nothing_on_a_disk_that_they_may_not_write(bench: Workbench) -> None:
    """As an archive comes back from the Hub: without its working folders, and nothing may be added to it."""
    bench.bring(bench.log("first.jsonl", line("q1"), line("q2", acc=0)))
    shutil.rmtree(bench.root / ".itemproof")
    before = snapshot(bench.root)
    for path in (bench.root, *bench.root.rglob("*")):
        path.chmod(path.stat().st_mode & ~0o222)
    out = bench.folder / "out.jsonl"

    for arguments in (["list"], ["show", "run-1"], ["summary", "run-1"], ["validate", "--deep"]):
        assert said("--root", bench.root, *arguments).code == 0
    assert said("--root", bench.root, "export", "run-1", "-o", out).code == 0

    assert snapshot(bench.root) == before
    assert len(out.read_bytes().splitlines()) == 2


@pytest.mark.parametrize(
    ("failures", "error", "works"),
    [
        pytest.param(2, errno.EACCES, True, id="a scanner lets go"),
        pytest.param(10**6, errno.EACCES, False, id="forbidden for good"),
        pytest.param(10**6, errno.EXDEV, False, id="another file system"),
    ],
)
def test_bug_059_a_manifest_is_replaced_in_one_step_or_not_at_all(
    bench: Workbench, monkeypatch: pytest.MonkeyPatch, failures: int, error: int, works: bool
) -> None:
    bench.bring(bench.log("first.jsonl", line("q1")))
    second = bench.log("second.jsonl", line("q2"))
    left = iter(range(failures))
    replace: Callable[[Path, Path], Path] = Path.replace

    def failing(path: Path, target: Path) -> Path:
        if path.name == "manifest.json" and next(left, None) is not None:
            raise OSError(error, os.strerror(error))
        return replace(path, target)

    monkeypatch.setattr(Path, "replace", failing)
    monkeypatch.setattr(atomic, "_PAUSES_S", (0.0, 0.0, 0.0))

    if works:
        bench.bring(second)
        assert [record["question_id"] for record in bench.records()] == ["q1", "q2"]
    else:
        refused = bench.refusal(second)
        assert refused.code.id in {"D003", "D004"}
        monkeypatch.undo()
        bench.bring(second)
    assert whole(bench.root) == []


_ODD_MODEL = "org/demo:7b,base_url=http://198.51.100.7:1234/v1"


def test_bug_060_names_are_data_and_folders_are_safe(bench: Workbench) -> None:
    log = bench.log("a|b?c*.jsonl", line("q1", benchmark="leaderboard|hellaswag|0", model=_ODD_MODEL))

    assert said("--root", bench.root, "add", log, "--model", _ODD_MODEL).code == 0

    [run_id] = bench.archive.run_ids()
    [record] = bench.records(run_id)
    assert (record["model"], record["benchmark"]) == (_ODD_MODEL, "leaderboard|hellaswag|0")
    assert [file.name for file in bench.files(run_id)] == ["a|b?c*.jsonl"]
    stored = [path.relative_to(bench.root).as_posix() for path in (bench.root / "runs").rglob("*")]
    assert not set("".join(stored)) & set('<>:"\\|?*,= ')
    assert whole(bench.root) == []


def test_bug_060_two_models_whose_names_come_to_one_id_get_two_runs(bench: Workbench) -> None:
    for name, model in (("one", "org/demo"), ("two", "org__demo")):
        log = bench.log(f"{name}.jsonl", line(name))
        assert said("--root", bench.root, "add", log, "--model", model).code == 0

    runs = {run_id: bench.archive.run(run_id).manifest.model for run_id in bench.archive.run_ids()}
    assert runs == {"org__demo": "org/demo", "org__demo.2": "org__demo"}


def test_bug_063_question_ids_never_become_paths(bench: Workbench) -> None:
    names = ["../../escaped", "/etc/x", "CON", "nul\0", "C:\\x", "."]
    outside = set(bench.folder.iterdir())

    bench.bring(bench.log("paths.jsonl", *map(line, names)))

    assert [record["question_id"] for record in bench.records()] == names
    assert set(bench.folder.iterdir()) == outside
    assert sorted(path.name for path in (bench.root / "runs/run-1").rglob("*") if path.is_file()) == [
        "0001-paths.jsonl",
        "0001.jsonl",
        "manifest.json",
    ]


@pytest.mark.parametrize("run_id", ["../escaped", "/etc/x", "CON", "nul.txt", "a/b", "a\\b", "C:x", ".", "a.", ""])
def test_bug_063_run_ids_that_are_no_names_are_refused(bench: Workbench, run_id: str) -> None:
    log = bench.log("one.jsonl", line("q1"))

    assert bench.faults(log, run=run_id) == [("D011", None, None)]


def test_bug_063_a_line_of_another_run_is_refused(bench: Workbench) -> None:
    log = bench.log("other.jsonl", line("q1", run_id="../../etc/pwn"))

    assert bench.faults(log) == [("R002", 1, "$.run_id")]


def test_bug_064_attachments_with_names_that_look_alike_are_two_files(bench: Workbench) -> None:
    bench.bring(bench.log("one.jsonl", line("q1")))
    composed, decomposed = (
        bench.log(name, name.encode()) for name in ("r\u00e9sum\u00e9.txt", "re\u0301sume\u0301.txt")
    )

    attached = attach(bench.archive, "run-1", [composed, decomposed])

    assert [one.name for one in attached.added] == ["r\u00e9sum\u00e9.txt", "re\u0301sume\u0301.txt"]
    stored = [one.path for one in bench.archive.run("run-1").manifest.attachments]
    assert all(path.isascii() for path in stored)
    assert len(set(stored)) == 2
    assert json.loads(said("--root", bench.root, "validate", "--json").out)["ok"] is True
    assert whole(bench.root) == []
