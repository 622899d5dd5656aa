"""One writer at a time, by a lock of the operating system: it ends with its holder, however that ends.

`flock` on Unix, a byte range on Windows, taken directly: a library that falls back to a marker file where the file
system has no locks would trade a clear refusal for a lock that outlives its holder. The lock file stays for ever;
removing it would let two writers lock two files of one name. Its text says who holds it and is for people only: no
decision is made on it, and it may be missing.
"""

from __future__ import annotations

import errno
import json
import os
import platform
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

from itemproof.core.errors import ItemproofError, refused, unavailable
from itemproof.core.findings import Code
from itemproof.core.where import Where
from itemproof.files.atomic import Pause, disk_faults
from itemproof.files.paths import utf8_text

__all__ = ["Holder", "Patience", "hold", "this_process"]

LOCKED: Final = Code("D008", "another writer holds the lock")
NO_LOCKS: Final = Code("D009", "the file system has no locks")

_POLL_S = 0.05
_HELD = frozenset({errno.EAGAIN, errno.EACCES, errno.EWOULDBLOCK, errno.EDEADLK})
_UNSUPPORTED = frozenset({errno.ENOSYS, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOLCK, errno.EINVAL})

#: Descriptors of held locks, so that a forked child lets go of them: a lock must not live on in a worker.
_held: set[int] = set()


@dataclass(frozen=True, slots=True, kw_only=True)
class Holder:
    """Who holds the lock, as its file's text says.

    Attributes:
        pid: The process.
        host: The machine it runs on.
        since: UTC, with `Z`.
        command: What it does, such as `import`.
    """

    pid: int
    host: str
    since: str
    command: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Patience:
    """How long to wait for the lock, and with which clock.

    Attributes:
        timeout_s: After so many seconds the wait ends; at 0 or less the lock is tried once.
        pause: Waits a number of seconds.
        elapsed_s: A clock that never goes back.
    """

    timeout_s: float = 10.0
    pause: Pause = time.sleep
    elapsed_s: Callable[[], float] = time.monotonic


def this_process(*, since: str, command: str) -> Holder:
    """This process as a holder."""
    return Holder(pid=os.getpid(), host=platform.node(), since=since, command=command)


@contextmanager
def hold(path: Path, holder: Holder, *, patience: Patience) -> Iterator[None]:
    """Within the block nobody else holds the lock of this file; its folder must exist.

    Raises:
        Refused: Another writer held it all the time (D008); the text says who.
        Unavailable: The file system has no locks (D009), or the lock file cannot be opened.
    """
    descriptor = _wait(path, patience)
    try:
        _held.add(descriptor)
        _write_text(descriptor, json.dumps(asdict(holder)))
        yield
    finally:
        _write_text(descriptor, "")
        _held.discard(descriptor)
        # Closing alone would leave the lock to a process that was being started just now and has not shed its copy yet.
        with suppress(OSError):
            _unlock(descriptor)
        os.close(descriptor)


def _wait(path: Path, patience: Patience) -> int:
    end = patience.elapsed_s() + patience.timeout_s
    while True:
        descriptor = _try(path)
        if descriptor is not None:
            return descriptor
        if patience.elapsed_s() >= end:
            raise _held_by_another(path, patience)
        patience.pause(_POLL_S)


def _try(path: Path) -> int | None:
    """A descriptor that holds the lock, or None if another has it."""
    flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0)
    with disk_faults(path):
        descriptor = os.open(path, flags, 0o666)
    locked = False
    try:
        locked = _lock(descriptor) and _still_named(descriptor, path)
    except OSError as error:
        raise _no_lock(path, error) from error
    finally:
        if not locked:
            os.close(descriptor)
    return descriptor if locked else None


def _still_named(descriptor: int, path: Path) -> bool:
    """Whether the locked file is the one that others would open; a lock on a removed file locks nobody out."""
    try:
        return os.path.samestat(os.fstat(descriptor), path.stat())
    except FileNotFoundError:
        return False


def _no_lock(path: Path, error: OSError) -> ItemproofError:
    where = Where(file=utf8_text(str(path)))
    if error.errno in _UNSUPPORTED:
        return unavailable(
            NO_LOCKS,
            f"The file system of this folder has no locks ({error.strerror}), so two writers could not be kept apart. "
            "Work on a local disk and copy the archive afterwards. Reading works here.",
            where,
        )
    return unavailable(NO_LOCKS, f"The lock could not be taken: {error.strerror}. Check the disk.", where)


def _held_by_another(path: Path, patience: Patience) -> ItemproofError:
    return refused(
        LOCKED,
        f"Another writer holds the archive{_described(path)}; waited {max(0.0, patience.timeout_s):g} s. "
        "Try again when it has finished, or wait longer with --lock-timeout.",
        Where(file=utf8_text(str(path))),
    )


def _described(path: Path) -> str:
    """Who the lock file's text names, or nothing where it says nothing readable."""
    try:
        holder = Holder(**json.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return ""
    return utf8_text(f": {holder.command}, process {holder.pid} on {holder.host}, since {holder.since}")


def _write_text(descriptor: int, text: str) -> None:
    with suppress(OSError):
        os.ftruncate(descriptor, 0)
        os.lseek(descriptor, 0, os.SEEK_SET)
        os.write(descriptor, text.encode("utf-8"))


if sys.platform == "win32":
    import msvcrt

    #: A locked range cannot be read there, so the range lies far behind the text.
    _RANGE_AT = 1 << 30

    def _unlock(descriptor: int) -> None:
        os.lseek(descriptor, _RANGE_AT, os.SEEK_SET)
        msvcrt.locking(descriptor, msvcrt.LK_UNLCK, 1)

    def _lock(descriptor: int) -> bool:
        os.lseek(descriptor, _RANGE_AT, os.SEEK_SET)
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except OSError as error:
            if error.errno in _HELD:
                return False
            raise
        return True

else:
    import fcntl

    def _unlock(descriptor: int) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_UN)

    def _lock(descriptor: int) -> bool:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            if error.errno in _HELD:
                return False
            raise
        return True

    def _let_go() -> None:
        for descriptor in _held:
            os.close(descriptor)
        _held.clear()

    os.register_at_fork(after_in_child=_let_go)
