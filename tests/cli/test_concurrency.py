"""Many writers at once, as processes: nobody is lost, nobody leaves half a change."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from cli.workbench import Workbench, whole

_WRITERS = 20
_LINES = 10


@pytest.fixture
def bench(tmp_path: Path) -> Workbench:
    bench = Workbench.made(tmp_path)
    for writer in range(_WRITERS):
        names = [f"w{writer}-{number}" for number in range(_LINES)]
        bench.log(f"{writer}.jsonl", *({"question_id": name, "variant_id": "v", "benchmark": "b"} for name in names))
    return bench


def exit_codes(bench: Workbench, commands: Sequence[Sequence[str]], *, timeout_s: float) -> list[int]:
    """The exit codes of imports that were all begun before the first was waited for."""
    program = (sys.executable, "-m", "itemproof", "--root", str(bench.root), "import")
    logs = bench.folder / "logs"
    writers = [
        subprocess.Popen(
            [*program, *command, str(logs / f"{number}.jsonl"), "--lock-timeout", str(timeout_s)],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
        )
        for number, command in enumerate(commands)
    ]
    told = [writer.communicate(timeout=300)[1] for writer in writers]
    assert [text for text in told if b"Traceback" in text] == []
    return [writer.returncode for writer in writers]


def test_twenty_writers_of_one_run_all_get_their_turn(bench: Workbench) -> None:
    with bench.archive.write() as writer:
        writer.create_run("shared", "m", {})

    assert exit_codes(bench, [["shared"]] * _WRITERS, timeout_s=300) == [0] * _WRITERS

    names = [record["question_id"] for record in bench.records("shared")]
    assert len(names) == len(set(names)) == _WRITERS * _LINES
    manifest = bench.archive.run("shared").manifest
    assert [entry.id for entry in manifest.imports] == [f"import-{number:04d}" for number in range(1, _WRITERS + 1)]
    assert whole(bench.root) == []


def test_twenty_writers_of_twenty_runs_all_get_their_turn(bench: Workbench) -> None:
    runs = [f"run-{number}" for number in range(_WRITERS)]

    codes = exit_codes(bench, [["--create", "--model", "m", run] for run in runs], timeout_s=300)

    assert codes == [0] * _WRITERS
    assert {run: len(bench.records(run)) for run in bench.archive.run_ids()} == dict.fromkeys(runs, _LINES)
    assert whole(bench.root) == []


def test_writers_that_do_not_wait_are_done_whole_or_refused_whole(bench: Workbench) -> None:
    with bench.archive.write() as writer:
        writer.create_run("shared", "m", {})

    codes = exit_codes(bench, [["shared"]] * _WRITERS, timeout_s=0)

    assert set(codes) <= {0, 3}
    done = [f"{number}.jsonl" for number, code in enumerate(codes) if code == 0]
    assert sorted(file.name for file in bench.files("shared")) == sorted(done)
    assert [file.records for file in bench.files("shared")] == [_LINES] * len(done)
    assert done
    assert whole(bench.root) == []
