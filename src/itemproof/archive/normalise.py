"""Raw lines to record lines, stretch by stretch: in this process, or in forked workers with the same bytes out."""

from __future__ import annotations

import hashlib
from array import array
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from operator import itemgetter
from pathlib import Path
from typing import BinaryIO, Final, TypeAlias

import msgspec
import numpy as np

from itemproof.adapters.base import Adapter, FileContext, LineRefused, Normaliser, Tally
from itemproof.archive.raw import Stretch
from itemproof.core.findings import Code, Finding, Findings
from itemproof.core.where import Where
from itemproof.files.early_sync import EarlySync
from itemproof.files.jsonl import Block, NumberedLine, parse_batches, read_block
from itemproof.files.strict_json import dumps, finished, raw_line
from itemproof.records.record import Key, Record, RecordDict

__all__ = [
    "Normalised",
    "Piece",
    "RecordsFile",
    "Sink",
    "Work",
    "key_hash",
    "normalise_block",
    "normalise_stretch",
    "summed",
]

BAD_RECORD: Final = Code("R007", "an adapter gave a record that breaks the schema")

_LINE_FEED: Final = 10
_key_fields: Final = itemgetter(*Key._fields)


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """Everything that turns the lines of one file into records.

    Attributes:
        adapter: The format.
        context: The file.
        shown: The file as the user named it, for findings.
        raw: The staged raw file.
        max_line_bytes: Longer lines are refused.
        check: Whether every record is held against the schema, for adapters that are not ours.
    """

    adapter: Adapter
    context: FileContext
    shown: str
    raw: Path
    max_line_bytes: int
    check: bool = False


#: Takes record lines, in order; what it was given is only valid during the call.
Sink: TypeAlias = Callable[[bytes | memoryview], None]


@dataclass(slots=True)
class Piece:
    """What is known about one stretch, whose record lines have gone to a sink.

    Attributes:
        keys: The hash of each record's key, in order.
        lines: How many lines, blank ones included.
        records: How many records.
        longest: The longest record line in bytes.
        tally: What the adapter counted.
        findings: What was refused; then the record lines are of no use.
    """

    keys: array[int] = field(default_factory=lambda: array("q"))
    lines: int = 0
    records: int = 0
    longest: int = 0
    tally: Tally = field(default_factory=Tally)
    findings: Findings = field(default_factory=Findings)


def key_hash(record: RecordDict) -> int:
    """64 bits of a record's key: equal keys give equal hashes within one process and its forks."""
    return hash(_key_fields(record))


def normalise_stretch(work: Work, normaliser: Normaliser, stretch: Stretch, raw: BinaryIO, sink: Sink) -> Piece:
    """The piece of one stretch of a plain file, whose record lines the sink has got."""
    block = read_block(raw, stretch.offset, stretch.size_bytes, stretch.first_line)
    return normalise_block(work, normaliser, block, sink, lines=stretch.lines)


def normalise_block(work: Work, normaliser: Normaliser, block: Block, sink: Sink, *, lines: int | None = None) -> Piece:
    """The piece of a block, whose record lines the sink has got; `lines` is how many it has, if that is known.

    The adapter may fill the same objects again for the next line, so each record is written before that. The sink gets
    as much at a time as is parsed at a time, while it is still in the processor's cache.
    """
    piece = Piece(lines=line_count(block.data) if lines is None else lines)
    for batch in parse_batches(block, findings=piece.findings, file=work.shown, max_line_bytes=work.max_line_bytes):
        out = _written(work, normaliser, batch, piece)
        if out:
            made = b"".join(out)
            data = finished(made)
            if data is not made:
                out = data.splitlines(keepends=True)
            piece.records += len(out)
            piece.longest = max(piece.longest, *map(len, out))
            sink(data)
    piece.tally = normaliser.take()
    return piece


def _written(work: Work, normaliser: Normaliser, batch: Iterable[NumberedLine], piece: Piece) -> list[bytes]:
    """The record lines of some lines; keys and findings go to the piece."""
    out: list[bytes] = []
    append, key, write, records_of = out.append, piece.keys.append, raw_line, normaliser.records
    check = _check if work.check else None
    for number, line in batch:
        try:
            for record in records_of(line, number):
                if check is not None:
                    check(record)
                append(write(record))
                key(key_hash(record))
        except LineRefused as refused:
            for finding in refused.findings:
                piece.findings.add(finding.at(file=work.shown, line=number))
    return out


def line_count(data: bytes) -> int:
    """The lines of some text, the last one counted even if it lacks its end."""
    ends = int(np.count_nonzero(np.frombuffer(data, dtype=np.uint8) == _LINE_FEED))
    return ends if data.endswith(b"\n") or not data else ends + 1


def _check(record: RecordDict) -> None:
    try:
        msgspec.convert(record, Record)
        dumps(record)
    except (msgspec.ValidationError, TypeError, ValueError) as error:
        raise LineRefused(Finding(BAD_RECORD, f"{error}; mend the adapter.", Where(path="$"))) from error


@dataclass(slots=True)
class Normalised:
    """One normalised file as it lies in staging."""

    size_bytes: int = 0
    sha256: str = ""
    lines: int = 0
    records: int = 0
    longest: int = 0
    keys: array[int] = field(default_factory=lambda: array("q"))
    tally: Tally = field(default_factory=Tally)
    findings: Findings = field(default_factory=Findings)
    task_hash: str | None = None


class RecordsFile:
    """A sink that writes a records file, and knows its size and digest.

    Args:
        out: The file.
    """

    def __init__(self, out: EarlySync) -> None:
        self._out = out
        self._digest = hashlib.sha256()
        self._is_wanted = True
        self.size_bytes = 0

    def __call__(self, data: bytes | memoryview) -> None:
        """The lines stand in the file, unless it has been given up."""
        if self._is_wanted:
            self._digest.update(data)
            self._out.write(data)
            self.size_bytes += len(data)

    def give_up(self) -> None:
        """Nothing more is written: the file will not be used."""
        self._is_wanted = False

    @property
    def sha256(self) -> str:
        """The digest of what was written."""
        return self._digest.hexdigest()


def summed(pieces: Iterator[Piece], records: RecordsFile) -> Normalised:
    """What all pieces together say, when the records file holds their lines.

    After the first finding nothing more is written, but every line is still looked at. The task hash is the harness's:
    of every line's document, prompt and target hash, in line order; None where a line has none.
    """
    done, task = Normalised(), hashlib.sha256()
    for piece in pieces:
        done.findings.extend(piece.findings)
        done.tally.add(piece.tally)
        done.lines += piece.lines
        done.records += piece.records
        if done.findings:
            records.give_up()
            continue
        task.update("".join(piece.tally.hashes).encode())
        done.longest = max(done.longest, piece.longest)
        done.keys.extend(piece.keys)
    done.size_bytes, done.sha256 = records.size_bytes, records.sha256
    done.task_hash = task.hexdigest() if done.records and not done.tally.unhashed else None
    return done
