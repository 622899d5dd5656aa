"""JSON Lines as they stream, a few at a time, with a second look at lines that only one fault stops."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final

import msgspec

from itemproof.core.findings import Finding, Findings
from itemproof.files.jsonl import MAX_LINE_BYTES, Block, NumberedLine, parse_block
from itemproof.generation.halves import Forgive, never

__all__ = ["Reading", "objects"]

#: What is parsed in one go, so little that the strict reader counts without numpy (as in `document`).
_PIECE_BYTES: Final = 12 << 10


class Reading(msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """How lines are read.

    Attributes:
        findings: Gets the faults.
        file: The file, for the faults.
        forgive: Asked about each faulty line.
        max_line_bytes: Longer lines are refused.
    """

    findings: Findings
    file: str
    forgive: Forgive = never
    max_line_bytes: int = MAX_LINE_BYTES


def objects(blocks: Iterable[Block], reading: Reading) -> Iterator[NumberedLine]:
    """The number and object of each sound line; in order but for those that were forgiven, which follow their piece."""
    for block in blocks:
        for piece in _pieces(block):
            yield from _objects(piece, reading)


def _pieces(block: Block) -> Iterator[Block]:
    data, number, start = block.data, block.first_line, 0
    while start < len(data):
        end = data.rfind(b"\n", start, start + _PIECE_BYTES) + 1 or data.find(b"\n", start) + 1 or len(data)
        piece = data[start:end]
        yield Block(piece, number)
        number += piece.count(b"\n")
        start = end


def _objects(piece: Block, reading: Reading) -> Iterator[NumberedLine]:
    found = Findings(limit=None)
    yield from parse_block(piece, findings=found, file=reading.file, max_line_bytes=reading.max_line_bytes)
    if not found:
        return
    by_line: dict[int | None, list[Finding]] = {}
    for finding in found:
        by_line.setdefault(finding.where.line, []).append(finding)
    texts = piece.data.split(b"\n")
    for number, faults in by_line.items():
        value = None if number is None else _forgiven(texts[number - piece.first_line], faults, reading.forgive)
        if number is not None and value is not None:
            yield number, value
            continue
        for fault in faults:
            reading.findings.add(fault)


def _forgiven(text: bytes, faults: list[Finding], forgive: Forgive) -> Any | None:
    return forgive(text, Findings(kept=faults, count=len(faults)))
