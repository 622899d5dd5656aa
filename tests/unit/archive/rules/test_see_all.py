from __future__ import annotations

import os
import signal
from collections.abc import Callable
from dataclasses import dataclass

import pytest

from itemproof.archive.rules.see_all import inspect_all
from itemproof.archive.rules.see_file import Inspected, Task
from itemproof.archive.workers import can_fork
from itemproof.core.errors import Unavailable

_LARGE = 8 << 20
needs_fork = pytest.mark.skipif(not can_fork(), reason="this system cannot fork workers")


@dataclass(frozen=True)
class _Told:
    """A task that says in which process it was done."""

    number: int
    size_bytes: int = _LARGE

    def inspect(self, progress: Callable[[int], None]) -> Inspected:
        progress(self.number)
        return Inspected(findings=[], size_bytes=self.number, records_path=str(os.getpid()))


@dataclass(frozen=True)
class _Killed:
    """A task whose process is killed, as for want of memory."""

    size_bytes: int = _LARGE

    def inspect(self, progress: Callable[[int], None]) -> Inspected:
        progress(0)
        os.kill(os.getpid(), signal.SIGKILL)
        raise AssertionError


@pytest.mark.parametrize("jobs", [1, pytest.param(2, marks=needs_fork)])
def test_results_come_in_the_order_of_the_tasks_and_progress_is_told(jobs: int) -> None:
    done: list[int] = []

    results = list(inspect_all([_Told(3), _Told(1), _Told(2)], jobs=jobs, progress=done.append))

    assert [result.size_bytes for result in results] == [3, 1, 2]
    assert done == [3, 1, 2]
    assert (results[0].records_path == str(os.getpid())) is (jobs == 1)


@pytest.mark.parametrize(
    ("tasks", "jobs"),
    [
        pytest.param([_Told(1), _Told(2)], 1, id="one job"),
        pytest.param([_Told(1)], 2, id="one task"),
        pytest.param([_Told(1, 10), _Told(2, 10)], 2, id="little to read"),
    ],
)
def test_no_worker_is_started_where_it_would_gain_nothing(tasks: list[Task], jobs: int) -> None:
    results = inspect_all(tasks, jobs=jobs, progress=lambda _: None)

    assert {result.records_path for result in results} == {str(os.getpid())}


@needs_fork
def test_a_killed_worker_is_said() -> None:
    with pytest.raises(Unavailable) as caught:
        list(inspect_all([_Killed(), _Told(1)], jobs=2, progress=lambda _: None))

    assert caught.value.code.id == "D020"
