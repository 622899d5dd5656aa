"""All tasks in order, by this process or by several that were forked from it."""

from __future__ import annotations

import multiprocessing
import os
import signal
import warnings
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Final

from itemproof.archive.rules.see_file import Inspected, Task
from itemproof.archive.workers import WORKER_DIED, can_fork, end_with_parent
from itemproof.core.errors import unavailable

__all__ = ["inspect_all"]

#: Below this everything is read before workers would have started.
_WORTH_FORKING_BYTES: Final = 8 << 20

#: A worker's tasks; it has them from the process that it was forked from, hashed texts and all.
_tasks: list[Task] = []


def inspect_all(
    tasks: Sequence[Task], *, jobs: int, progress: Callable[[int], None]
) -> Generator[Inspected, None, None]:
    """What comes of each task, in their order; the same for every number of jobs.

    Raises:
        Unavailable: A worker was killed, most likely for want of memory (D020).
    """
    is_worth_it = sum(task.size_bytes for task in tasks) >= _WORTH_FORKING_BYTES
    if min(jobs, len(tasks)) > 1 and is_worth_it and can_fork():
        yield from _by_many(tasks, min(jobs, len(tasks)), progress)
    else:
        for task in tasks:
            yield task.inspect(progress)


def _by_many(tasks: Sequence[Task], jobs: int, progress: Callable[[int], None]) -> Generator[Inspected, None, None]:
    context = multiprocessing.get_context("fork")
    executor = ProcessPoolExecutor(jobs, mp_context=context, initializer=_begin, initargs=(tasks, os.getpid()))
    try:
        with warnings.catch_warnings():
            # The workers use none of the native threads that numpy may have started.
            warnings.filterwarnings("ignore", message=".*multi-threaded.*fork.*", category=DeprecationWarning)
            results = executor.map(_inspect, range(len(tasks)))
        for result in results:
            progress(result.size_bytes)
            yield result
    except BrokenProcessPool as error:
        text = "a worker process was ended before its work was done; try again with --jobs 1."
        raise unavailable(WORKER_DIED, text) from error
    finally:
        executor.shutdown(cancel_futures=True)


def _begin(tasks: Sequence[Task], parent: int) -> None:
    """An interruption ends a worker without a word; the parent has the say, and no worker outlives it."""
    end_with_parent(parent)
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    _tasks[:] = tasks


def _inspect(number: int) -> Inspected:
    return _tasks[number].inspect(lambda _: None)
