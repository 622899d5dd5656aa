"""JSON Lines of a file that holds one JSON array: an element a line, digits and escapes as they were written.

The text is cut into elements by its quotes, brackets and commas alone, block by block, so that no more than an element
is held. Each element is then read strictly: where a faulty text was cut in the wrong place, that shows as a fault.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Final, NoReturn

from itemproof.core.errors import InvalidInput, invalid
from itemproof.core.findings import Code, Finding, Findings
from itemproof.core.where import Where
from itemproof.files.atomic import disk_faults, new_file
from itemproof.files.compression import text_blocks
from itemproof.files.exact_json import NOT_JSON
from itemproof.files.jsonl import LINE_TOO_LONG, MAX_LINE_BYTES, NO_OBJECT, NO_RECORD, ONE_DOCUMENT, first_line
from itemproof.files.paths import utf8_text
from itemproof.files.strict_json import loads

__all__ = ["convert"]

NO_ARRAY: Final = Code("J030", "a file to convert is no JSON array")
WRITE_OUT: Final = Code("J031", "a file to convert is a log of lm-evaluation-harness 0.3")
NOT_CLOSED: Final = Code("J032", "a JSON array is not closed")
BEHIND_ARRAY: Final = Code("J033", "something stands behind the JSON array")
NO_OBJECT_WITHIN: Final = Code("J034", "an element of a JSON array is no object")
COMPRESSED_NAME: Final = Code("J035", "plain lines would get the name of a compressed file")
NO_FILE: Final = Code("J036", "what is to be converted is no file")

_WHITE: Final = b" \t\r\n"
_BOM: Final = b"\xef\xbb\xbf"
#: Enough of a text to see that it is not UTF-8.
_START_BYTES: Final = 4
#: What each element of a 0.3 log has.
_WRITE_OUT_KEYS: Final = frozenset({"prompt_0", "logit_0"})
_OUTCOME: Final = "Nothing was written."

_QUOTE: Final = ord('"')
_COMMA: Final = 2
_MARKS: Final = {ord("["): 1, ord("{"): 1, ord("]"): 255, ord("}"): 255, ord(","): _COMMA}
#: For each byte how much deeper it leads, as a signed byte; a comma has a mark that no bracket has.
_STEPS: Final = bytes(_MARKS.get(byte, 0) for byte in range(256))


def convert(
    source: Path,
    destination: Path,
    *,
    name: str | None = None,
    max_line_bytes: int = MAX_LINE_BYTES,
    progress: Callable[[int], None] = lambda _: None,
) -> int:
    """The destination holds a line for each element of the source's array, in order; their number is returned.

    Every element is an object and keeps its bytes but for the white space between its parts: keys in their order,
    digits and escapes as they were. On any fault there is no destination.

    Args:
        source: UTF-8, plain or compressed, with one JSON array and nothing else.
        destination: A new file; it is not compressed.
        name: The name the source was given by, which decides how it is read and stands in the faults; the path's own
            when None.
        max_line_bytes: An element that is longer, with the white space in and around it, ends the reading.
        progress: Told how many bytes of the destination more are written.

    Raises:
        InvalidInput: With every fault of the elements, by the line of the source where the element begins and by JSON
            path (J001 to J008, J034), and the fault of the array that ends the reading (J010, J014, J032, J033); or
            one of the whole file (J012, J020 to J024, J030, J031). The destination has the name of a compressed file
            (J035) or no folder (D007), or the source is a folder, pipe or device (J036), which is not opened.
        Refused: The destination exists (D005).
        Unavailable: The disk refused; nothing is left.
    """
    _refuse_compressed_name(destination)
    given = str(source) if name is None else name
    _refuse_no_file(source, given)
    blocks = text_blocks(source, name=given)
    head = _head(blocks)
    start = _from_first_sign(head)
    if not start.startswith(b"[") or b"\0" in head[:_START_BYTES]:
        _refuse_other(source, given, max_line_bytes)
    array = _Array(given, max_line_bytes, line=1 + head.count(b"\n", 0, len(head) - len(start)))
    lines = 0
    with new_file(destination) as file:
        for line in array.lines(_stretches(start[1:], blocks)):
            file.write(line + b"\n")
            lines += 1
            progress(len(line) + 1)
        if array.findings:
            raise InvalidInput(array.findings, _OUTCOME)
    return lines


def _refuse_compressed_name(destination: Path) -> None:
    if destination.suffix.lower() in {".gz", ".zst"}:
        text = "the lines are written plain, but this name says compressed; leave its last suffix out."
        raise invalid(COMPRESSED_NAME, text, Where(file=utf8_text(str(destination))), outcome=_OUTCOME)


def _refuse_no_file(source: Path, given: str) -> None:
    with disk_faults(source):
        if source.exists() and not source.is_file():
            text = "this is a folder, a pipe or a device; save what it holds in a file, and convert that."
            raise invalid(NO_FILE, text, Where(file=utf8_text(given)), outcome=_OUTCOME)


def _head(blocks: Iterator[bytes]) -> bytes:
    """The first blocks, with enough of the text behind its blanks to tell what it is."""
    head = b""
    for block in blocks:
        head += block
        if len(_from_first_sign(head)) >= _START_BYTES:
            break
    return head


def _from_first_sign(head: bytes) -> bytes:
    return head.removeprefix(_BOM).lstrip(_WHITE)


def _refuse_other(source: Path, given: str, max_line_bytes: int) -> NoReturn:
    """Says what a file is that begins no array."""
    where = Where(file=given)
    try:
        first_line(source, name=given, max_line_bytes=max_line_bytes)
    except InvalidInput as error:
        if error.code not in (NOT_JSON, NO_OBJECT, ONE_DOCUMENT):
            raise
        text = "the file begins neither with [ nor with a line that holds an object; one JSON array is due here."
        raise invalid(NO_ARRAY, text, where, outcome=_OUTCOME) from None
    text = "this is no array but JSON Lines already: its first line holds an object. Import it as it is."
    raise invalid(NO_ARRAY, text, where, outcome=_OUTCOME)


class _Scan:
    """Finds where the elements of an array end; it begins behind the opening bracket.

    From block to block it keeps how deep the text is, whether inside a string, and whether behind a backslash.
    """

    def __init__(self) -> None:
        self._depth = 1
        self._is_inside = False
        self._is_escaped = False

    def ends(self, block: bytes) -> list[int]:
        """Where in the next block a comma or the closing bracket ends an element; behind that bracket of no meaning.

        Args:
            block: At least one byte.
        """
        import numpy as np

        bare = self._without_escapes(block)
        quotes = np.cumsum(np.frombuffer(bare, np.uint8) == _QUOTE, dtype=np.uint8)
        inside = quotes % 2 != self._is_inside
        steps = np.frombuffer(bare.translate(_STEPS), np.int8)
        at = np.flatnonzero((steps != 0) & ~inside)
        is_comma = steps[at] == _COMMA
        depths = self._depth + np.cumsum(np.where(is_comma, 0, steps[at]), dtype=np.int64)
        self._is_inside = bool(inside[-1])
        self._depth = int(depths[-1]) if at.size else self._depth
        ends: list[int] = at[depths == np.where(is_comma, 1, 0)].tolist()
        return ends

    def _without_escapes(self, block: bytes) -> bytes:
        """As many bytes, in which every quote begins or ends a string."""
        bare = b"_" + block[1:] if self._is_escaped else block
        if b"\\" in bare:
            bare = bare.replace(rb"\\", b"__").replace(rb"\"", b"__")
        self._is_escaped = bare.endswith(b"\\")
        return bare


def _stretches(start: bytes, blocks: Iterator[bytes]) -> Iterator[tuple[bytes, bytes]]:
    """The text in parts, each with the comma or bracket behind it that ends an element, or none where a block ends."""
    scan = _Scan()
    for block in filter(None, chain([start], blocks)):
        at = 0
        for end in scan.ends(block):
            yield block[at:end], block[end : end + 1]
            at = end + 1
        yield block[at:], b""


class _Array:
    """Makes lines of an array's elements.

    Attributes:
        findings: The faults so far; once there is one, no more lines are made.
    """

    def __init__(self, file: str, max_line_bytes: int, *, line: int) -> None:
        self.findings = Findings()
        self._file = file
        self._max_line_bytes = max_line_bytes
        self._line = line
        self._index = 0

    def lines(self, stretches: Iterator[tuple[bytes, bytes]]) -> Iterator[bytes]:
        """The lines of the elements without their ends; at their end the text was read to its own, or to a fault.

        Raises:
            InvalidInput: The array is a log of another kind (J031).
        """
        parts: list[bytes] = []
        held = 0
        for stretch, mark in stretches:
            parts.append(stretch)
            held += len(stretch)
            if held > self._max_line_bytes:
                self._add(LINE_TOO_LONG, _too_long(self._max_line_bytes), self._place(b"".join(parts)))
                return
            if not mark:
                continue
            element, parts, held = b"".join(parts), [], 0
            is_last = mark != b","
            if is_last and not self._index and not element.strip(_WHITE):
                self._add(NO_RECORD, "the array is empty, expected at least one object.", Where(file=self._file))
            elif (line := self._line_of(element)) is not None:
                yield line
            if is_last:
                self._refuse_end(mark, stretches)
                return
        self._refuse_cut(b"".join(parts))

    def _line_of(self, element: bytes) -> bytes | None:
        """The next element's line; None when it or one before it is at fault."""
        where = self._place(element)
        self._line += element.count(b"\n")
        self._index += 1
        text = element.strip(_WHITE)
        try:
            value = loads(text, Where(file=where.file, line=where.line))
        except InvalidInput as error:
            self.findings.extend(_within(where, error.findings))
            return None
        if type(value) is not dict:
            shown = _compact(text)[:20].decode("utf-8", "replace")
            self._add(NO_OBJECT_WITHIN, f"found {shown}, expected an object, as a line must hold one.", where)
        elif value.keys() >= _WRITE_OUT_KEYS:
            raise _write_out(self._file)
        return None if self.findings else _compact(text)

    def _refuse_end(self, mark: bytes, stretches: Iterator[tuple[bytes, bytes]]) -> None:
        """Nothing but one square bracket may end the array, and nothing but white space follow."""
        if mark != b"]":
            text = "found } where ] or a comma is due; a bracket is missing or too many in this array."
            self._add(NOT_CLOSED, text, Where(file=self._file, line=self._line))
            return
        for stretch, _ in stretches:
            if stretch.strip(_WHITE):
                text = "found more behind the end of the array, expected nothing; give each array a file of its own."
                self._add(BEHIND_ARRAY, text, replace(self._place(stretch), path=None))
                return
            self._line += stretch.count(b"\n")

    def _refuse_cut(self, rest: bytes) -> None:
        where = self._place(rest)
        if rest.strip(_WHITE):
            self._line_of(rest)  # for its faults, of which one may have hidden the array's end
        text = "the file ends before its array does: it was cut off, or a quote or bracket is missing from here on."
        self._add(NOT_CLOSED, f"{text} Fetch it again, or mend it.", where)

    def _place(self, element: bytes) -> Where:
        """Where the next element begins, or where the text ends when there is nothing of it."""
        blank = len(element) - len(element.lstrip(_WHITE))
        return Where(file=self._file, line=self._line + element.count(b"\n", 0, blank), path=f"$[{self._index}]")

    def _add(self, code: Code, text: str, where: Where) -> None:
        self.findings.add(Finding(code, text, where))


def _within(where: Where, findings: Findings) -> Findings:
    """The findings of one element, their paths within the array."""
    placed = Findings()
    for found in findings:
        path = f"{where.path}{(found.where.path or '$')[1:]}"
        placed.add(replace(found, where=replace(where, path=path)))
    placed.count = findings.count
    return placed


def _compact(text: bytes) -> bytes:
    """The JSON text without the white space between its parts."""
    # No JSON holds the bytes 0 and 1: meanwhile they stand for what would hide where strings end.
    pieces = text.replace(rb"\\", b"\0").replace(rb"\"", b"\1").split(b'"')
    pieces[::2] = [piece.translate(None, _WHITE) for piece in pieces[::2]]
    return b'"'.join(pieces).replace(b"\1", rb"\"").replace(b"\0", rb"\\")


def _too_long(max_line_bytes: int) -> str:
    return f"the element has more than {max_line_bytes:,} bytes; shorten it, or allow longer lines."


def _write_out(file: str) -> InvalidInput:
    text = (
        "this is what lm-eval 0.3 wrote with --write_out: its elements have no documents, so that no import could read"
        " their lines. Evaluate again with lm-eval 0.4.3 or newer and --log_samples."
    )
    return invalid(WRITE_OUT, text, Where(file=file), outcome=_OUTCOME)
