"""The command as a process: other locales, readers that leave, interruptions, the environment."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from cli.workbench import Workbench, snapshot, whole

_PROGRAM = (sys.executable, "-m", "itemproof")


def line(question_id: str, **changes: Any) -> dict[str, Any]:
    """A harness line with this id."""
    given = {"question_id": question_id, "doc": {}, "resps": [["a"]], "target": "a", "benchmark": "b", "acc": 1}
    return {**given, **changes}


def itemproof(
    *arguments: object, env: Mapping[str, str] | None = None, cwd: Path | None = None, stdout: int = subprocess.PIPE
) -> subprocess.CompletedProcess[bytes]:
    """The command, carried out."""
    return subprocess.run(
        [*_PROGRAM, *map(str, arguments)],
        env={**os.environ, **(env or {})},
        cwd=cwd,
        stdout=stdout,
        stderr=subprocess.PIPE,
        check=False,
    )


@pytest.fixture
def bench(tmp_path: Path) -> Workbench:
    bench = Workbench.made(tmp_path)
    bench.bring(bench.log("old.jsonl", line("q1"), line("q2")))
    return bench


@pytest.mark.parametrize("where", ["before", "after", "environment", "above"])
def test_the_archive_is_named_before_or_after_the_command_by_the_environment_or_by_the_folder(
    bench: Workbench, where: str
) -> None:
    root = str(bench.root)
    below = bench.root / "runs" / "run-1"
    done = {
        "before": lambda: itemproof("--root", root, "list", "--ids", cwd=bench.folder),
        "after": lambda: itemproof("list", "--ids", "--root", root, cwd=bench.folder),
        "environment": lambda: itemproof("list", "--ids", env={"ITEMPROOF_ROOT": root}, cwd=bench.folder),
        "above": lambda: itemproof("list", "--ids", cwd=below),
    }[where]()

    assert (done.returncode, done.stdout, done.stderr) == (0, b"run-1\n", b"")


def test_the_option_after_the_command_comes_first_then_the_one_before_then_the_environment(bench: Workbench) -> None:
    root, nowhere = str(bench.root), str(bench.folder / "nowhere")
    environment = {"ITEMPROOF_ROOT": nowhere}

    assert itemproof("--root", nowhere, "list", "--root", root).returncode == 0
    assert itemproof("--root", root, "list", env=environment).returncode == 0
    assert itemproof("list", env=environment).returncode == 2


_C_LOCALE = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}


def test_names_that_a_terminal_cannot_show_are_spelt_out(bench: Workbench) -> None:
    bench.bring(bench.log("東京.jsonl", line("q3", benchmark="首都")), run="tokyo", model="東京")

    done = itemproof("--root", bench.root, "show", "tokyo", env=_C_LOCALE)
    summary = itemproof("--root", bench.root, "summary", "tokyo", env=_C_LOCALE)

    assert (done.returncode, summary.returncode) == (0, 0)
    assert b"model    \\u6771\\u4eac" in done.stdout
    assert b"\\u9996\\u90fd" in summary.stdout


def test_colours_are_nobody_s_wish_and_nobody_gets_them(bench: Workbench) -> None:
    for environment in ({}, {"NO_COLOR": "1"}, {"FORCE_COLOR": "1"}, {"TERM": "dumb"}):
        done = itemproof("--root", bench.root, "summary", "run-1", env=environment)
        assert done.returncode == 0
        assert b"\x1b" not in done.stdout + done.stderr


@pytest.mark.parametrize(
    "arguments", [["list"], ["list", "--json"], ["show", "run-1"], ["validate"], ["--help"], ["list", "--help"]]
)
def test_a_reader_that_leaves_early_is_no_fault(bench: Workbench, arguments: list[str]) -> None:
    reader, writer = os.pipe()
    os.close(reader)

    done = itemproof("--root", bench.root, *arguments, stdout=writer)

    os.close(writer)
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
@pytest.mark.parametrize("arguments", [["list"], ["list", "--json"], ["show", "nobody", "--json"]])
def test_an_output_that_is_full_is_said_to_be(bench: Workbench, arguments: list[str]) -> None:
    with Path("/dev/full").open("wb") as full:
        done = itemproof("--root", bench.root, *arguments, stdout=full.fileno())

    assert done.returncode == 4
    assert b"D030" in done.stderr
    assert b"Traceback" not in done.stderr


@pytest.mark.parametrize("jobs", [1, 2])
def test_an_interrupted_import_ends_with_130_and_leaves_the_archive_as_it_was(bench: Workbench, jobs: int) -> None:
    lines = (line(f"q{number}", note="x" * 400) for number in range(10, 50_000))
    big = bench.log("big.jsonl", *lines)
    staging = bench.root / ".itemproof" / "staging"
    before = snapshot(bench.root)

    importing = subprocess.Popen(
        [*_PROGRAM, "--root", bench.root, "import", "run-1", big, "--jobs", str(jobs)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    while not any(staging.glob("*/raw/*")) and importing.poll() is None:
        os.sched_yield()
    os.killpg(importing.pid, signal.SIGINT)
    out, err = importing.communicate(timeout=60)

    assert (importing.returncode, out) == (130, b"")
    assert b"Traceback" not in err
    assert snapshot(bench.root) == before
    assert whole(bench.root) == []
    with pytest.raises(ProcessLookupError):
        os.killpg(importing.pid, 0)


def test_the_document_stands_alone_on_standard_output(bench: Workbench) -> None:
    more = bench.log("more.jsonl", line("q3", model="other/model"))

    done = itemproof("--root", bench.root, "import", "run-1", more, "--json")

    assert (done.returncode, done.stderr) == (2, b"")
    assert json.loads(done.stdout)["error"]["code"] == "R002"


def test_start_up_reads_no_heavy_library() -> None:
    heavy = {"numpy", "orjson", "msgspec", "rich", "zstandard"}
    script = "import sys; from itemproof.cli.main import main; main(['--version']); print(*sys.modules)"

    done = subprocess.run([sys.executable, "-c", script], capture_output=True, check=True, text=True)

    assert heavy & set(done.stdout.split()) == set()


def test_a_full_folder_for_temporary_files_is_no_damage(bench: Workbench) -> None:
    """The limit on a file's size stands for a disk that is full."""
    pages = Path("/proc/self/limits")
    if not pages.exists():
        pytest.skip("needs limits on the size of files")
    bench.bring(bench.log("big.jsonl", *(line(f"q{n}", note="x" * 500) for n in range(10, 300))), run="big")
    limited = "import resource, sys; resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096)); "
    script = f"{limited}from itemproof.cli.main import main; sys.exit(main(sys.argv[1:]))"
    arguments = ["--root", str(bench.root), "validate", "--deep", "--jobs", "1"]

    done = subprocess.run([sys.executable, "-c", script, *arguments], capture_output=True, check=False, text=True)

    assert (done.returncode, done.stdout) == (4, "")
    assert "D021  File too large." in done.stderr
    assert "TMPDIR" in done.stderr
    assert itemproof("--root", bench.root, "validate", "--deep").returncode == 0


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
@pytest.mark.parametrize(
    ("arguments", "code"), [(["show", "nobody"], 2), (["frobnicate"], 2), (["validate", "--jobs", "0"], 2)]
)
def test_where_nobody_can_be_told_the_exit_code_still_tells(bench: Workbench, arguments: list[str], code: int) -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [*_PROGRAM, "--root", str(bench.root), *arguments], stdout=subprocess.PIPE, stderr=full, check=False
        )

    assert (done.returncode, done.stdout) == (code, b"")
