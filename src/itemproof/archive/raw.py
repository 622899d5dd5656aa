"""The raw copy of an input file: byte for byte, hashed and with its lines counted on the way."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO, Final

import numpy as np

from itemproof.files.atomic import disk_faults
from itemproof.files.early_sync import EarlySync

__all__ = ["RawCopy", "Stretch", "copy_raw"]

#: What is copied, hashed and counted at a time: little enough for the processor's caches.
PIECE_BYTES: Final = 256 << 10
_LINE_FEED: Final = 10
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
        wait: Returns when the copy is on the disk, and raises what the disk said if it did not take it. Must be called
            before the copy is relied upon.
    """

    path: Path
    size_bytes: int
    sha256: str
    stretches: list[Stretch]
    wait: Callable[[], None] = field(compare=False, repr=False)


def copy_raw(source: Path, destination: Path, *, progress: Callable[[int], None] = lambda _: None) -> RawCopy:
    """The source's bytes stand in the destination, on their way to the disk, and the digest is theirs.

    Everything after this reads the copy, so that a source that changes meanwhile cannot make records of bytes that the
    archive does not hold. The copy is synced by a thread while the caller goes on.

    Args:
        source: The file to copy.
        destination: A path that does not exist.
        progress: Told how many bytes more are done.

    Raises:
        Unavailable: The disk did not take it.
    """
    digest, cutter, size_bytes = hashlib.sha256(), _Cutter(), 0
    with disk_faults(source):
        given = source.open("rb", buffering=0)
    with given, disk_faults(destination), ExitStack() as held:
        copy = held.enter_context(destination.open("xb", buffering=0))
        with EarlySync(copy) as out:
            for data in _pieces(given, source):
                out.write(data)
                digest.update(data)
                cutter.take(data)
                size_bytes += len(data)
                progress(len(data))
        held.pop_all()
    thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="sync")
    synced = thread.submit(_sync_and_close, copy)
    thread.shutdown(wait=False)

    def wait() -> None:
        with disk_faults(destination):
            synced.result()

    return RawCopy(
        path=destination, size_bytes=size_bytes, sha256=digest.hexdigest(), stretches=cutter.done(), wait=wait
    )


def _pieces(given: BinaryIO, source: Path) -> Iterator[bytes]:
    with disk_faults(source):
        while data := given.read(PIECE_BYTES):
            yield data


def _sync_and_close(copy: BinaryIO) -> None:
    with copy:
        os.fsync(copy.fileno())


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
