"""JSON Lines, strictly: one object a line, every fault with its line, line numbers as an editor counts.

A line ends with LF; a CR before it is JSON white space, as is all of a blank line. A block is a stretch of whole lines;
blocks know the number of their first line, so that they can be parsed side by side and in any order.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any, BinaryIO, Final, TypeAlias

from itemproof.core.errors import InvalidInput, invalid
from itemproof.core.findings import Code, Finding, Findings
from itemproof.core.where import Where
from itemproof.files.atomic import disk_faults
from itemproof.files.compression import compression_of, text_blocks
from itemproof.files.exact_json import NOT_JSON, NOT_UTF8
from itemproof.files.strict_json import loads, loads_many

__all__ = [
    "MAX_LINE_BYTES",
    "NO_RECORD",
    "Block",
    "NumberedLine",
    "first_line",
    "is_compressed",
    "parse_batches",
    "parse_block",
    "raw_lines",
    "read_block",
    "read_blocks",
    "read_objects",
]

LINE_TOO_LONG: Final = Code("J010", "a line is longer than the limit")
NO_OBJECT: Final = Code("J011", "a line holds something else than an object")
OTHER_ENCODING: Final = Code("J012", "a file is UTF-16 or UTF-32")
ONE_DOCUMENT: Final = Code("J013", "a file is one JSON document instead of lines")
NO_RECORD: Final = Code("J014", "a file holds no record")
CHANGED: Final = Code("J015", "a file became shorter while it was read")

#: The longest line that is read unless another limit is asked for, its end not counted.
MAX_LINE_BYTES: Final = 256 << 20
#: Small pieces are gathered to this size before they are parsed.
_BLOCK_BYTES: Final = 1 << 20
#: What is parsed and checked in one go: enough to share the cost of the check, and little enough for the caches.
_BATCH_BYTES: Final = 128 << 10
#: Enough of a file's start to see that it is no JSON Lines.
_HEAD_BYTES: Final = 4 << 10
_WHITE: Final = b" \t\r\n"
_BOM: Final = b"\xef\xbb\xbf"
_OTHER_BOMS: Final = (b"\xff\xfe", b"\xfe\xff", b"\0\0\xfe\xff")
_CUT_HINT: Final = " It is the last line and has no line end: the file may have been cut off here."
_ONLY_OBJECTS: Final = {dict}
_KINDS: Final = {list: "a list", str: "a text", bool: "true or false", int: "a number", float: "a number"}

#: A line's number, from 1, blank lines counted; and its object.
NumberedLine: TypeAlias = tuple[int, dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Block:
    """Whole lines of a (decompressed) text; only the text's last line may lack its end.

    Attributes:
        data: The bytes, UTF-8.
        first_line: The number of the first line, from 1; only line 1 may begin with a byte order mark.
    """

    data: bytes
    first_line: int


def is_compressed(path: Path, *, name: str | None = None) -> bool:
    """Whether a file must be decompressed; a file that is no JSON Lines at all is refused before its lines are read.

    Args:
        path: The file to read.
        name: The name it was given by, which decides and stands in the faults; the path's own when None.

    Raises:
        InvalidInput: The content contradicts the name (J020, J021), is UTF-16 or UTF-32 (J012), or one JSON document
            (J013).
        Unavailable: The disk did not give it.
    """
    given = str(path) if name is None else name
    if compression_of(path, name=given) is not None:
        return True
    with disk_faults(path), path.open("rb") as file:
        head = file.read(_HEAD_BYTES)
    if (fault := _other_file(head)) is not None:
        raise invalid(fault.code, fault.text, Where(file=given))
    return False


def read_blocks(path: Path, *, name: str | None = None, max_line_bytes: int = MAX_LINE_BYTES) -> Iterator[Block]:
    """A file's text, plain or decompressed, in blocks in order.

    Args:
        path: The file to read.
        name: As for `is_compressed`.
        max_line_bytes: No more than this is held of a line that does not end; `parse_block` refuses the shorter ones.

    Raises:
        InvalidInput: A line does not end within the limit (J010); as `compression.text_blocks` (J020 to J024).
        Unavailable: The disk did not give it.
    """
    given = str(path) if name is None else name
    number = 1
    parts: list[bytes] = []
    held = tail = 0  # bytes in parts, and of these the ones behind the last line end
    for piece in text_blocks(path, name=given):
        parts.append(piece)
        held += len(piece)
        end = piece.rfind(b"\n") + 1
        tail = len(piece) - end if end else tail + len(piece)
        is_endless = tail > max_line_bytes + 1  # one for a CR
        if tail < held and (held >= _BLOCK_BYTES or is_endless):
            joined = b"".join(parts)
            yield Block(joined[: held - tail], number)
            number += joined.count(b"\n")
            parts, held = [joined[held - tail :]], tail
        if is_endless:
            raise invalid(LINE_TOO_LONG, _too_long(max_line_bytes), Where(file=given, line=number))
    if held:
        yield Block(b"".join(parts), number)


def read_block(file: BinaryIO, offset: int, size_bytes: int, first_line: int) -> Block:
    """The block that lies at a place of a plain file.

    Args:
        file: The open file; its position moves.
        offset: Where a line begins, in bytes.
        size_bytes: Whole lines.
        first_line: The number of the line that begins there.

    Raises:
        InvalidInput: The file has become shorter (J015).
        OSError: The disk did not give it.
    """
    file.seek(offset)
    parts: list[bytes] = []
    missing = size_bytes
    while missing and (part := file.read(missing)):
        parts.append(part)
        missing -= len(part)
    if missing:
        text = f"the file ends {missing:,} bytes before the end of this stretch; something changed it. Try again."
        raise invalid(CHANGED, text, Where(line=first_line))
    return Block(parts[0] if len(parts) == 1 else b"".join(parts), first_line)


def parse_block(
    block: Block, *, findings: Findings, file: str | None = None, max_line_bytes: int = MAX_LINE_BYTES
) -> Iterator[NumberedLine]:
    """As `parse_batches`, line by line."""
    for batch in parse_batches(block, findings=findings, file=file, max_line_bytes=max_line_bytes):
        yield from batch


def parse_batches(
    block: Block, *, findings: Findings, file: str | None = None, max_line_bytes: int = MAX_LINE_BYTES
) -> Iterator[Iterable[NumberedLine]]:
    """The objects of a block's good lines in order, some at a time; the faults of the others go to the findings.

    Args:
        block: Whole lines.
        findings: Grows while the lines are taken; what was given may be kept only if it stays empty to the file's end.
        file: The file, for the faults.
        max_line_bytes: Longer lines are refused.
    """
    reader = _Reader(findings, file, max_line_bytes)
    data, number = block.data, block.first_line
    if number == 1:
        data = data.removeprefix(_BOM)
        if (fault := _other_file(data)) is not None:
            findings.add(fault.at(file=file))
            return
    for texts, batch in _batches(data):
        yield reader.read(texts, batch, number)
        number += len(texts)


def read_objects(
    path: Path, *, name: str | None = None, max_line_bytes: int = MAX_LINE_BYTES
) -> Iterator[NumberedLine]:
    """The objects of a whole file, plain or compressed, in order.

    The faults of all lines are raised together behind the last good line, so that nothing may be kept before the end.

    Args:
        path: The file to read.
        name: As for `is_compressed`.
        max_line_bytes: Longer lines are refused.

    Raises:
        InvalidInput: With every fault by line (J001 to J011), or one of the whole file (J012 to J014, J020 to J024).
        Unavailable: The disk did not give it.
    """
    given = str(path) if name is None else name
    is_compressed(path, name=given)
    findings = Findings()
    is_empty = True
    for block in read_blocks(path, name=given, max_line_bytes=max_line_bytes):
        for line in parse_block(block, findings=findings, file=given, max_line_bytes=max_line_bytes):
            is_empty = False
            yield line
    if findings:
        raise InvalidInput(findings)
    if is_empty:
        raise _no_record(given)


def first_line(path: Path, *, name: str | None = None, max_line_bytes: int = MAX_LINE_BYTES) -> NumberedLine:
    """The first line that holds an object without a fault, and that object.

    Raises:
        InvalidInput: As `read_objects`, when no line is good.
        Unavailable: The disk did not give it.
    """
    given = str(path) if name is None else name
    is_compressed(path, name=given)
    findings = Findings()
    for block in read_blocks(path, name=given, max_line_bytes=max_line_bytes):
        for line in parse_block(block, findings=findings, file=given, max_line_bytes=max_line_bytes):
            return line
    if findings:
        raise InvalidInput(findings)
    raise _no_record(given)


def raw_lines(path: Path) -> Iterator[tuple[int, bytes]]:
    """Every line of a file's text with its number from 1, unparsed and without its LF; blank lines too.

    Raises:
        InvalidInput: The content contradicts the name or is damaged (J020 to J024).
        Unavailable: The disk did not give it.
    """
    for block in read_blocks(path, max_line_bytes=sys.maxsize):
        for number, text in enumerate(BytesIO(block.data), block.first_line):
            yield number, text.removesuffix(b"\n")


class _Reader:
    """Parses batches of lines; faults go to the findings."""

    def __init__(self, findings: Findings, file: str | None, max_line_bytes: int) -> None:
        self._findings = findings
        self._file = file
        self._max_line_bytes = max_line_bytes

    def read(self, texts: list[bytes], batch: bytes, number: int) -> Iterable[NumberedLine]:
        """The objects of a batch, cut behind line ends, whose first line has this number."""
        values = self._together(texts, batch)
        if values is not None:
            return enumerate(values, number)
        lines = [(at, text) for at, text in enumerate(texts, number) if text.strip(_WHITE)]
        values = self._together([text for _, text in lines], batch) if len(lines) < len(texts) else None
        if values is not None:
            return zip([at for at, _ in lines], values, strict=True)
        return self._one_by_one(lines, torn=None if batch.endswith(b"\n") else number + len(texts) - 1)

    def _together(self, texts: list[bytes], batch: bytes) -> list[dict[str, Any]] | None:
        """All values if every line is beyond doubt, else None."""
        if len(batch) > self._max_line_bytes < max(map(len, texts), default=0):
            return None
        values = loads_many(texts, batch)
        return values if values is not None and set(map(type, values)) <= _ONLY_OBJECTS else None

    def _one_by_one(self, lines: Iterable[tuple[int, bytes]], torn: int | None) -> Iterator[NumberedLine]:
        for number, text in lines:
            line = text.removesuffix(b"\n")
            value = self._one(line, Where(file=self._file, line=number), is_torn=number == torn)
            if value is not None:
                yield number, value

    def _one(self, text: bytes, where: Where, *, is_torn: bool) -> dict[str, Any] | None:
        """The object on a line, or None when its faults were added."""
        if len(text.removesuffix(b"\r")) > self._max_line_bytes:
            self._findings.add(Finding(LINE_TOO_LONG, _too_long(self._max_line_bytes), where))
            return None
        try:
            value = loads(text, where)
        except InvalidInput as error:
            self._findings.extend(_with_hint(error.findings) if is_torn else error.findings)
            return None
        if type(value) is dict:
            return value
        found = _KINDS.get(type(value), "null")
        self._findings.add(Finding(NO_OBJECT, f"found {found}, expected one object a line.", where))
        return None


def _batches(data: bytes) -> Iterator[tuple[list[bytes], bytes]]:
    """The lines of some bytes with their ends, some at a time, and the bytes that they were cut from.

    A file in memory finds line ends several times as fast as `split`, which looks at every byte by itself.
    """
    lines = BytesIO(data)
    start = 0
    while texts := lines.readlines(_BATCH_BYTES):
        end = lines.tell()
        yield texts, data[start:end]
        start = end


def _other_file(start: bytes) -> Finding | None:
    """What is no JSON Lines at all by the look of its first bytes is said once, not line by line."""
    if start.startswith(_OTHER_BOMS) or b"\0" in start[:4]:
        return Finding(OTHER_ENCODING, "this is UTF-16 or UTF-32, expected UTF-8; save it as UTF-8.")
    text = start.removeprefix(_BOM).lstrip(b" \t\r\n")
    if text.startswith(b"["):
        advice = "`itemproof convert FILE -o LINES.jsonl` makes lines of it, values unchanged."
        return Finding(ONE_DOCUMENT, f"the file begins a JSON array, expected one object a line; {advice}")
    first, line_end, _ = text.partition(b"\n")
    if line_end and first.strip(_WHITE) == b"{":
        advice = "expected a whole object on each line; write it without line breaks."
        return Finding(ONE_DOCUMENT, f"the file begins an object that goes on over several lines, {advice}")
    return None


def _no_record(file: str) -> InvalidInput:
    return invalid(NO_RECORD, "found no record, expected at least one line with an object.", Where(file=file))


def _too_long(max_line_bytes: int) -> str:
    return f"the line has more than {max_line_bytes:,} bytes; --max-line-bytes sets another limit."


def _with_hint(findings: Findings) -> Findings:
    """The findings of a last line without a line end, which may have been cut."""
    hinted = Findings()
    for finding in findings:
        is_torn = finding.code in (NOT_JSON, NOT_UTF8)
        hinted.add(Finding(finding.code, finding.text + _CUT_HINT, finding.where) if is_torn else finding)
    hinted.count = findings.count
    return hinted
