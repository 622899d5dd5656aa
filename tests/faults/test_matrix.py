"""Each call that changes the disk is killed, or fails for want of space or by a broken disk: old or new, never between.

By default each command meets each fault at its first call of each name, and the import that makes its run is killed at
every write, sync and rename; `ITEMPROOF_FAULTS=all` (`make faults`) tries every call. A further command joins by one
line in `SCENARIOS`.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import pytest

from faults.harness import (
    FAULTS,
    Scenario,
    State,
    an_archive,
    an_archive_with_a_log,
    an_archive_with_discarded,
    an_archive_with_leftovers,
    calls_made,
    commanded,
    damage,
    driven,
    inject,
    leftovers,
    needs_strace,
    next_write,
    nothing,
    numbers,
    state_of,
)

pytestmark = [pytest.mark.faults, needs_strace]

FULL = os.environ.get("ITEMPROOF_FAULTS") == "all"

Setup = Callable[[Path, Path], None]
NEW = ("--create", "--model", "m", "--benchmark", "b")


def tool(name: str, *words: str, setup: Setup = an_archive_with_a_log, is_seen: bool = True) -> Scenario:
    """A command of the tool itself, on an archive that it made."""
    return Scenario(name, commanded(*words), setup, is_seen=is_seen, is_real=True)


SCENARIOS = [
    Scenario("init", driven("init"), nothing),
    Scenario("create-run", driven("create-run"), an_archive),
    Scenario("import", driven("import"), an_archive),
    Scenario("import-new", driven("import-new"), an_archive),
    Scenario("attach", driven("attach", "log.txt", "note.txt"), an_archive),
    Scenario("seal", driven("seal"), an_archive),
    Scenario("discard", driven("discard"), an_archive),
    Scenario("purge", driven("purge"), an_archive_with_discarded),
    tool("cli-init", "init", setup=nothing),
    tool("cli-import", "import", "old", "@second.jsonl", "--benchmark", "b"),
    tool("cli-create", "import", "new", "@first.jsonl", *NEW),
    tool("cli-add", "add", "@second.jsonl", "--model", "m", "--benchmark", "b"),
    tool("cli-attach", "attach", "old", "@first.jsonl"),
    tool("cli-seal", "seal", "old"),
    tool("cli-discard", "discard", "old"),
    tool("cli-recover", "recover", setup=an_archive_with_leftovers, is_seen=False),
]


@dataclass(frozen=True)
class Ground:
    """A prepared archive, and what a reader sees before and after the command; each try works on a copy."""

    scenario: Scenario
    folder: Path
    before: State
    after: State
    calls: frozenset[str]

    def copy(self, name: str) -> Path:
        """A fresh folder with the archive and the inputs."""
        folder = self.folder.with_name(f"{self.folder.name}-{name}")
        shutil.copytree(self.folder, folder, symlinks=True)
        return folder

    def argv(self, folder: Path) -> list[str]:
        """The command line on that copy."""
        return list(self.scenario.argv(folder / "ark", folder / "inputs"))


def prepare(scenario: Scenario, tmp_path: Path) -> Ground:
    folder = tmp_path / scenario.name
    folder.mkdir()
    scenario.setup(folder / "ark", folder / "inputs")
    raw = Ground(scenario, folder, None, None, frozenset())
    rehearsal = raw.copy("rehearsal")
    before = state_of(rehearsal / "ark")
    calls = calls_made(raw.argv(rehearsal), tmp_path / "rehearsal.log")
    after = state_of(rehearsal / "ark")
    assert (before != after) is scenario.is_seen
    assert leftovers(rehearsal / "ark") == []
    return Ground(scenario, folder, before, after, frozenset(calls))


def try_call(ground: Ground, call: str, fault: str, limit: int | None) -> int:
    """Meets the fault at the first, second, … call of this name until there is none; the number of faults met."""
    for number in numbers(limit):
        folder = ground.copy(f"{call}-{fault}-{number}")
        ended = inject(ground.argv(folder), folder / "log", call, fault=fault, number=number)
        try:
            check(ground, folder / "ark", ended.code, ended.errors)
        except AssertionError as error:
            error.add_note(f"{ground.scenario.name}: {call} number {number}, {fault}\n{ended.errors}")
            raise
        shutil.rmtree(folder)
        if not ended.injected:
            return number - 1
    return limit or 0


def check(ground: Ground, root: Path, code: int, errors: str) -> None:
    found = state_of(root)
    assert found in (ground.before, ground.after)
    assert "Traceback" not in errors
    if code == 0:
        assert found == ground.after
    elif code > 0:
        assert code == 4
        # An `init` that failed late is simply run again; everything else says when it is done all the same.
        assert found == ground.before or "do not repeat" in errors or ground.before is None
    if ground.scenario.is_real and found is not None:
        assert damage(root) == []
    next_write(root)
    healed = state_of(root)
    assert healed is not None
    healed.pop("next")
    assert healed == (found or {})
    assert leftovers(root) == []


def limit_of(scenario: Scenario, call: str, fault: str) -> int | None:
    """How many calls of this name are tried by default; None for all."""
    if FULL or (fault == "signal=KILL" and call in {"fsync", "rename", "write"} and scenario.name == "import-new"):
        return None
    return 1


TRIES = [
    pytest.param(scenario, fault, id=f"{scenario.name}-{fault}")
    for scenario in SCENARIOS
    for fault in FAULTS
    # A broken disk takes the same way through the code as a full one: by default once is enough.
    if FULL or fault != "error=EIO" or scenario.name == "import"
]


@pytest.mark.parametrize(("scenario", "fault"), TRIES)
def test_a_fault_in_a_call_leaves_the_archive_as_before_or_as_after(
    scenario: Scenario, fault: str, tmp_path: Path
) -> None:
    ground = prepare(scenario, tmp_path)
    with ThreadPoolExecutor(2) as pool:
        tries = {
            call: pool.submit(try_call, ground, call, fault, limit_of(scenario, call, fault)) for call in ground.calls
        }
        met = {call: done.result() for call, done in tries.items()}
    assert [call for call, number in met.items() if number == 0] == []
