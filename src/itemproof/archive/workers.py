"""Stretches of one file on several cores: forked workers fill shared memory, the parent takes their work in file order.

Forking keeps the adapter, its context and Python's text hashing the same everywhere, so that keys hashed by different
workers can be compared. Where a process cannot fork, the work is done by one.
"""

from __future__ import annotations

import ctypes
import mmap
import multiprocessing
import os
import signal
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from multiprocessing.connection import Connection
from typing import Final, cast

from itemproof.archive.normalise import Piece, Sink, Work, normalise_stretch
from itemproof.archive.raw import STRETCH_BYTES, Stretch
from itemproof.core.errors import ItemproofError, unavailable
from itemproof.core.findings import Code

__all__ = ["WORKER_DIED", "can_fork", "end_with_parent", "pieces_by_many", "pieces_by_one", "usable_cores"]

WORKER_DIED: Final = Code("D020", "a worker process ended before its work was done")

#: Room for one stretch's record lines; a stretch that needs more goes through the pipe.
_SLOT_BYTES: Final = 4 * STRETCH_BYTES
#: Pieces a worker may be ahead of the parent.
_SLOTS: Final = 2
#: Linux's request for a signal when the thread that forked this process ends.
_PR_SET_PDEATHSIG: Final = 1


def usable_cores() -> int:
    """The cores that this process may run on."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:
        return os.cpu_count() or 1


def can_fork() -> bool:
    """Whether workers can be had that share this process's memory."""
    return "fork" in multiprocessing.get_all_start_methods() and os.uname().sysname == "Linux"


def end_with_parent(parent: int) -> None:
    """From now on this forked process is killed when its parent, of this number, ends in whatever way.

    A pool's workers need it: each of them holds every end of the pool's pipes open, so that they wait for ever.
    """
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:  # it had ended before the request
        os._exit(1)


def pieces_by_one(work: Work, stretches: Sequence[Stretch], sink: Sink) -> Iterator[Piece]:
    """The pieces of a plain file in order, made in this process."""
    normaliser = work.adapter.normaliser(work.context)
    with work.raw.open("rb", buffering=0) as raw:
        for stretch in stretches:
            yield normalise_stretch(work, normaliser, stretch, raw, sink)


def pieces_by_many(work: Work, stretches: Sequence[Stretch], jobs: int, sink: Sink) -> Iterator[Piece]:
    """The same pieces in the same order, made by `jobs` forked workers that each take every jobs-th stretch.

    Raises:
        Unavailable: A worker was killed, most likely for want of memory (D020).
    """
    with _crew(work, stretches, jobs) as crew:
        for number in range(len(stretches)):
            yield crew[number % jobs].next(sink)


class _Worker:
    """The parent's side of one worker; `before` are the workers that were forked before it."""

    def __init__(self, work: Work, stretches: Sequence[Stretch], before: Sequence[_Worker]) -> None:
        self._slots = [_Slot() for _ in range(_SLOTS)]
        self._turn = 0
        self.pipe, theirs = multiprocessing.Pipe()
        inherited = [self.pipe, *(worker.pipe for worker in before)]
        context = multiprocessing.get_context("fork")
        arguments = (work, stretches, self._slots, theirs, inherited)
        self._process = context.Process(target=_labour, args=arguments, daemon=True)
        with warnings.catch_warnings():
            # The workers use none of the native threads that numpy may have started.
            warnings.filterwarnings("ignore", message=".*multi-threaded.*fork.*", category=DeprecationWarning)
            self._process.start()
        theirs.close()

    def next(self, sink: Sink) -> Piece:
        """The worker's next piece, whose record lines the sink has got."""
        try:
            size_bytes, too_much, piece = self.pipe.recv()
            if isinstance(piece, BaseException):
                raise piece
            self._slots[self._turn].give(size_bytes, sink)
            for data in too_much:
                sink(data)
            with suppress(ConnectionError):  # a worker that has handed over its last piece is gone
                self.pipe.send(None)
        except (EOFError, ConnectionError) as error:
            self._process.join()
            text = f"a worker process ended with status {self._process.exitcode}; try again with --jobs 1."
            raise unavailable(WORKER_DIED, text) from error
        self._turn = (self._turn + 1) % _SLOTS
        return cast("Piece", piece)

    def stop(self) -> None:
        """The worker is gone and its memory free."""
        self._process.terminate()
        self._process.join()
        self.pipe.close()
        for slot in self._slots:
            slot.close()


class _Slot:
    """Memory that a worker fills and the parent empties; what does not fit goes through the pipe behind it."""

    def __init__(self) -> None:
        self._memory = mmap.mmap(-1, _SLOT_BYTES)
        self.size_bytes = 0
        self.too_much: list[bytes] = []

    def __call__(self, data: bytes | memoryview) -> None:
        """Takes some record lines, in the worker."""
        end = self.size_bytes + len(data)
        if end <= _SLOT_BYTES and not self.too_much:
            self._memory[self.size_bytes : end] = data
            self.size_bytes = end
        else:
            self.too_much.append(bytes(data))

    def clear(self) -> None:
        """Room for the next piece, in the worker."""
        self.size_bytes = 0
        self.too_much = []

    def give(self, size_bytes: int, sink: Sink) -> None:
        """The sink has got what the worker wrote, in the parent."""
        with memoryview(self._memory) as view, view[:size_bytes] as data:
            sink(data)

    def close(self) -> None:
        """The memory is free."""
        self._memory.close()


@contextmanager
def _crew(work: Work, stretches: Sequence[Stretch], jobs: int) -> Iterator[list[_Worker]]:
    crew: list[_Worker] = []
    try:
        for number in range(jobs):
            crew.append(_Worker(work, stretches[number::jobs], crew))
        yield crew
    finally:
        for worker in crew:
            worker.stop()


def _labour(
    work: Work, stretches: Sequence[Stretch], slots: Sequence[_Slot], pipe: Connection, inherited: Sequence[Connection]
) -> None:
    """A worker's life: one piece after the other, never more than the slots ahead; it ends when the parent does."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    for theirs in inherited:  # an end of the parent's that stays open here would hide the parent's death
        theirs.close()
    with suppress(EOFError, ConnectionError):
        try:
            normaliser = work.adapter.normaliser(work.context)
            with work.raw.open("rb", buffering=0) as raw:
                for number, stretch in enumerate(stretches):
                    if number >= _SLOTS:
                        pipe.recv()
                    slot = slots[number % _SLOTS]
                    slot.clear()
                    piece = normalise_stretch(work, normaliser, stretch, raw, slot)
                    pipe.send((slot.size_bytes, slot.too_much, piece))
        except ItemproofError as error:
            pipe.send((0, (), error))
