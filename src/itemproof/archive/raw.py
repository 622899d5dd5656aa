"""The raw copy of an input file: byte for byte, hashed as it lies in the archive, with its lines counted once."""

from __future__ import annotations

import errno
import hashlib
import os
import queue
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Final

import numpy as np

from itemproof.files.atomic import disk_faults, write_all

__all__ = ["RawCopy", "Stretch", "copy_raw"]

#: What is copied, hashed and counted at a time.
PIECE_BYTES: Final = 8 << 20
_LINE_FEED: Final = 10
#: The kernel cannot copy between these files (another file system, a pipe, an old kernel), so memory must.
_NO_KERNEL_COPY: Final = {errno.EXDEV, errno.ENOSYS, errno.EINVAL, errno.EOPNOTSUPP, errno.EPERM, errno.EBADF}
#: What one worker normalises at a time; fixed, so that sums do not depend on the number of workers.
STRETCH_BYTES: Final = 2 << 20


@dataclass(frozen=True, slots=True)
class Stretch:
    """Whole lines of a plain file.

    Attributes:
        offset: Where it begins, in bytes.
        size_bytes: Its length, line ends included.
        first_line: The number of its first line, from 1.
        lines: How many lines it has, the last one of the file counted even if it lacks its end.
    """

    offset: int
    size_bytes: int
    first_line: int
    lines: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RawCopy:
    """A staged raw file.

    Attributes:
        path: Where it lies.
        size_bytes: Its size.
        sha256: Its digest.
        stretches: Its text cut at line ends; of use for a plain file only.
    """

    path: Path
    size_bytes: int
    sha256: str
    stretches: list[Stretch]


def copy_raw(source: Path, destination: Path, *, progress: Callable[[int], None] = lambda _: None) -> RawCopy:
    """The source's bytes stand in the destination, on disk, and the digest is that of the copy.

    Everything after this reads the copy, so that a source that changes meanwhile cannot make records of bytes that the
    archive does not hold. The copy runs ahead in a thread while the pieces that have arrived are hashed.

    Args:
        source: The file to copy.
        destination: A path that does not exist.
        progress: Told how many bytes more are done.

    Raises:
        Unavailable: The disk did not take it.
    """
    arrived: queue.SimpleQueue[int | BaseException | None] = queue.SimpleQueue()
    with disk_faults(source):
        given = source.open("rb", buffering=0)
    with given, disk_faults(destination), destination.open("xb+", buffering=0) as copy:
        thread = threading.Thread(target=_copy, args=(given, copy, arrived), daemon=True)
        try:
            thread.start()
            digest = hashlib.sha256()
            cutter = _Cutter()
            with destination.open("rb", buffering=0) as staged:
                for size in _pieces(arrived):
                    _take(staged, size, digest, cutter)
                    progress(size)
        finally:
            with suppress(RuntimeError):  # interrupted before the thread began
                thread.join()
        size_bytes = copy.tell()
    return RawCopy(path=destination, size_bytes=size_bytes, sha256=digest.hexdigest(), stretches=cutter.done())


def _copy(given: BinaryIO, copy: BinaryIO, arrived: queue.SimpleQueue[int | BaseException | None]) -> None:
    """Copies piece by piece and says how many bytes have arrived; an error is handed over, not lost."""
    try:
        while size := _copy_piece(given, copy):
            arrived.put(size)
        os.fsync(copy.fileno())
    except (OSError, ValueError) as error:  # a ValueError: interrupted, and the files are closed
        arrived.put(error)
    else:
        arrived.put(None)


def _copy_piece(given: BinaryIO, copy: BinaryIO) -> int:
    """Copies a piece within the kernel where it can, else through memory; 0 at the end."""
    try:
        return os.copy_file_range(given.fileno(), copy.fileno(), PIECE_BYTES)
    except AttributeError:
        pass
    except OSError as error:
        if error.errno not in _NO_KERNEL_COPY:
            raise
    data = given.read(PIECE_BYTES)
    write_all(copy, data)
    return len(data)


def _pieces(arrived: queue.SimpleQueue[int | BaseException | None]) -> Iterator[int]:
    while (item := arrived.get()) is not None:
        if isinstance(item, BaseException):
            raise item
        yield item


def _take(staged: BinaryIO, size: int, digest: hashlib._Hash, cutter: _Cutter) -> None:
    while size:
        data = staged.read(min(size, STRETCH_BYTES))
        digest.update(data)
        cutter.take(data)
        size -= len(data)


class _Cutter:
    """Cuts a file that arrives in pieces into stretches that end with a line."""

    def __init__(self) -> None:
        self._stretches: list[Stretch] = []
        self._start = 0
        self._line = 1
        self._seen = 0
        self._lines = 0
        self._is_torn = False

    def take(self, data: bytes) -> None:
        last = data.rfind(b"\n")
        self._is_torn = last + 1 < len(data)
        if last < 0:
            self._seen += len(data)
            return
        lines = int(np.count_nonzero(np.frombuffer(data, dtype=np.uint8) == _LINE_FEED))
        end = self._seen + last + 1
        self._seen += len(data)
        self._lines += lines
        if end - self._start >= STRETCH_BYTES // 2:
            self._cut(end)

    def done(self) -> list[Stretch]:
        if self._seen > self._start:
            self._lines += self._is_torn
            self._cut(self._seen)
        return self._stretches

    def _cut(self, end: int) -> None:
        self._stretches.append(Stretch(self._start, end - self._start, self._line, self._lines))
        self._line += self._lines
        self._lines = 0
        self._start = end
