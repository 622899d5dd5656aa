"""The walk gives every file, in one order, and follows nothing."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from itemproof.core.errors import Unavailable
from itemproof.files.walk import walk


def make(root: Path, *files: str) -> None:
    for file in files:
        (root / file).parent.mkdir(parents=True, exist_ok=True)
        (root / file).write_bytes(b"")


def seen(root: Path) -> list[tuple[str, str]]:
    return [(entry.relative, entry.kind) for entry in walk(root)]


def test_files_come_ordered_by_the_parts_of_their_paths(tmp_path: Path) -> None:
    make(tmp_path, "b", "a/z", "a/b/c", "a-b", "A", "a/10", "a/9")
    assert seen(tmp_path) == [(path, "file") for path in ["A", "a/10", "a/9", "a/b/c", "a/z", "a-b", "b"]]


def test_links_are_reported_and_not_followed(tmp_path: Path) -> None:
    make(tmp_path, "folder/file")
    (tmp_path / "to-folder").symlink_to("folder")
    (tmp_path / "to-itself").symlink_to(".")
    (tmp_path / "to-nothing").symlink_to("gone")
    assert seen(tmp_path) == [
        ("folder/file", "file"),
        ("to-folder", "link"),
        ("to-itself", "link"),
        ("to-nothing", "link"),
    ]


def test_a_pipe_is_neither_file_nor_folder(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    assert seen(tmp_path) == [("pipe", "other")]


def test_a_name_that_is_no_utf8_is_walked_with_its_escape(tmp_path: Path) -> None:
    name = os.fsdecode(b"\xff")
    make(tmp_path, f"{name}/x")
    (entry,) = walk(tmp_path)
    assert entry.relative == "\\udcff/x"
    assert entry.path.read_bytes() == b""


def test_a_folder_that_is_not_there_holds_nothing(tmp_path: Path) -> None:
    assert seen(tmp_path / "gone") == []


def test_a_deep_tree_is_walked(tmp_path: Path) -> None:
    deep = Path(*["d"] * 300)
    make(tmp_path, str(deep / "x"))
    assert seen(tmp_path) == [(f"{deep.as_posix()}/x", "file")]


def test_a_folder_that_cannot_be_read_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def forbidden(self: Path) -> object:
        raise PermissionError(13, "Permission denied", str(self))

    monkeypatch.setattr(Path, "iterdir", forbidden)
    with pytest.raises(Unavailable) as error:
        seen(tmp_path)
    assert (error.value.code.id, error.value.where.file) == ("D003", str(tmp_path))


@pytest.mark.parametrize("asked", ["is_dir", "is_file", "is_symlink"])
def test_what_the_system_refuses_to_say_of_an_entry_is_a_fault_of_the_disk(
    tmp_path: Path, asked: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    make(tmp_path / "folder", "x")
    real = getattr(Path, asked)

    def forbidden(self: Path) -> object:
        if self.name == "x":
            raise PermissionError(13, "Permission denied", str(self))
        return real(self)

    monkeypatch.setattr(Path, asked, forbidden)
    if asked == "is_symlink":  # nothing is reached through what cannot be looked at
        assert seen(tmp_path) == [("folder/x", "file")]
        return
    with pytest.raises(Unavailable) as error:
        seen(tmp_path)
    assert (error.value.code.id, error.value.where.file) == ("D003", str(tmp_path / "folder" / "x"))


def test_a_folder_with_a_name_too_long_is_a_fault_of_the_disk(tmp_path: Path) -> None:
    with pytest.raises(Unavailable) as error:
        seen(tmp_path / ("x" * 300))
    assert error.value.code.id == "D004"
