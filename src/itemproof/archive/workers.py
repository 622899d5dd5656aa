"""Stretches of one file on several cores: forked workers fill shared memory, the parent takes their work in file order.

Forking keeps the adapter, its context and Python's text hashing the same everywhere, so that keys hashed by different
workers can be compared. Where a process cannot fork, the work is done by one.
"""

from __future__ import annotations

import mmap
import multiprocessing
import os
import signal
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from multiprocessing.connection import Connection
from typing import Final, cast

from itemproof.archive.normalise import Piece, Work, normalise_stretch
from itemproof.archive.raw import STRETCH_BYTES, Stretch
from itemproof.core.errors import ItemproofError, unavailable
from itemproof.core.findings import Code

__all__ = ["can_fork", "pieces_by_many", "pieces_by_one", "usable_cores"]

WORKER_DIED: Final = Code("D020", "a worker process ended before its work was done")

#: Room for one stretch's record lines; a stretch that needs more goes through the pipe.
_SLOT_BYTES: Final = 4 * STRETCH_BYTES
#: Pieces a worker may be ahead of the parent.
_SLOTS: Final = 2


def usable_cores() -> int:
    """The cores that this process may run on."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:
        return os.cpu_count() or 1


def can_fork() -> bool:
    """Whether workers can be had that share this process's memory."""
    return "fork" in multiprocessing.get_all_start_methods() and os.uname().sysname == "Linux"


def pieces_by_one(work: Work, stretches: Sequence[Stretch]) -> Iterator[Piece]:
    """The pieces of a plain file in order, made in this process."""
    normaliser = work.adapter.normaliser(work.context)
    with work.raw.open("rb", buffering=0) as raw:
        for stretch in stretches:
            yield normalise_stretch(work, normaliser, stretch, raw)


def pieces_by_many(work: Work, stretches: Sequence[Stretch], jobs: int) -> Iterator[Piece]:
    """The same pieces in the same order, made by `jobs` forked workers that each take every jobs-th stretch.

    Raises:
        Unavailable: A worker was killed, most likely for want of memory (D020).
    """
    with _crew(work, stretches, jobs) as crew:
        for number in range(len(stretches)):
            yield crew[number % jobs].next()


class _Worker:
    """The parent's side of one worker."""

    def __init__(self, work: Work, stretches: Sequence[Stretch]) -> None:
        self._slots = [mmap.mmap(-1, _SLOT_BYTES) for _ in range(_SLOTS)]
        self._turn = 0
        self._lent: memoryview | None = None
        self._pipe, theirs = multiprocessing.Pipe()
        context = multiprocessing.get_context("fork")
        self._process = context.Process(target=_labour, args=(work, stretches, self._slots, theirs), daemon=True)
        with warnings.catch_warnings():
            # The workers use none of the native threads that numpy may have started.
            warnings.filterwarnings("ignore", message=".*multi-threaded.*fork.*", category=DeprecationWarning)
            self._process.start()
        theirs.close()

    def next(self) -> Piece:
        """The worker's next piece; its data stays valid until the next call."""
        try:
            self._free_slot()
            size, piece = self._pipe.recv()
            if isinstance(piece, BaseException):
                raise piece
            if size is None:
                self._lent = memoryview(self._pipe.recv_bytes())
            else:
                self._lent = memoryview(self._slots[self._turn])[:size]
        except (EOFError, ConnectionError) as error:
            self._process.join()
            text = f"a worker process ended with status {self._process.exitcode}; try again with --jobs 1."
            raise unavailable(WORKER_DIED, text) from error
        self._turn = (self._turn + 1) % _SLOTS
        piece.data = self._lent
        return cast("Piece", piece)

    def stop(self) -> None:
        """The worker is gone and its memory free."""
        self._process.terminate()
        self._process.join()
        self._pipe.close()
        self._give_back()
        for slot in self._slots:
            slot.close()

    def _free_slot(self) -> None:
        if self._lent is not None:
            self._give_back()
            with suppress(ConnectionError):  # a worker that has handed over its last piece is gone
                self._pipe.send(None)

    def _give_back(self) -> None:
        if self._lent is not None:
            self._lent.release()
            self._lent = None


@contextmanager
def _crew(work: Work, stretches: Sequence[Stretch], jobs: int) -> Iterator[list[_Worker]]:
    crew: list[_Worker] = []
    try:
        crew.extend(_Worker(work, stretches[number::jobs]) for number in range(jobs))
        yield crew
    finally:
        for worker in crew:
            worker.stop()


def _labour(work: Work, stretches: Sequence[Stretch], slots: Sequence[mmap.mmap], pipe: Connection) -> None:
    """A worker's life: one piece after the other, never more than the slots ahead; it ends when the parent does."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    with suppress(EOFError, ConnectionError):
        try:
            for number, piece in enumerate(pieces_by_one(work, stretches)):
                if number >= _SLOTS:
                    pipe.recv()
                _hand_over(piece, slots[number % _SLOTS], pipe)
        except ItemproofError as error:
            pipe.send((0, error))


def _hand_over(piece: Piece, slot: mmap.mmap, pipe: Connection) -> None:
    data, piece.data = piece.data, b""
    if len(data) <= _SLOT_BYTES:
        slot[: len(data)] = data
        pipe.send((len(data), piece))
    else:
        pipe.send((None, piece))
        pipe.send_bytes(data)
