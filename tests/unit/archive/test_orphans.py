"""No worker outlives its parent, however that ends: the caller's pipe, which every worker holds, reaches its end."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from cli.workbench import Workbench
from harness_lines import text_line
from itemproof.archive.workers import can_fork

pytestmark = pytest.mark.skipif(not can_fork(), reason="needs processes that can fork")

#: The command line, whose workers say that they are there, while the parent never comes to take what they made.
_IMPORT = """
import os, signal, sys
from itemproof.archive import ingest, raw, workers
from itemproof.cli.main import main
def told(*given, real=workers.normalise_stretch):
    os.write(1, b".")
    return real(*given)
workers.normalise_stretch = told
workers._Worker.next = lambda *_: signal.pause()
raw.STRETCH_BYTES = raw.PIECE_BYTES = 2_000
ingest._WORTH_FORKING_BYTES = 0
sys.exit(main(sys.argv[1:]))
"""

#: The same, with workers that never come to an end by themselves.
_VALIDATE = """
import os, signal, sys
from itemproof.archive.rules import see_all, see_file
from itemproof.cli.main import main
def told(*_):
    os.write(1, b".")
    signal.pause()
see_file.FileTask.inspect = told
see_all._WORTH_FORKING_BYTES = 0
sys.exit(main(sys.argv[1:]))
"""


def _reaches_its_end(script: str, killed_by: signal.Signals, workers: int, *arguments: object) -> None:
    command = [sys.executable, "-c", script, *map(str, arguments)]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, start_new_session=True
    ) as process:
        try:
            assert process.stdout is not None
            seen = b"".join(os.read(process.stdout.fileno(), 1) for _ in range(workers))
            assert seen == b"." * workers
            process.send_signal(killed_by)
            process.communicate(timeout=30)
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)


@pytest.mark.parametrize("killed_by", [signal.SIGKILL, signal.SIGTERM])
@pytest.mark.parametrize("jobs", [2, 4])
def test_workers_of_a_killed_import_end(tmp_path: Path, killed_by: signal.Signals, jobs: int) -> None:
    bench = Workbench.made(tmp_path)
    log = bench.log("log.jsonl", *(text_line(number, filter="none") for number in range(60)))
    options = ["--create", "--model", "m", "--benchmark", "b", "--jobs", jobs]

    _reaches_its_end(_IMPORT, killed_by, jobs, "--root", bench.root, "import", "run", log, *options)


def test_workers_of_a_killed_validate_end(tmp_path: Path) -> None:
    bench = Workbench.made(tmp_path)
    bench.bring(bench.log("a.jsonl", text_line(0)), bench.log("b.jsonl", text_line(1)), benchmark="b")
    options = ["--deep", "--jobs", 2]

    _reaches_its_end(_VALIDATE, signal.SIGKILL, 2, "--root", bench.root, "validate", *options)
