"""Writing that is whole or not there: synced before it is seen, never over another's file, old bytes safe.

    replace   a manifest: written beside, synced, renamed over the old one
    publish   a finished file: given its name only if nothing has that name, not even in a race
    new_file  a report or an export: written beside its destination, then published

A hard link gives a file its name without ever replacing another. Where a file system has none, the kernel's rename that
refuses an existing name does the same in one step (Linux, macOS; on Windows every rename is one). Where neither exists
the write is given up: a copy would show a half-written file.

A sync that failed is never tried again: the kernel may have dropped the very pages that it could not write.
"""

from __future__ import annotations

import errno
import io
import os
import stat
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO, Final

from itemproof.core.errors import ItemproofError, invalid, refused, unavailable
from itemproof.core.findings import Code
from itemproof.core.where import Where
from itemproof.files.paths import LINK, is_link, utf8_text

__all__ = [
    "Pause",
    "disk_faults",
    "erase",
    "make_folder",
    "move_over",
    "new_file",
    "publish",
    "replace",
    "sync_file",
    "sync_folder",
    "write_all",
    "write_new",
]

DISK_FULL: Final = Code("D001", "the disk or the quota is full")
DISK_FAULT: Final = Code("D002", "the disk failed")
NOT_WRITABLE: Final = Code("D003", "the place may not be read or written")
SYSTEM_REFUSED: Final = Code("D004", "the system refused a file operation")
EXISTS: Final = Code("D005", "the destination exists")
NO_SAFE_MOVE: Final = Code("D006", "the file system cannot give a file a name without risking another")
NO_FOLDER: Final = Code("D007", "the destination's folder does not exist")

#: Waits a number of seconds; handed in, so that tests need not wait.
Pause = Callable[[float], None]

#: A scanner on Windows holds a file for some milliseconds; after 0.8 s it is no scanner.
_PAUSES_S: Final = (0.01, 0.02, 0.05, 0.1, 0.2, 0.4)

_FULL = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
_FORBIDDEN = frozenset({errno.EROFS, errno.EACCES, errno.EPERM})
_NO_LINKS = frozenset({errno.EPERM, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK})
_NO_SUCH_RENAME = frozenset({errno.EINVAL, errno.ENOSYS, errno.ENOTSUP, errno.EOPNOTSUPP})
_NO_FOLDER_SYNC = frozenset({errno.EINVAL, errno.ENOTSUP, errno.EOPNOTSUPP})


@contextmanager
def disk_faults(path: Path) -> Iterator[None]:
    """Within the block an error of the operating system is an `Unavailable` that names the file and the cause.

    Raises:
        Unavailable: Full (D001), failed (D002), forbidden (D003), or anything else that the system refuses (D004).
    """
    try:
        yield
    except OSError as error:
        named = error.filename if isinstance(error.filename, str) else str(path)
        raise _fault(error, named) from error


def _fault(error: OSError, named: str) -> ItemproofError:
    where = Where(file=utf8_text(named))
    cause = error.strerror or str(error)
    if error.errno in _FULL:
        return unavailable(
            DISK_FULL, f"{cause}. Free some space or raise the limit, then run the command again.", where
        )
    if error.errno == errno.EIO:
        return unavailable(
            DISK_FAULT, f"{cause}: the disk did not carry it out. Check the disk before going on.", where
        )
    if error.errno in _FORBIDDEN:
        return unavailable(NOT_WRITABLE, f"{cause}. Check the permissions, and that the disk is not read-only.", where)
    return unavailable(SYSTEM_REFUSED, f"{cause}.", where)


def make_folder(folder: Path) -> None:
    """The folder exists and is no link; a new one is remembered by the folder above it, which must exist.

    Raises:
        Unavailable: It cannot be made.
        InvalidInput: A link has its name (D014).
    """
    with disk_faults(folder):
        try:
            folder.mkdir()
        except FileExistsError:
            if is_link(folder):
                raise invalid(
                    LINK, "A link stands where a folder is due.", Where(file=utf8_text(str(folder)))
                ) from None
            if folder.is_dir():
                return
            raise
        sync_folder(folder.parent)


def write_new(path: Path, data: bytes) -> None:
    """A new file holds these bytes and they are on the disk; its name is not yet (see `sync_folder`).

    Raises:
        Unavailable: The disk refused; no file is left.
        FileExistsError: Something has this name.
    """
    descriptor = _open_new(path)
    try:
        with disk_faults(path), os.fdopen(descriptor, "wb", buffering=0) as file:
            write_all(file, data)
            _sync(file.fileno())
    except BaseException:
        with suppress(OSError):
            path.unlink()
        raise


def write_all(file: io.RawIOBase | BinaryIO, data: bytes | bytearray | memoryview) -> None:
    """All of the bytes are written to the unbuffered file, in however many parts the disk takes them."""
    rest = memoryview(data)
    while rest:
        rest = rest[file.write(rest) or 0 :]


def _open_new(path: Path) -> int:
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    try:
        return os.open(path, flags, 0o666)
    except FileExistsError:
        raise
    except OSError as error:
        raise _fault(error, str(path)) from error


def replace(path: Path, data: bytes, *, pause: Pause = time.sleep) -> None:
    """The file holds these bytes, now and after a power cut; at every moment it holds these or the old ones.

    Raises:
        Unavailable: The disk refused. The old file stands, unless only the last sync failed: then the new one does.
    """
    staged = _beside(path, lambda name: write_new(name, data))
    move_over(staged, path, pause=pause)
    sync_folder(path.parent)


def move_over(staged: Path, path: Path, *, pause: Pause = time.sleep) -> None:
    """The staged file has taken the place of whatever had the name; the folder is not yet synced.

    A permission error is tried again for a moment, because scanners on Windows hold a file that was just written.

    Raises:
        Unavailable: The system refused; the old file stands and the staged one is gone.
    """
    try:
        with disk_faults(path):
            for wait_s in _PAUSES_S:
                try:
                    staged.replace(path)
                except PermissionError:
                    pause(wait_s)
                else:
                    return
            staged.replace(path)
    except ItemproofError:
        with suppress(OSError):
            staged.unlink()
        raise


def _beside(path: Path, make: Callable[[Path], object]) -> Path:
    """The first name beside the path that `make` finds free; a dead writer's leftover blocks nobody."""
    number = 1
    while True:
        staged = path.with_name(f".{path.name[:200]}.{number}.tmp")
        try:
            make(staged)
        except FileExistsError:
            number += 1
        else:
            return staged


@contextmanager
def new_file(destination: Path) -> Iterator[BinaryIO]:
    """What is written in the block is published as the destination at its end, or not at all.

    Raises:
        InvalidInput: The destination's folder does not exist (D007).
        Refused: The destination exists, at the beginning or at the end (D005); it is not touched.
        Unavailable: The disk refused; nothing is left.
    """
    if os.path.lexists(destination):
        raise _exists(destination)
    if not destination.parent.is_dir():
        raise invalid(
            NO_FOLDER, "Its folder does not exist. Make it, or name another.", Where(file=utf8_text(str(destination)))
        )
    opened: list[int] = []
    staged = _beside(destination, lambda name: opened.append(_open_new(name)))
    try:
        with disk_faults(destination), os.fdopen(opened[0], "wb") as file:
            yield file
            file.flush()
            _sync(file.fileno())
        publish(staged, destination)
    except BaseException:
        with suppress(OSError):
            staged.unlink()
        raise
    sync_folder(destination.parent)


def publish(staged: Path, destination: Path) -> None:
    """The finished file has its destination's name and no other; the folders are not yet synced.

    Raises:
        Refused: The destination exists (D005); it is not touched and the staged file stays.
        Unavailable: The system refused, or the file system has no safe way (D006).
    """
    with disk_faults(destination):
        try:
            _link(staged, destination)
        except FileExistsError:
            raise _exists(destination) from None


def _link(staged: Path, destination: Path) -> None:
    if sys.platform == "win32":
        staged.rename(destination)
        return
    try:
        destination.hardlink_to(staged)
    except OSError as error:
        if error.errno not in _NO_LINKS:
            raise
        _rename_new(staged, destination)
    else:
        staged.unlink()


def _rename_new(staged: Path, destination: Path) -> None:
    """Renames unless the name is taken, in one step of the kernel."""
    import ctypes

    at_folder, no_replace, exclusive = -100, 1, 4
    library = ctypes.CDLL(None, use_errno=True)
    source, target = os.fsencode(staged), os.fsencode(destination)
    if hasattr(library, "renameat2"):
        failed = library.renameat2(at_folder, source, at_folder, target, no_replace) != 0
    elif hasattr(library, "renamex_np"):
        failed = library.renamex_np(source, target, exclusive) != 0
    else:
        raise _no_safe_move(destination)
    if not failed:
        return
    number = ctypes.get_errno()
    if number in _NO_SUCH_RENAME:
        raise _no_safe_move(destination)
    raise OSError(number, os.strerror(number), str(destination))


def _exists(destination: Path) -> ItemproofError:
    return refused(
        EXISTS,
        "It exists and is never replaced. Move it away, or write to another name.",
        Where(file=utf8_text(str(destination))),
    )


def _no_safe_move(destination: Path) -> ItemproofError:
    return unavailable(
        NO_SAFE_MOVE,
        "This file system has neither hard links nor a rename that spares an existing file, so nothing can be written "
        "here safely. Use a disk with one of them.",
        Where(file=utf8_text(str(destination))),
    )


def sync_file(path: Path, *, read_only: bool = False) -> None:
    """The file's bytes are on the disk, and if asked, nobody may write to it any more.

    Raises:
        Unavailable: The disk refused.
    """
    with disk_faults(path):
        descriptor = os.open(path, os.O_RDWR | getattr(os, "O_BINARY", 0))
        try:
            if read_only:
                path.chmod(stat.S_IMODE(os.fstat(descriptor).st_mode) & ~0o222)
            _sync(descriptor)
        finally:
            os.close(descriptor)


def sync_folder(folder: Path) -> None:
    """The folder's list of names is on the disk; where a system cannot sync a folder, it keeps the order itself.

    Raises:
        Unavailable: The disk refused.
    """
    if sys.platform == "win32":
        return
    with disk_faults(folder):
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            _sync(descriptor)
        except OSError as error:
            if error.errno not in _NO_FOLDER_SYNC:
                raise
        finally:
            os.close(descriptor)


def _sync(descriptor: int) -> None:
    if sys.platform == "darwin":
        import fcntl

        # A plain sync stops at the drive's cache there.
        with suppress(OSError):
            fcntl.fcntl(descriptor, fcntl.F_FULLFSYNC)
            return
    os.fsync(descriptor)


def erase(path: Path) -> None:
    """Nothing has this name any more: neither file, nor link, nor folder with all it held.

    Raises:
        Unavailable: Something could not be erased.
    """
    with disk_faults(path):
        if path.is_dir() and not is_link(path):
            for child in sorted(path.iterdir()):
                erase(child)
            path.rmdir()
            return
        try:
            path.unlink(missing_ok=True)
        except PermissionError:
            # Windows does not erase what may not be written.
            path.chmod(stat.S_IRUSR | stat.S_IWUSR)
            path.unlink()
