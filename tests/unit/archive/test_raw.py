"""The raw copy is the source, byte for byte, with its lines counted."""

from __future__ import annotations

import errno
import hashlib
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from itemproof.archive import raw
from itemproof.archive.raw import RawCopy, Stretch, copy_raw
from itemproof.core.errors import Unavailable
from itemproof.files import early_sync


def copied(folder: Path, data: bytes) -> RawCopy:
    """The copy of a file with these bytes."""
    source = folder / "source"
    source.write_bytes(data)
    return copy_raw(source, folder / "copy")


def test_the_copy_has_the_bytes_the_size_and_the_digest_of_the_source(tmp_path: Path) -> None:
    data = bytes(range(256)) * 100

    copy = copied(tmp_path, data)

    assert copy.path.read_bytes() == data
    assert (copy.size_bytes, copy.sha256) == (len(data), hashlib.sha256(data).hexdigest())


@pytest.mark.parametrize(("data", "lines"), [(b"\n", 1), (b"one", 1), (b"one\n", 1), (b"one\ntwo", 2), (b"\n\n", 2)])
def test_a_small_file_is_one_stretch_from_its_first_line(tmp_path: Path, data: bytes, lines: int) -> None:
    assert copied(tmp_path, data).stretches == [Stretch(0, len(data), 1, lines)]


def test_an_empty_file_has_no_stretch(tmp_path: Path) -> None:
    assert copied(tmp_path, b"").stretches == []


@given(st.lists(st.integers(0, 40), max_size=60), st.booleans())
def test_stretches_hold_all_lines_whole_and_know_their_numbers(
    tmp_path_factory: pytest.TempPathFactory, lengths: list[int], ended: bool
) -> None:
    data = b"".join(b"x" * length + b"\n" for length in lengths) + (b"" if ended else b"tail")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(raw, "STRETCH_BYTES", 64)
        patch.setattr(raw, "PIECE_BYTES", 48)
        stretches = copied(tmp_path_factory.mktemp("raw"), data).stretches

    parts = [data[stretch.offset : stretch.offset + stretch.size_bytes] for stretch in stretches]
    assert b"".join(parts) == data
    assert [part.endswith(b"\n") for part in parts[:-1]].count(False) == 0
    numbers = [1 + data[: stretch.offset].count(b"\n") for stretch in stretches]
    assert [stretch.first_line for stretch in stretches] == numbers
    assert [stretch.lines for stretch in stretches] == [len(part.splitlines()) for part in parts]


def test_a_line_that_is_longer_than_a_stretch_stays_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(raw, "STRETCH_BYTES", 8)
    monkeypatch.setattr(raw, "PIECE_BYTES", 8)

    copy = copied(tmp_path, b"short\n" + b"x" * 50 + b"\nend\n")

    assert copy.stretches == [Stretch(0, 6, 1, 1), Stretch(6, 55, 2, 2)]


def test_progress_counts_every_byte_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(raw, "PIECE_BYTES", 10)
    source = tmp_path / "source"
    source.write_bytes(b"x" * 95)
    done: list[int] = []

    copy_raw(source, tmp_path / "copy", progress=done.append)

    assert sum(done) == 95
    assert len(done) == 10


def test_a_disk_that_fills_up_is_said_to_be_full(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(early_sync, "write_all", refuse)

    with pytest.raises(Unavailable) as refused:
        copied(tmp_path, b"one\n")
    assert refused.value.code.id == "D001"
    assert refused.value.where.file == str(tmp_path / "copy")


def test_a_sync_that_failed_is_said_by_who_waits_for_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    monkeypatch.setattr(os, "fsync", refuse)

    copy = copied(tmp_path, b"one\n")

    with pytest.raises(Unavailable) as refused:
        copy.wait()
    assert refused.value.code.id == "D002"
    assert refused.value.where.file == str(tmp_path / "copy")


def test_a_source_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(Unavailable) as refused:
        copy_raw(tmp_path / "nowhere", tmp_path / "copy")
    assert refused.value.where.file == str(tmp_path / "nowhere")
    assert not (tmp_path / "copy").exists()
