"""Attachments are kept byte for byte, once, all of a command's or none."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from faults import driver
from faults.harness import leftovers, state_of
from itemproof.archive.archive import Archive
from itemproof.archive.attach import attach
from itemproof.archive.seal import seal
from itemproof.core.digest import sha256_of
from itemproof.core.errors import InvalidInput, Refused
from itemproof.records.manifest import Attachment


@pytest.fixture
def archive(tmp_path: Path) -> Archive:
    """An archive with the run `old`, which has an attachment `note.txt` already."""
    archive = Archive.create(tmp_path / "ark")
    with archive.write() as writer:
        writer.create_run("old", "model", {})
    driver.import_names(archive.root, "old", ["a.jsonl"])
    return archive


def make(folder: Path, name: str, data: bytes) -> Path:
    folder.mkdir(exist_ok=True)
    (folder / name).write_bytes(data)
    return folder / name


def test_every_byte_is_told_once(archive: Archive, tmp_path: Path) -> None:
    done: list[int] = []
    attach(archive, "old", [make(tmp_path / "in", name, b"x" * 300) for name in ("a", "b")], progress=done.append)
    assert sum(done) == 600


def test_files_are_kept_in_order_with_their_names_and_bytes(archive: Archive, tmp_path: Path) -> None:
    paths = [make(tmp_path / "in", "z z.log", b"\r\n\0\xff"), make(tmp_path / "in", "a.json", b"")]
    attached = attach(archive, "old", paths)
    assert attached.added == [
        Attachment(name="z z.log", path="runs/old/attachments/0002-z_z.log", bytes=4, sha256=sha256_of(b"\r\n\0\xff")),
        Attachment(name="a.json", path="runs/old/attachments/0003-a.json", bytes=0, sha256=sha256_of(b"")),
    ]
    assert archive.run("old").manifest.attachments[1:] == attached.added
    assert (archive.root / attached.added[0].path).read_bytes() == b"\r\n\0\xff"
    assert leftovers(archive.root) == []


def test_the_same_file_again_is_no_second_attachment(archive: Archive, tmp_path: Path) -> None:
    path = make(tmp_path / "in", "x", b"x")
    first = attach(archive, "old", [path, path])
    again = attach(archive, "old", [path])
    assert (len(first.added), first.present) == (1, first.added)
    assert (again.added, again.present) == ([], first.added)
    assert len(archive.run("old").manifest.attachments) == 2
    assert leftovers(archive.root) == []


def test_the_same_name_with_other_bytes_is_another_attachment(archive: Archive, tmp_path: Path) -> None:
    attach(archive, "old", [make(tmp_path / "one", "x", b"1"), make(tmp_path / "two", "x", b"2")])
    assert [one.path.rpartition("/")[2] for one in archive.run("old").manifest.attachments[1:]] == ["0002-x", "0003-x"]


def test_a_name_that_is_no_utf8_is_kept_readable(archive: Archive, tmp_path: Path) -> None:
    (attached,) = attach(archive, "old", [make(tmp_path / "in", os.fsdecode(b"log-\xff"), b"x")]).added
    assert (attached.name, attached.path) == ("log-\\udcff", "runs/old/attachments/0002-log-_")


def test_every_path_that_is_no_file_is_named_and_nothing_is_attached(archive: Archive, tmp_path: Path) -> None:
    before = state_of(archive.root)
    good = make(tmp_path / "in", "x", b"x")
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(InvalidInput) as error:
        attach(archive, "old", [tmp_path / "gone", good, tmp_path / "in", tmp_path / "pipe"])
    assert [(finding.code.id, finding.where.file, finding.text.split(".")[0]) for finding in error.value.findings] == [
        ("W009", str(tmp_path / "gone"), "It does not exist"),
        ("W009", str(tmp_path / "in"), "It is a folder"),
        ("W009", str(tmp_path / "pipe"), "It is no file"),
    ]
    assert error.value.outcome == "Nothing was attached."
    assert state_of(archive.root) == before


def test_a_sealed_run_takes_no_attachment(archive: Archive, tmp_path: Path) -> None:
    seal(archive, "old")
    with pytest.raises(Refused) as error:
        attach(archive, "old", [make(tmp_path / "in", "x", b"x")])
    assert error.value.code.id == "W003"
