"""Drives any command line under strace, with one system call killed or failed, and reads what the archive then says.

A scenario is a command and the archive that it finds. Anything may be a scenario that writes to one archive and ends:
the programs of `driver.py` here, and the tool itself.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal, TypeAlias

import msgspec
import pytest

import itemproof
from faults import driver
from itemproof.archive.archive import Archive
from itemproof.archive.layout import Layout
from itemproof.archive.rederive import Rederiver
from itemproof.archive.seal import damaged_files
from itemproof.archive.validate import validate
from itemproof.files.walk import walk

DRIVER = Path(driver.__file__)

#: The calls that change a disk. Each is injected by name; those that a command does not make cost nothing.
CALLS = (
    "write",
    "pwrite64",
    "copy_file_range",
    "ftruncate",
    "fsync",
    "fdatasync",
    "rename",
    "renameat",
    "renameat2",
    "link",
    "linkat",
    "unlink",
    "unlinkat",
    "rmdir",
    "mkdir",
    "mkdirat",
    "chmod",
    "fchmod",
    "fchmodat",
    "flock",
)

Fault: TypeAlias = Literal["signal=KILL", "error=ENOSPC", "error=EIO"]
FAULTS: tuple[Fault, ...] = ("signal=KILL", "error=ENOSPC", "error=EIO")

#: What a reader sees: None for no archive, else each run's content without its times.
State: TypeAlias = dict[str, object] | None


@dataclass(frozen=True)
class Scenario:
    """A command and what it finds.

    Attributes:
        name: For the test's id.
        argv: The command line, given the archive's root and a folder with the input files.
        setup: Makes the archive and the input files.
        is_seen: Whether a reader sees that it was done.
        is_real: Whether the archive is one that the tool itself made, so that a validation finds nothing in it.
    """

    name: str
    argv: Callable[[Path, Path], Sequence[str]]
    setup: Callable[[Path, Path], None]
    is_seen: bool = True
    is_real: bool = False


@dataclass(frozen=True)
class Ended:
    """A command that was run under strace.

    Attributes:
        code: Its exit code, negative for a signal.
        errors: What it wrote to standard error.
        trace: The lines of the trace.
    """

    code: int
    errors: str
    trace: list[str]

    @property
    def injected(self) -> bool:
        """Whether the fault took place."""
        return self.code == -9 or any("(INJECTED)" in line for line in self.trace)


@cache
def why_not() -> str:
    """Why faults cannot be injected here, or nothing."""
    if not shutil.which("strace"):
        return "strace is not installed"
    tried = subprocess.run(
        ["strace", "-f", "-qq", "-e", "trace=none", sys.executable, "-c", ""], capture_output=True, check=False
    )
    return "" if tried.returncode == 0 else f"strace may not trace here: {tried.stderr.decode(errors='replace')[:200]}"


needs_strace = pytest.mark.skipif(bool(why_not()), reason=why_not() or "strace works")


def environment() -> dict[str, str]:
    """An environment in which the interpreter finds the toolkit and writes no byte code."""
    source = str(Path(itemproof.__file__).resolve().parents[1])
    tests = str(DRIVER.parents[1])
    return {**os.environ, "PYTHONPATH": os.pathsep.join([source, tests]), "PYTHONDONTWRITEBYTECODE": "1"}


def run_traced(argv: Sequence[str], log: Path, *options: str) -> Ended:
    """Runs a command under strace, its threads and children too."""
    command = ["strace", "-f", "-qq", "-o", str(log), *options, *argv]
    done = subprocess.run(command, capture_output=True, env=environment(), timeout=120, check=False)
    trace = log.read_text(encoding="utf-8", errors="replace").splitlines()
    return Ended(done.returncode, done.stderr.decode(errors="replace"), trace)


def inject(argv: Sequence[str], log: Path, call: str, *, fault: str, number: int) -> Ended:
    """Runs a command whose n-th call of this name, in each of its threads, meets the fault."""
    return run_traced(argv, log, "-e", f"trace={call}", "-e", f"inject={call}:{fault}:when={number}")


def calls_made(argv: Sequence[str], log: Path) -> set[str]:
    """Which of the calls the command makes when nothing goes wrong."""
    ended = run_traced(argv, log, "-e", f"trace={','.join(CALLS)}")
    assert ended.code == 0, ended.errors
    made = {line.split("(")[0].split()[-1] for line in ended.trace if "(" in line}
    return {call for call in CALLS if call in made}


def numbers(limit: int | None) -> Iterator[int]:
    """1, 2, 3 and on, to the limit if there is one."""
    number = 1
    while limit is None or number <= limit:
        yield number
        number += 1


def driven(program: str, *names: str) -> Callable[[Path, Path], Sequence[str]]:
    """The command line of one of the driver's programs, with input files by name."""

    def argv(root: Path, inputs: Path) -> Sequence[str]:
        return [sys.executable, str(DRIVER), program, str(root), *(str(inputs / name) for name in names)]

    return argv


def an_archive(root: Path, inputs: Path) -> None:
    """An archive with the open run `old`, which has one import, and two input files."""
    inputs.mkdir()
    (inputs / "log.txt").write_bytes(b"a log\n")
    (inputs / "note.txt").write_bytes(b"a note\n")
    Archive.create(root, clock=driver.clock, new_id=lambda: "0" * 32)
    with Archive.open(root).write(clock=driver.clock) as writer:
        writer.create_run("old", "model", {})
    driver.import_names(root, "old", ["first.jsonl"])


def an_archive_with_discarded(root: Path, inputs: Path) -> None:
    """The same, with an earlier run `old` among the discarded."""
    an_archive(root, inputs)
    driver.PROGRAMS["discard"](root, [])
    with Archive.open(root).write(clock=driver.clock) as writer:
        writer.create_run("old", "model", {})
    driver.import_names(root, "old", ["first.jsonl"])


def commanded(*words: str) -> Callable[[Path, Path], Sequence[str]]:
    """The command line of the tool itself; a word that begins with `@` is an input file."""

    def argv(root: Path, inputs: Path) -> Sequence[str]:
        given = [str(inputs / word[1:]) if word.startswith("@") else word for word in words]
        return [sys.executable, "-m", "itemproof", "--root", str(root), *given]

    return argv


def an_archive_with_a_log(root: Path, inputs: Path) -> None:
    """An archive as the tool itself makes it: the open run `old` with one import, and another log to import."""
    inputs.mkdir()
    for name in ("first", "second"):
        line = f'{{"doc_id":0,"doc":{{"id":"{name}"}},"target":"4","resps":[["4"]],"filtered_resps":["4"],"acc":1}}\n'
        (inputs / f"{name}.jsonl").write_text(line, encoding="utf-8")
    Archive.create(root, clock=driver.clock, new_id=lambda: "0" * 32)
    argv = commanded("import", "old", "@first.jsonl", "--create", "--model", "m", "--benchmark", "b")(root, inputs)
    subprocess.run(argv, check=True, capture_output=True, env=environment())


def an_archive_with_leftovers(root: Path, inputs: Path) -> None:
    """The same, and what an import left that died when all its files were in place and its manifest was not."""
    an_archive_with_a_log(root, inputs)
    argv = commanded("import", "old", "@second.jsonl", "--benchmark", "b")(root, inputs)
    ended = inject(argv, inputs / "died.log", "rename", fault="signal=KILL", number=1)
    assert ended.injected
    assert leftovers(root) != []


def damage(root: Path) -> list[str]:
    """What a deep validation finds in an archive, but that there is no run yet."""
    found = validate(root, jobs=1, renormalise=Rederiver(Layout(root))).findings
    return [str(finding) for finding in found if finding.code.id != "A021"]


def nothing(_: Path, inputs: Path) -> None:
    """No archive at all."""
    inputs.mkdir()


def state_of(root: Path) -> State:
    """What a reader sees; every registered byte is checked on the way."""
    if not Layout(root).marker.exists():
        return None
    archive = Archive.open(root)
    return {run_id: _run_state(archive, run_id) for run_id in archive.run_ids()}


def _run_state(archive: Archive, run_id: str) -> object:
    run = archive.run(run_id)
    damage = damaged_files(archive.layout, run.manifest)
    assert not damage, [str(finding) for finding in damage]
    assert sum(1 for _ in run.records()) == run.manifest.records
    timeless = msgspec.structs.replace(run.manifest, created_at="", sealed_at=None, digest=None)
    imports = [msgspec.structs.replace(entry, timestamp="") for entry in timeless.imports]
    return msgspec.structs.replace(timeless, imports=imports)


def leftovers(root: Path) -> list[str]:
    """What no reader sees and no writer should have left: staged files, journals, and files no manifest names."""
    layout = Layout(root)
    found = [f"{folder.name}/{path.name}" for folder in (layout.journal, layout.staging) for path in folder.iterdir()]
    registered: set[str] = set()
    for run_id in layout.run_ids():
        manifest = layout.read_manifest(run_id)
        assert manifest is not None
        registered |= {f"runs/{run_id}/manifest.json", *manifest.paths}
    found += [f"runs/{entry.relative}" for entry in walk(layout.runs) if f"runs/{entry.relative}" not in registered]
    found += [f"runs/{name}" for name in layout.run_folders() if name not in layout.run_ids()]
    found += [f"{path} may be written" for path in sorted(registered) if _is_writable(root / path)]
    return found


def _is_writable(path: Path) -> bool:
    return path.name != "manifest.json" and bool(path.stat().st_mode & 0o222)


def next_write(root: Path) -> None:
    """The next write, as any user would do it; where there is no archive, that is making one."""
    if state_of(root) is None:
        Archive.create(root, clock=driver.clock, lock_timeout_s=0.0)
    with Archive.open(root).write(clock=driver.clock, lock_timeout_s=0.0) as writer:
        writer.create_run("next", "model", {})
