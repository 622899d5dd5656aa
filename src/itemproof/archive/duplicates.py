"""Identities that occur twice: found by 64-bit hashes, decided by the keys themselves.

Equal keys have equal hashes, so nothing is missed; records whose hashes are equal are read again and their keys
compared, so nothing is refused by chance. Ten million records take 80 MB here, and as much again while sorting.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import msgspec
import numpy as np
import numpy.typing as npt

from itemproof.files.jsonl import raw_lines
from itemproof.records.record import Key

__all__ = ["KeyedFile", "Place", "SlimRecord", "count_duplicates", "find_duplicates", "keys_of"]

#: How many equal hashes are looked into at a time, so that a file that was doubled does not fill the memory.
_AT_ONCE: Final = 10_000


class SlimRecord(msgspec.Struct):
    """The parts of a record that make its key and its place."""

    benchmark: str
    language: str | None
    script: str | None
    question_id: str
    variant_id: str
    filter: str
    repeat_id: int | str
    source: dict[str, str | int]

    @property
    def key(self) -> Key:
        """The record's key."""
        return Key(
            self.benchmark,
            self.language,
            self.script,
            self.question_id,
            self.variant_id,
            self.filter,
            self.repeat_id,
        )


@dataclass(frozen=True, slots=True)
class KeyedFile:
    """A file of record lines, and the hash of each line's key in order."""

    path: Path
    keys: array[int]


@dataclass(frozen=True, slots=True)
class Place:
    """One record of a duplicated key.

    Attributes:
        file: The position of its file among those given.
        ordinal: The record's place in that file, from 0.
        raw_path: The archived raw file that it came from.
        raw_line: Its line there.
    """

    file: int
    ordinal: int
    raw_path: str
    raw_line: int


def keys_of(records: Iterable[SlimRecord]) -> array[int]:
    """The hash of each record's key, in order."""
    keys = array("q")
    append = keys.append
    for record in records:
        append(hash(record.key))
    return keys


def count_duplicates(files: Sequence[KeyedFile]) -> int:
    """How many keys stand in more than one record, told by their hashes alone."""
    return len(_doubled([np.frombuffer(file.keys, dtype=np.int64) for file in files if file.keys]))


def find_duplicates(files: Sequence[KeyedFile]) -> Iterator[tuple[Key, list[Place]]]:
    """Each key that stands in more than one record, with all its places in order, by where it stands first."""
    doubled = _doubled([np.frombuffer(file.keys, dtype=np.int64) for file in files if file.keys])
    for start in range(0, len(doubled), _AT_ONCE):
        found: dict[Key, list[Place]] = {}
        for number, file in enumerate(files):
            if file.keys:
                _look(number, file, doubled[start : start + _AT_ONCE], found)
        yield from ((key, places) for key, places in found.items() if len(places) > 1)


def _doubled(parts: list[npt.NDArray[np.int64]]) -> npt.NDArray[np.int64]:
    if not parts:
        return np.empty(0, dtype=np.int64)
    every = np.concatenate(parts)
    ordered = np.sort(every)
    twice = np.unique(ordered[1:][ordered[1:] == ordered[:-1]])
    if not len(twice):
        return twice
    hashes, firsts = np.unique(every[np.isin(every, twice)], return_index=True)
    in_file_order: npt.NDArray[np.int64] = hashes[np.argsort(firsts)]
    return in_file_order


def _look(number: int, file: KeyedFile, doubled: npt.NDArray[np.int64], found: dict[Key, list[Place]]) -> None:
    ordinals = np.flatnonzero(np.isin(np.frombuffer(file.keys, dtype=np.int64), doubled)).tolist()
    if not ordinals:
        return
    wanted, decode = iter(ordinals), msgspec.json.Decoder(SlimRecord).decode
    due = next(wanted)
    for line_number, line in raw_lines(file.path):
        if line_number - 1 != due:
            continue
        slim = decode(line)
        place = Place(number, due, str(slim.source["path"]), int(slim.source["line"]))
        found.setdefault(slim.key, []).append(place)
        if (following := next(wanted, None)) is None:
            return
        due = following
