"""Large files reach the disk while more is being made for them, so that the last sync finds little left to do."""

from __future__ import annotations

import os
from concurrent.futures import Future, ThreadPoolExecutor
from types import TracebackType
from typing import BinaryIO, Final, Self

from itemproof.files.atomic import write_all

__all__ = ["EarlySync"]

#: How much is written between two syncs.
_EVERY_BYTES: Final = 32 << 20


class EarlySync:
    """Writes to an open file and syncs it from a thread of its own; leaving the block syncs the rest.

    A sync that failed is raised by the next write or at the end: the system reports it once, and a later sync that
    succeeds proves nothing.

    Args:
        out: An open, unbuffered file.
    """

    def __init__(self, out: BinaryIO) -> None:
        self._out = out
        self._since = 0
        self._thread: ThreadPoolExecutor | None = None
        self._running: Future[None] | None = None

    def write(self, data: bytes | memoryview) -> None:
        """The data stands in the file, and sooner or later on the disk.

        Raises:
            OSError: The disk did not take this, or what was written before.
        """
        write_all(self._out, data)
        self._since += len(data)
        if self._since >= _EVERY_BYTES and (self._running is None or self._running.done()):
            self._collect()
            self._thread = self._thread or ThreadPoolExecutor(max_workers=1, thread_name_prefix="sync")
            self._running = self._thread.submit(os.fdatasync, self._out.fileno())
            self._since = 0

    def _collect(self) -> None:
        if self._running is not None:
            running, self._running = self._running, None
            running.result()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._thread is not None:
            self._thread.shutdown()
        if error is None:
            self._collect()
