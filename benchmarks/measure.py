"""How a measurement is taken: whole processes, pinned to cores; time and peak memory by the system's own accounts."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from statistics import median

__all__ = ["ROOT", "Cost", "imported", "machine", "paired", "python", "run", "touch_memory"]

ROOT = Path(__file__).resolve().parents[1]


@dataclass(frozen=True)
class Cost:
    """What one process took: seconds of wall time, seconds of processor time, peak memory of its largest part."""

    wall_s: float
    cpu_s: float
    peak_mb: float


def run(command: Sequence[str], *, cores: int | None = None, cwd: Path | None = None) -> Cost:
    """The cost of a command, which must succeed; `cores` is how many processors it may use."""
    allowed = sorted(os.sched_getaffinity(0))
    pinned = ["taskset", "-c", ",".join(map(str, allowed[-cores:]))] if cores else []
    start = time.perf_counter()
    process = subprocess.Popen([*pinned, *command], cwd=cwd, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(f"exit {process.returncode} from: {' '.join(command)}")
    return Cost(time.perf_counter() - start, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)


def python(*arguments: str) -> list[str]:
    """A command of this interpreter."""
    return [sys.executable, *arguments]


def imported(root: Path, log: Path, *options: str, name: str = "run", cores: int | None = None) -> Cost:
    """What it cost to import a log into a new run; the archive is made first, uncounted, where there is none."""
    itemproof = python("-m", "itemproof", "--root", str(root))
    if not root.exists():
        run([*itemproof, "init"])
    return run([*itemproof, "import", name, str(log), "--create", "--model", "demo", *options], cores=cores)


def paired(floors: Sequence[Cost], ours: Sequence[Cost]) -> float:
    """The median of ours over the mean of the floors before and after; there is one floor more than ours."""
    return median(
        cost.wall_s / ((before.wall_s + after.wall_s) / 2)
        for before, cost, after in zip(floors, ours, floors[1:], strict=False)
    )


def touch_memory(folder: Path, size_bytes: int) -> None:
    """A scratch file of this size was written and deleted: a machine is slower on memory that it never used before."""
    scratch = folder / "scratch"
    block = b"\0" * (1 << 22)
    with scratch.open("wb") as out:
        for _ in range(size_bytes // len(block)):
            out.write(block)
    scratch.unlink()


def machine() -> str:
    """The class of the machine, the interpreter and the date, for the line above a figure."""
    cores = len(os.sched_getaffinity(0))
    memory_gb = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    day = datetime.now(UTC).date().isoformat()
    return f"{cores} cores, {memory_gb:.0f} GB, {platform.machine()}, CPython {platform.python_version()}, {day}"
