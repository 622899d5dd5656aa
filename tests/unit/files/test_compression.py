"""Compressed files: all members, or a fault that says what is wrong."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
import zstandard

from itemproof.core.errors import InvalidInput, Unavailable
from itemproof.files.compression import compression_of, text_blocks

TEXT = b'{"a":"' + bytes(range(32, 127)).replace(b'"', b"").replace(b"\\", b"") * 50 + b'"}\n'
GZIP = gzip.compress(TEXT, mtime=0)
ZSTD = zstandard.ZstdCompressor(write_checksum=True).compress(TEXT)
SKIPPABLE = b"\x50\x2a\x4d\x18\x04\x00\x00\x00note"


def read(folder: Path, name: str, data: bytes) -> bytes:
    path = folder / name
    path.write_bytes(data)
    return b"".join(text_blocks(path, name=name))


@pytest.mark.parametrize(
    ("name", "data", "due"),
    [
        pytest.param("x.jsonl", TEXT, TEXT, id="plain"),
        pytest.param("x.jsonl", b"", b"", id="plain and empty"),
        pytest.param("x.jsonl.gz", GZIP, TEXT, id="gzip"),
        pytest.param("x.JSONL.GZ", GZIP, TEXT, id="capitals"),
        pytest.param("x.jsonl.gz", GZIP + GZIP, TEXT + TEXT, id="two members"),
        pytest.param("x.jsonl.gz", gzip.compress(b"") + GZIP, TEXT, id="an empty member first"),
        pytest.param("x.jsonl.zst", ZSTD, TEXT, id="zstd"),
        pytest.param("x.jsonl.zst", ZSTD + ZSTD, TEXT + TEXT, id="two frames"),
        pytest.param("x.jsonl.zst", SKIPPABLE + ZSTD + SKIPPABLE, TEXT, id="skippable frames"),
    ],
)
def test_the_whole_text_is_given(tmp_path: Path, name: str, data: bytes, due: bytes) -> None:
    assert read(tmp_path, name, data) == due


@pytest.mark.parametrize(
    ("name", "data", "code"),
    [
        pytest.param("x.jsonl", GZIP, "J020", id="gzip under a plain name"),
        pytest.param("x.jsonl", ZSTD, "J020", id="zstd under a plain name"),
        pytest.param("x.jsonl.gz", TEXT, "J021", id="plain under .gz"),
        pytest.param("x.jsonl.gz", ZSTD, "J021", id="zstd under .gz"),
        pytest.param("x.jsonl.zst", b"", "J021", id="empty under .zst"),
        pytest.param("x.jsonl.gz", GZIP[:-6], "J022", id="gzip cut"),
        pytest.param("x.jsonl.gz", GZIP + GZIP[:12], "J022", id="second member cut"),
        pytest.param("x.jsonl.zst", ZSTD[:-2], "J022", id="zstd cut"),
        pytest.param("x.jsonl.gz", GZIP + b"junk", "J023", id="bytes after gzip"),
        pytest.param("x.jsonl.gz", GZIP + bytes(512), "J023", id="padding after gzip"),
        pytest.param("x.jsonl.zst", ZSTD + b"junk", "J023", id="bytes after zstd"),
        pytest.param("x.jsonl.gz", GZIP[:-8] + b"\0" * 8, "J024", id="wrong gzip checksum"),
        pytest.param("x.jsonl.zst", ZSTD[:-4] + b"\0" * 4, "J024", id="wrong zstd checksum"),
    ],
)
def test_a_file_that_is_not_whole_is_refused(tmp_path: Path, name: str, data: bytes, code: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        read(tmp_path, name, data)
    assert [(found.code.id, found.where.file) for found in caught.value.findings] == [(code, name)]


@pytest.mark.parametrize("data", [GZIP, ZSTD], ids=["gzip", "zstd"])
def test_no_truncation_passes(tmp_path: Path, data: bytes) -> None:
    name = "x.gz" if data is GZIP else "x.zst"
    for size in range(len(data)):
        with pytest.raises(InvalidInput):
            read(tmp_path, name, data[:size])


def test_a_bomb_comes_in_bounded_blocks(tmp_path: Path) -> None:
    for name, data in (
        ("x.gz", gzip.compress(bytes(100 << 20), 9)),
        ("x.zst", zstandard.ZstdCompressor().compress(bytes(100 << 20))),
    ):
        path = tmp_path / name
        path.write_bytes(data)
        sizes = [len(block) for block in text_blocks(path)]
        assert (sum(sizes), max(sizes) <= 32 << 20) == (100 << 20, True)


@pytest.mark.parametrize(
    ("name", "data", "due"),
    [
        pytest.param("a.jsonl", TEXT, None, id="plain"),
        pytest.param("a.jsonl.gz", GZIP, "gzip", id="gzip"),
        pytest.param("a.jsonl.ZST", ZSTD, "zstd", id="zstd"),
    ],
)
def test_the_compression_is_told_by_the_given_name_and_the_first_bytes(
    tmp_path: Path, name: str, data: bytes, due: str | None
) -> None:
    path = tmp_path / "stored"
    path.write_bytes(data)
    assert compression_of(path, name=name) == due


def test_a_file_that_is_not_there_is_no_traceback(tmp_path: Path) -> None:
    with pytest.raises(Unavailable):
        list(text_blocks(tmp_path / "none.jsonl"))
