"""Several writers at once, writers that die, and file systems that cannot do what a write needs."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from faults.harness import an_archive, driven, environment, leftovers, needs_strace, next_write, run_traced, state_of
from itemproof.archive.archive import Archive
from itemproof.archive.recover import recover
from itemproof.core.errors import Refused

pytestmark = pytest.mark.faults


@pytest.fixture
def inputs(tmp_path: Path) -> Path:
    return tmp_path / "inputs"


@pytest.fixture
def root(tmp_path: Path, inputs: Path) -> Path:
    an_archive(tmp_path / "ark", inputs)
    return tmp_path / "ark"


def start(program: str, root: Path, *names: str) -> subprocess.Popen[str]:
    argv = [*driven(program)(root, root), *names]
    return subprocess.Popen(
        argv,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment(),
        start_new_session=True,
    )


@contextmanager
def holding(program: str, root: Path) -> Iterator[subprocess.Popen[str]]:
    """A process that holds the lock; whatever it started ends with its standard input."""
    process = start(program, root)
    assert process.stdout is not None
    try:
        assert process.stdout.readline() == "ready\n"
        yield process
    finally:
        process.kill()
        process.communicate()


@pytest.mark.parametrize("writers", [2, 20])
def test_of_writers_at_once_none_is_lost(root: Path, writers: int) -> None:
    names = [f"file-{number}.jsonl" for number in range(writers)]
    processes = [start("import-one", root, name) for name in names]
    ended = [(process.communicate()[1], process.returncode) for process in processes]
    assert ended == [("", 0)] * writers
    run = Archive.open(root).run("old")
    assert sorted(file.name for file in run.manifest.files) == sorted(["first.jsonl", *names])
    assert [int(file.raw_path.split("/")[3][:4]) for file in run.manifest.files] == list(range(1, writers + 2))
    assert state_of(root) is not None
    assert leftovers(root) == []


def test_a_writer_that_does_not_get_the_lock_is_told_who_has_it(root: Path) -> None:
    with holding("hold", root) as holder:
        waiting = start("impatient", root)
        _, errors = waiting.communicate()
        assert waiting.returncode == 3
        assert f"D008  Another writer holds the archive: import, process {holder.pid} on " in errors
        assert "since 2026-11-30T13:33:32Z; waited 0 s." in errors
        assert "--lock-timeout" in errors


def test_a_reader_needs_no_lock(root: Path) -> None:
    before = state_of(root)
    with holding("hold", root):
        assert state_of(root) == before


def test_the_lock_of_a_killed_writer_is_free_and_its_staging_goes(root: Path) -> None:
    before = state_of(root)
    with holding("hold", root) as holder:
        holder.send_signal(signal.SIGKILL)
        holder.wait()
    assert leftovers(root) == ["journal/0001.json", "staging/0001"]
    settled = recover(Archive.open(root), lock_timeout_s=0.0)
    assert [(one.run_id, one.command, one.outcome, one.removed) for one in settled] == [("old", "import", "undone", 0)]
    assert leftovers(root) == []
    assert state_of(root) == before


def test_a_forked_child_does_not_keep_the_lock_of_its_dead_parent(root: Path) -> None:
    with holding("hold-and-fork", root) as holder:
        holder.send_signal(signal.SIGKILL)
        holder.wait()
        next_write(root)


def test_the_lock_says_nothing_when_nobody_holds_it(root: Path) -> None:
    next_write(root)
    lock = root / ".itemproof" / "lock"
    assert lock.read_bytes() == b""
    with holding("hold", root) as holder:
        said = json.loads(lock.read_text(encoding="utf-8"))
    assert (said["pid"], said["command"]) == (holder.pid, "import")


@needs_strace
@pytest.mark.parametrize("cause", ["ENOLCK", "ENOSYS", "EOPNOTSUPP"])
def test_a_file_system_without_locks_is_refused_by_name(root: Path, inputs: Path, tmp_path: Path, cause: str) -> None:
    before = state_of(root)
    ended = run_traced(
        driven("create-run")(root, inputs), tmp_path / "log", "-e", "trace=flock", "-e", f"inject=flock:error={cause}"
    )
    assert ended.code == 4
    assert "D009  The file system of this folder has no locks" in ended.errors
    assert state_of(root) == before


@needs_strace
def test_without_hard_links_a_rename_that_spares_files_takes_their_place(
    root: Path, inputs: Path, tmp_path: Path
) -> None:
    ended = run_traced(driven("import")(root, inputs), tmp_path / "log", "-e", "inject=link:error=EPERM")
    assert (ended.code, ended.errors) == (0, "")
    assert len(Archive.open(root).run("old").manifest.files) == 3
    assert sum("renameat2(" in line and "RENAME_NOREPLACE) = 0" in line for line in ended.trace) == 5
    assert leftovers(root) == []


@needs_strace
def test_without_links_and_such_a_rename_nothing_is_written(root: Path, inputs: Path, tmp_path: Path) -> None:
    before = state_of(root)
    options = ("-e", "inject=link:error=EPERM", "-e", "inject=renameat2:error=EINVAL")
    ended = run_traced(driven("import")(root, inputs), tmp_path / "log", *options)
    assert ended.code == 4
    assert "D006" in ended.errors
    assert state_of(root) == before
    assert leftovers(root) == []


def fill(ballast: Path) -> None:
    with ballast.open("wb", buffering=0) as file:
        while True:
            file.write(b"\0" * 4096)


@pytest.mark.skipif(not shutil.which("mount") or os.name != "posix" or os.geteuid() != 0, reason="cannot mount a disk")
def test_a_full_disk_refuses_and_takes_the_import_when_there_is_room(tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", str(disk)], capture_output=True, check=False
    )
    if mounted.returncode:
        pytest.skip(f"cannot mount a disk: {mounted.stderr.decode(errors='replace')}")
    try:
        an_archive(disk / "ark", tmp_path / "inputs")
        before = state_of(disk / "ark")
        ballast = disk / "ballast"
        with pytest.raises(OSError, match="No space"):
            fill(ballast)
        failed = start("import-one", disk / "ark", "b.jsonl")
        _, errors = failed.communicate()
        assert failed.returncode == 4
        assert "D001  No space left on device" in errors
        assert state_of(disk / "ark") == before
        ballast.unlink()
        repeated = start("import-one", disk / "ark", "b.jsonl")
        assert (repeated.communicate()[1], repeated.returncode) == ("", 0)
        assert leftovers(disk / "ark") == []
    finally:
        subprocess.run(["umount", str(disk)], check=True)


def test_a_second_archive_write_of_one_process_waits_for_the_first(root: Path) -> None:
    archive = Archive.open(root)
    with archive.write(command="import"), pytest.raises(Refused) as refused, archive.write(lock_timeout_s=0.0):
        pass
    assert refused.value.code.id == "D008"
