"""Compressed files as the text that they hold, every member and frame; the only place that knows zstandard."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Final, Protocol

from itemproof.core.errors import InvalidInput, invalid
from itemproof.core.findings import Code
from itemproof.core.where import Where
from itemproof.files.atomic import disk_faults

__all__ = ["compression_of", "text_blocks"]

HIDDEN: Final = Code("J020", "a compressed file has the name of a plain one")
NOT_COMPRESSED: Final = Code("J021", "a file is not compressed in the way that its name says")
CUT_OFF: Final = Code("J022", "a compressed file ends before its text does")
BYTES_AFTER: Final = Code("J023", "bytes stand behind the last member of a compressed file")
DAMAGED: Final = Code("J024", "a compressed file is damaged")

_BLOCK_BYTES: Final = 1 << 20


class _Member(Protocol):
    """One gzip member or zstd frame on its way."""

    @property
    def eof(self) -> bool: ...
    @property
    def unused_data(self) -> bytes: ...
    def decompress(self, data: bytes, /) -> bytes: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class _Format:
    """A compression.

    Attributes:
        name: As people call it.
        suffix: With the dot.
        magic: What its files begin with, any of them.
        slice_bytes: How much is fed at a time: at the worst ratio (1:1,032 and 1:32,768) this makes 32 MiB at most.
        start: Begins a member.
        error: Gives the class of what a member raises for damaged data.
    """

    name: str
    suffix: str
    magic: tuple[bytes, ...]
    slice_bytes: int
    start: Callable[[], _Member]
    error: Callable[[], type[Exception]]


def _start_gzip() -> _Member:
    return zlib.decompressobj(wbits=31)


def _gzip_error() -> type[Exception]:
    return zlib.error


def _start_zstd() -> _Member:
    import zstandard

    return zstandard.ZstdDecompressor().decompressobj()


def _zstd_error() -> type[Exception]:
    import zstandard

    return zstandard.ZstdError


_FORMATS: Final = (
    _Format(
        name="gzip",
        suffix=".gz",
        magic=(b"\x1f\x8b",),
        slice_bytes=16 << 10,
        start=_start_gzip,
        error=_gzip_error,
    ),
    _Format(
        name="zstd",
        suffix=".zst",
        magic=(b"\x28\xb5\x2f\xfd", *(bytes([0x50 + low]) + b"\x2a\x4d\x18" for low in range(16))),
        slice_bytes=1 << 10,
        start=_start_zstd,
        error=_zstd_error,
    ),
)


def compression_of(path: Path, *, name: str | None = None) -> str | None:
    """How a file is compressed, by its name and its first bytes alike: `gzip`, `zstd`, or None.

    Args:
        path: The file to read.
        name: The name it was given by, which decides and stands in the faults; the path's own when None.

    Raises:
        InvalidInput: The content contradicts the name (J020, J021).
        Unavailable: The disk did not give it.
    """
    form = _format_of(path, str(path) if name is None else name)
    return None if form is None else form.name


def text_blocks(path: Path, *, name: str | None = None) -> Iterator[bytes]:
    """The bytes of a file's text in blocks of any size up to 32 MiB, decompressed when its name says so.

    Args:
        path: The file to read.
        name: As for `compression_of`.

    Raises:
        InvalidInput: The content contradicts the name, is damaged or cut, or more bytes follow (J020 to J024). Blocks
            that were given before are then of no use.
        Unavailable: The disk did not give it.
    """
    given = str(path) if name is None else name
    form = _format_of(path, given)
    with disk_faults(path), path.open("rb") as file:
        if form is None:
            yield from _slices(file, _BLOCK_BYTES)
        else:
            yield from _expanded(file, form, given)


def _format_of(path: Path, name: str) -> _Format | None:
    with disk_faults(path), path.open("rb") as file:
        head = file.read(4)
    stated = next((known for known in _FORMATS if name.lower().endswith(known.suffix)), None)
    found = next((known for known in _FORMATS if head.startswith(known.magic)), None)
    if stated is found:
        return stated
    if stated is None and found is not None:
        text = f"this is {found.name} under a plain name; add {found.suffix} to the name, or decompress it."
        raise invalid(HIDDEN, text, Where(file=name))
    what = found.name if found else ("a plain file" if head else "empty")
    text = f"the name says it is compressed, but this is {what}; give it the name of what it is."
    raise invalid(NOT_COMPRESSED, text, Where(file=name))


def _slices(file: BinaryIO, size_bytes: int) -> Iterator[bytes]:
    while piece := file.read(size_bytes):
        yield piece


def _expanded(file: BinaryIO, form: _Format, name: str) -> Iterator[bytes]:
    member: _Member | None = None
    members = 0
    fresh = True
    for piece in _slices(file, form.slice_bytes):
        rest = piece
        while rest:
            if member is None:
                member, fresh, members = form.start(), True, members + 1
            try:
                text = member.decompress(rest)
            except form.error() as error:
                raise _broken(form, name, after=fresh and members > 1, says=str(error)) from None
            if text:
                fresh = False
                yield text
            rest = member.unused_data if member.eof else b""
            member = None if member.eof else member
    if member is not None:
        why = f"the file ends in the middle of its {form.name} data; it was cut off. Fetch it again."
        raise invalid(CUT_OFF, why, Where(file=name))


def _broken(form: _Format, name: str, *, after: bool, says: str) -> InvalidInput:
    if after:
        text = f"found bytes behind the last {form.name} part that are no further part; remove them or fetch it again."
        return invalid(BYTES_AFTER, text, Where(file=name))
    return invalid(DAMAGED, f"the {form.name} data cannot be read ({says}); fetch it again.", Where(file=name))
