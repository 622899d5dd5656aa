"""Raw lines to record lines, stretch by stretch: in this process, or in forked workers with the same bytes out."""

from __future__ import annotations

import hashlib
from array import array
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import BinaryIO, Final

import msgspec
import numpy as np

from itemproof.adapters.base import Adapter, FileContext, LineRefused, Normaliser, Tally
from itemproof.archive.raw import Stretch
from itemproof.core.findings import Code, Finding, Findings
from itemproof.core.where import Where
from itemproof.files.early_sync import EarlySync
from itemproof.files.jsonl import Block, parse_batches, read_block
from itemproof.files.strict_json import dumps, dumps_line
from itemproof.records.record import Record, RecordDict

__all__ = ["Normalised", "Piece", "Work", "key_hash", "normalise_block", "normalise_stretch", "write_pieces"]

BAD_RECORD: Final = Code("R007", "an adapter gave a record that breaks the schema")


_LINE_FEED: Final = 10


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


@dataclass(slots=True)
class Piece:
    """The record lines of one stretch, and what is known about them.

    Attributes:
        data: The lines, in order.
        keys: The hash of each record's key, in order.
        lines: How many lines, blank ones included.
        records: How many records.
        longest: The longest record line in bytes.
        tally: What the adapter counted.
        findings: What was refused; then `data` is of no use.
    """

    data: bytes | memoryview = b""
    keys: array[int] = field(default_factory=lambda: array("q"))
    lines: int = 0
    records: int = 0
    longest: int = 0
    tally: Tally = field(default_factory=Tally)
    findings: Findings = field(default_factory=Findings)


def key_hash(record: RecordDict) -> int:
    """64 bits of a record's key: equal keys give equal hashes within one process and its forks."""
    return hash(
        (
            record["benchmark"],
            record["language"],
            record["script"],
            record["question_id"],
            record["variant_id"],
            record["filter"],
            record["repeat_id"],
        )
    )


def normalise_stretch(work: Work, normaliser: Normaliser, stretch: Stretch, raw: BinaryIO) -> Piece:
    """The piece of one stretch of a plain file."""
    block = read_block(raw, stretch.offset, stretch.size_bytes, stretch.first_line)
    return normalise_block(work, normaliser, block, lines=stretch.lines)


def normalise_block(work: Work, normaliser: Normaliser, block: Block, *, lines: int | None = None) -> Piece:
    """The piece of a block; `lines` is how many it has, if that is known.

    The adapter may fill the same objects again for the next line, so each record is written before that.
    """
    piece = Piece(lines=line_count(block.data) if lines is None else lines)
    out: list[bytes] = []
    append, key, write, records_of = out.append, piece.keys.append, dumps_line, normaliser.records
    check = _check if work.check else None
    batches = parse_batches(block, findings=piece.findings, file=work.shown, max_line_bytes=work.max_line_bytes)
    for number, line in chain.from_iterable(batches):
        try:
            for record in records_of(line, number):
                if check is not None:
                    check(record)
                append(write(record))
                key(key_hash(record))
        except LineRefused as refused:
            for finding in refused.findings:
                piece.findings.add(finding.at(file=work.shown, line=number))
    piece.tally = normaliser.take()
    piece.records = len(out)
    piece.longest = max(map(len, out), default=0)
    piece.data = b"".join(out)
    return piece


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


def write_pieces(pieces: Iterator[Piece], out: EarlySync) -> Normalised:
    """The pieces stand one after the other in `out`, and the sum of all they say is returned.

    After the first finding nothing more is written, but every line is still looked at. The task hash is the harness's:
    of every line's document, prompt and target hash, in line order; None where a line has none.
    """
    done = Normalised()
    records, task = hashlib.sha256(), hashlib.sha256()
    for piece in pieces:
        done.findings.extend(piece.findings)
        done.tally.add(piece.tally)
        done.lines += piece.lines
        done.records += piece.records
        if done.findings:
            continue
        task.update("".join(piece.tally.hashes).encode())
        records.update(piece.data)
        out.write(piece.data)
        done.size_bytes += len(piece.data)
        done.longest = max(done.longest, piece.longest)
        done.keys.extend(piece.keys)
    done.sha256 = records.hexdigest()
    done.task_hash = task.hexdigest() if done.records and not done.tally.unhashed else None
    return done
