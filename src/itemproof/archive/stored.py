"""The record lines of a registered file, decoded as the reader needs them."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO, Final, TypeVar

import msgspec

from itemproof.archive.layout import MISSING, OTHER_BYTES, OTHER_SIZE, Layout
from itemproof.core.errors import InvalidInput, invalid
from itemproof.core.findings import Code
from itemproof.core.where import Where
from itemproof.files.atomic import disk_faults
from itemproof.records.manifest import FileEntry

__all__ = ["NO_RECORD", "stored_records"]

NO_RECORD: Final = Code("A030", "a line of a records file is no record")

#: Lines between two words to whoever watches.
_TOLD_EVERY: Final = 4096

Decoded = TypeVar("Decoded")


def stored_records(
    layout: Layout,
    file: FileEntry,
    decode: Callable[[bytes], Decoded],
    *,
    progress: Callable[[int], None] = lambda _: None,
) -> Iterator[Decoded]:
    """What `decode` makes of each record line of an imported file, in order; at the end the bytes were the import's.

    Whoever takes every line knows that none was changed, added or lost; a damaged file raises before its last line is
    used up, at the latest behind it.

    Args:
        layout: The archive.
        file: The file's entry in the manifest.
        decode: Raises what msgspec raises for a line that is not as it expects.
        progress: Told how many bytes more are done.

    Raises:
        InvalidInput: The records are missing (A001), have another size (A002) or other bytes (A003), or a line is not
            what `decode` expects (A030).
        Unavailable: The disk refused.
    """
    path, where, number = layout.stored(file.records_path), Where(file=file.records_path), 0
    digest = hashlib.sha256()
    with disk_faults(path), _opened(path, where) as lines:
        found_bytes = os.fstat(lines.fileno()).st_size
        if found_bytes != file.records_bytes:
            raise _damaged(OTHER_SIZE, f"It has {found_bytes:,} bytes; {file.records_bytes:,} were registered", where)
        done_bytes = 0
        try:
            for number, line in enumerate(lines, start=1):
                digest.update(line)
                yield decode(line)
                if not number % _TOLD_EVERY:
                    progress(lines.tell() - done_bytes)
                    done_bytes = lines.tell()
        except (msgspec.MsgspecError, UnicodeDecodeError) as error:
            raise _damaged(NO_RECORD, str(error), where.at(line=number)) from error
    progress(found_bytes - done_bytes)
    if digest.hexdigest() != file.records_sha256:
        raise _damaged(OTHER_BYTES, "Its bytes are not those of the import", where)


def _damaged(code: Code, found: str, where: Where) -> InvalidInput:
    return invalid(code, f"{found}. It was changed after the import: `itemproof validate` says what else was.", where)


def _opened(path: Path, where: Where) -> BinaryIO:
    try:
        return path.open("rb")
    except FileNotFoundError:
        text = "It is registered and not there. Bring it back from a copy of the archive."
        raise invalid(MISSING, text, where) from None
