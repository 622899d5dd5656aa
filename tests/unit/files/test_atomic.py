"""A file is the old one or the new one, nobody's file is replaced, and every fault names the file and its cause."""

from __future__ import annotations

import errno
import io
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from itemproof.core.errors import InvalidInput, Refused, Unavailable
from itemproof.files import atomic
from itemproof.files.atomic import (
    disk_faults,
    erase,
    make_folder,
    new_file,
    publish,
    replace,
    sync_file,
    sync_folder,
    write_all,
    write_new,
)


def failing(number: int, times: int = 10**6) -> Callable[..., object]:
    """A system function that fails so many times, and then does what it should."""
    left = [times]

    def fail(*arguments: object, **options: object) -> None:
        if left[0]:
            left[0] -= 1
            raise OSError(number, os.strerror(number))

    return fail


@pytest.mark.parametrize(
    ("number", "code"),
    [
        (errno.ENOSPC, "D001"),
        (errno.EDQUOT, "D001"),
        (errno.EFBIG, "D001"),
        (errno.EIO, "D002"),
        (errno.EACCES, "D003"),
        (errno.EPERM, "D003"),
        (errno.EROFS, "D003"),
        (errno.ENAMETOOLONG, "D004"),
    ],
    ids=lambda value: errno.errorcode[value] if isinstance(value, int) else value,
)
def test_an_error_of_the_system_names_the_file_and_the_cause(number: int, code: str) -> None:
    with pytest.raises(Unavailable) as error, disk_faults(Path("some/file")):
        raise OSError(number, os.strerror(number))
    assert (error.value.code.id, error.value.where.file) == (code, str(Path("some/file")))
    assert error.value.text.startswith(os.strerror(number))


def test_an_error_that_names_another_file_keeps_it_in_text_that_can_be_written() -> None:
    with pytest.raises(Unavailable) as error, disk_faults(Path("x")):
        raise OSError(errno.EIO, "broken", "other\udcff")
    assert error.value.where.file == "other\\udcff"


class OneByOne(io.RawIOBase):
    """A file that takes one byte at a time, as a full disk or a signal may have it."""

    def __init__(self) -> None:
        self.taken = b""

    def writable(self) -> bool:
        return True

    def write(self, data: object) -> int:
        self.taken += bytes(memoryview(data))[:1]  # type: ignore[arg-type]
        return 1


def test_short_writes_are_continued() -> None:
    file = OneByOne()
    write_all(file, b"all of it")
    assert file.taken == b"all of it"


def test_a_new_file_is_not_written_over_another(tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes(b"mine")
    with pytest.raises(FileExistsError):
        write_new(tmp_path / "x", b"other")
    assert (tmp_path / "x").read_bytes() == b"mine"


@pytest.mark.parametrize("call", ["fsync", "fdopen"])
def test_a_new_file_that_cannot_be_written_is_not_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str
) -> None:
    monkeypatch.setattr(os, call, failing(errno.EIO))
    with pytest.raises(Unavailable):
        write_new(tmp_path / "x", b"x")
    assert list(tmp_path.iterdir()) == []


def test_replacing_puts_the_new_bytes_in_place(tmp_path: Path) -> None:
    replace(tmp_path / "x", b"one")
    replace(tmp_path / "x", b"two")
    assert [(path.name, path.read_bytes()) for path in tmp_path.iterdir()] == [("x", b"two")]


def test_a_dead_writers_leftover_beside_the_file_is_in_nobodys_way(tmp_path: Path) -> None:
    (tmp_path / ".x.1.tmp").write_bytes(b"dead")
    replace(tmp_path / "x", b"alive")
    assert (tmp_path / "x").read_bytes() == b"alive"
    assert sorted(path.name for path in tmp_path.iterdir()) == [".x.1.tmp", "x"]


def test_a_scanner_that_lets_go_is_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    really, waits = Path.replace, list[float]()
    scanner = failing(errno.EACCES, times=2)

    def held(self: Path, target: Path) -> Path:
        scanner()
        return really(self, target)

    monkeypatch.setattr(Path, "replace", held)
    replace(tmp_path / "x", b"new", pause=waits.append)
    assert (tmp_path / "x").read_bytes() == b"new"
    assert waits == [0.01, 0.02]


@pytest.mark.parametrize(
    ("number", "code", "waits"),
    [(errno.EACCES, "D003", 6), (errno.EXDEV, "D004", 0)],
    ids=["held-for-ever", "another-disk"],
)
def test_a_file_that_cannot_be_replaced_stays_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int, code: str, waits: int
) -> None:
    (tmp_path / "x").write_bytes(b"old")
    paused: list[float] = []
    monkeypatch.setattr(Path, "replace", failing(number))
    with pytest.raises(Unavailable) as error:
        replace(tmp_path / "x", b"new", pause=paused.append)
    assert error.value.code.id == code
    assert len(paused) == waits
    assert [(path.name, path.read_bytes()) for path in tmp_path.iterdir()] == [("x", b"old")]


def test_publishing_gives_the_name_and_takes_the_staged_one(tmp_path: Path) -> None:
    (tmp_path / "staged").write_bytes(b"x")
    publish(tmp_path / "staged", tmp_path / "there")
    assert [(path.name, path.stat().st_nlink) for path in tmp_path.iterdir()] == [("there", 1)]


@pytest.fixture(params=["link", "rename"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Both ways of publishing: by a hard link, and on a file system without."""
    if request.param == "rename":
        monkeypatch.setattr(Path, "hardlink_to", failing(errno.EPERM))
    return str(request.param)


def test_publishing_never_replaces_what_is_there(tmp_path: Path, way: str) -> None:
    (tmp_path / "staged").write_bytes(b"new")
    (tmp_path / "there").write_bytes(b"old")
    with pytest.raises(Refused) as error:
        publish(tmp_path / "staged", tmp_path / "there")
    assert (error.value.code.id, error.value.where.file) == ("D005", str(tmp_path / "there"))
    assert (tmp_path / "there").read_bytes() == b"old"
    assert (tmp_path / "staged").read_bytes() == b"new"


def test_a_report_appears_whole_at_the_end(tmp_path: Path, way: str) -> None:
    with new_file(tmp_path / "report.html") as file:
        file.write(b"first ")
        assert not (tmp_path / "report.html").exists()
        file.write(b"second")
    assert [(path.name, path.read_bytes()) for path in tmp_path.iterdir()] == [("report.html", b"first second")]


def test_a_report_that_fails_leaves_nothing(tmp_path: Path) -> None:
    def write_half() -> None:
        with new_file(tmp_path / "report.html") as file:
            file.write(b"half")
            raise ValueError("stop")

    with pytest.raises(ValueError, match="stop"):
        write_half()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("kind", ["file", "folder", "dangling-link"])
def test_a_report_is_refused_at_once_where_something_is(tmp_path: Path, kind: str) -> None:
    destination = tmp_path / "x"
    if kind == "file":
        destination.write_bytes(b"old")
    elif kind == "folder":
        destination.mkdir()
    else:
        destination.symlink_to("gone")
    with pytest.raises(Refused) as error, new_file(destination):
        pytest.fail("the block must not be entered")
    assert error.value.code.id == "D005"
    assert [path.name for path in tmp_path.iterdir()] == ["x"]


def test_a_report_spares_a_file_that_appears_meanwhile(tmp_path: Path, way: str) -> None:
    with pytest.raises(Refused) as error, new_file(tmp_path / "x"):
        (tmp_path / "x").write_bytes(b"other")
    assert error.value.code.id == "D005"
    assert [(path.name, path.read_bytes()) for path in tmp_path.iterdir()] == [("x", b"other")]


def test_a_report_needs_a_folder(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput) as error, new_file(tmp_path / "gone" / "x"):
        pytest.fail("the block must not be entered")
    assert error.value.code.id == "D007"


def test_without_links_and_a_sparing_rename_nothing_is_published(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Library:
        """A C library that knows no such rename."""

    monkeypatch.setattr(Path, "hardlink_to", failing(errno.EOPNOTSUPP))
    monkeypatch.setattr("ctypes.CDLL", lambda *_, **__: Library())
    with pytest.raises(Unavailable) as error, new_file(tmp_path / "x"):
        pass
    assert error.value.code.id == "D006"
    assert list(tmp_path.iterdir()) == []


def test_a_committed_file_loses_every_write_permission_and_no_other(tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes(b"x")
    (tmp_path / "x").chmod(0o660)
    sync_file(tmp_path / "x", read_only=True)
    assert (tmp_path / "x").stat().st_mode & 0o777 == 0o440


def test_a_file_system_that_cannot_sync_folders_keeps_the_order_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "fsync", failing(errno.EINVAL))
    sync_folder(tmp_path)


def test_a_folder_that_fails_to_sync_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "fsync", failing(errno.EIO))
    with pytest.raises(Unavailable) as error:
        sync_folder(tmp_path)
    assert (error.value.code.id, error.value.where.file) == ("D002", str(tmp_path))


def test_a_new_folder_is_remembered_by_the_one_above_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    synced: list[Path] = []
    monkeypatch.setattr(atomic, "sync_folder", synced.append)
    make_folder(tmp_path / "x")
    make_folder(tmp_path / "x")
    assert (tmp_path / "x").is_dir()
    assert synced == [tmp_path]


def test_a_link_is_no_folder_to_write_in(tmp_path: Path) -> None:
    (tmp_path / "x").symlink_to(tmp_path)
    with pytest.raises(InvalidInput) as error:
        make_folder(tmp_path / "x")
    assert error.value.code.id == "D014"


def test_a_file_is_no_folder(tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes(b"")
    with pytest.raises(Unavailable) as error:
        make_folder(tmp_path / "x")
    assert error.value.code.id == "D004"


def test_erasing_takes_all_below_and_follows_no_link(tmp_path: Path) -> None:
    (tmp_path / "kept").write_bytes(b"kept")
    (tmp_path / "x" / "y").mkdir(parents=True)
    (tmp_path / "x" / "y" / "z").write_bytes(b"")
    (tmp_path / "x" / "y" / "z").chmod(0o444)
    (tmp_path / "x" / "link").symlink_to(tmp_path)
    erase(tmp_path / "x")
    erase(tmp_path / "gone")
    assert [path.name for path in tmp_path.iterdir()] == ["kept"]
