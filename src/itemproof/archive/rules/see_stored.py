"""A registered file is read once: its bytes are hashed while somebody looks at its lines."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO, Final, TypeAlias

from itemproof.archive.layout import Layout
from itemproof.archive.rules.base import Registered, StoredSeen
from itemproof.files.atomic import disk_faults

__all__ = ["Look", "Progress", "Tap", "see_stored"]

#: Told how many bytes more are read.
Progress: TypeAlias = Callable[[int], None]
#: Takes what it wants of an open file.
Look: TypeAlias = Callable[["Tap"], None]

#: What is read at a time; lines are never cut, so a longer one is read whole.
_BATCH_BYTES: Final = 1 << 20


class Tap:
    """An open file whose bytes are counted and hashed as they are taken from it."""

    def __init__(self, file: BinaryIO, progress: Progress) -> None:
        self.size_bytes = 0
        self._file = file
        self._progress = progress
        self._digest = hashlib.sha256()

    @property
    def sha256(self) -> str:
        """The digest of what was taken so far."""
        return self._digest.hexdigest()

    def lines(self) -> Iterator[list[bytes]]:
        """The rest of the file in batches of whole lines, each with its end."""
        while lines := self._file.readlines(_BATCH_BYTES):
            self._take(b"".join(lines))
            yield lines

    def texts(self) -> Iterator[bytes]:
        """The same batches, uncut."""
        while data := self._file.read(_BATCH_BYTES):
            text = data if data.endswith(b"\n") else data + self._file.readline()
            self._take(text)
            yield text

    def drain(self) -> None:
        """Takes the rest, whatever it is."""
        while data := self._file.read(_BATCH_BYTES):
            self._take(data)

    def _take(self, data: bytes) -> None:
        self._digest.update(data)
        self.size_bytes += len(data)
        self._progress(len(data))


def see_stored(layout: Layout, due: Registered, progress: Progress, look: Look) -> StoredSeen:
    """The registered file beside its bytes; `look` was given them while they were read.

    Args:
        layout: The archive's paths.
        due: The file as it was registered.
        progress: Told of each batch.
        look: Takes what it wants of the file; the rest is read after it.

    Raises:
        InvalidInput: The path is unsafe (D013) or leads through a link (D014).
        Unavailable: The disk cannot read the file.
    """
    path = layout.stored(due.path)
    with disk_faults(path):
        if not path.is_file():
            return StoredSeen(due)
        with path.open("rb") as file:
            tap = Tap(file, progress)
            look(tap)
            tap.drain()
        line_ends = _line_ends(path, due.sha256) if tap.sha256 != due.sha256 else ""
        return StoredSeen(due, tap.size_bytes, tap.sha256, line_ends)


def _line_ends(path: Path, sha256: str) -> str:
    """The line ends, `LF` or `CRLF`, with which these bytes would have the digest; empty if neither does."""
    with_lf, with_crlf = hashlib.sha256(), hashlib.sha256()
    with path.open("rb") as file:
        held = b""
        while data := file.read(_BATCH_BYTES):
            data = held + data
            held = b"\r" if data.endswith(b"\r") else b""
            text = data.removesuffix(held).replace(b"\r\n", b"\n")
            with_lf.update(text)
            with_crlf.update(text.replace(b"\n", b"\r\n"))
        with_lf.update(held)
        with_crlf.update(held)
    return {with_lf.hexdigest(): "LF", with_crlf.hexdigest(): "CRLF"}.get(sha256, "")
