"""Cells and rows of a CSV file that may meet a spreadsheet: exact numbers, no formulas, quoting after RFC 4180."""

from __future__ import annotations

import csv
import re
from codecs import BOM_UTF8
from collections.abc import Sequence
from typing import BinaryIO, Final

import msgspec

__all__ = ["CELL_LIMIT", "CsvWriter", "json_cell", "text_cell"]

#: The longest text that a spreadsheet keeps in one cell, in UTF-16 units.
CELL_LIMIT: Final = 32_767

_FORMULA = ("=", "+", "-", "@", "\t", "\r")
_NUMBER = re.compile(r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?")
_QUOTE: Final = ord('"')

_decode_text = msgspec.json.Decoder(str).decode


def text_cell(text: str) -> str:
    """The text, with an apostrophe before it where a spreadsheet would take it for a formula.

    A text that is a number from its first to its last character is no formula and stays as it is.
    """
    if text.startswith(_FORMULA) and not _NUMBER.fullmatch(text):
        return f"'{text}"
    return text


def json_cell(value: bytes | memoryview) -> str:
    """The cell of one JSON value, given as the compact JSON text that stands for it in UTF-8.

    Null is blank, a text stands for itself (see `text_cell`), and everything else keeps its JSON text to the letter, so
    that no digit of a number is lost.

    Raises:
        ValueError: The value begins as a text and is none, or is no UTF-8.
    """
    if value[0] == _QUOTE:
        return text_cell(_decode_text(value))
    text = str(value, "utf-8")
    return "" if text == "null" else text


class CsvWriter:
    """Writes rows that end in CR LF, in UTF-8, and counts the cells that a spreadsheet would cut.

    Args:
        out: Receives the bytes.
        byte_order_mark: Whether a mark at the beginning tells Excel that this is UTF-8.
    """

    def __init__(self, out: BinaryIO, *, byte_order_mark: bool = False) -> None:
        self._out = out
        self._row = csv.writer(self, lineterminator="\r\n").writerow
        #: Cells beyond `CELL_LIMIT` so far.
        self.long_cells = 0
        if byte_order_mark:
            out.write(BOM_UTF8)

    def row(self, cells: Sequence[str]) -> None:
        """Writes one row; the cells must be ready (see `text_cell` and `json_cell`)."""
        if max(map(len, cells), default=0) > CELL_LIMIT // 2:  # no character takes more than two units
            self.long_cells += sum(map(_is_long, cells))
        self._row(cells)

    def write(self, text: str) -> int:
        """Takes a finished line from the `csv` module."""
        return self._out.write(text.encode("utf-8"))


def _is_long(cell: str) -> bool:
    return len(cell.encode("utf-16-le")) // 2 > CELL_LIMIT
