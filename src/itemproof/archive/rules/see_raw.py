"""The lines of a raw file: how many, which are blank, and which have a record. One byte a line that is not blank."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

__all__ = ["RawLines", "whole_lines"]

_BOM: Final = b"\xef\xbb\xbf"
#: JSON's white space.
_BLANK_BYTES: Final = b" \t\r\n"
_LINE_FEED: Final = 10
#: What is cut off a text at a time, so that what is counted in it stays small; a longer line is never cut.
_BATCH_BYTES: Final = 1 << 20

#: For each value of a byte whether it is white.
_IS_WHITE: Final = np.zeros(256, dtype=np.bool_)
_IS_WHITE[list(_BLANK_BYTES)] = True


def whole_lines(text: bytes) -> Iterator[bytes]:
    """Some whole lines in batches of whole lines."""
    start = 0
    while start < len(text):
        end = text.rfind(b"\n", start, start + _BATCH_BYTES) + 1 or text.find(b"\n", start) + 1 or len(text)
        yield text[start:end]
        start = end


class RawLines:
    """What is known about each line.

    Lines that are not blank are kept in runs: a compressed file may hold a thousand times more blank lines than bytes.

    Attributes:
        is_complete: Whether the file was read to its end.
    """

    def __init__(self) -> None:
        self.is_complete = False
        self._count = 0
        self._recorded = bytearray()  # of each line that is not blank
        self._firsts = array("q")  # each run's first line, from 0
        self._places = array("q")  # its place among the lines that are not blank
        self._ends_in_run = False

    def __len__(self) -> int:
        return self._count

    def take(self, batches: Iterable[bytes]) -> None:
        """The file has these lines, each with its end; the last may have none. No batch is empty."""
        for batch in batches:
            text = batch if self._count else batch.removeprefix(_BOM) or b"\n"  # a mark alone is a blank line
            self._add(text)
        self.is_complete = True

    def _add(self, text: bytes) -> None:
        if text.lstrip(_BLANK_BYTES):
            self._add_mixed(text)
        else:  # most often nothing but line ends, of which a small file may hold very many
            self._count += text.count(b"\n") + (not text.endswith(b"\n"))
            self._ends_in_run = False

    def _add_mixed(self, text: bytes) -> None:
        data = np.frombuffer(text, dtype=np.uint8)
        ends = np.flatnonzero(data == _LINE_FEED)
        if not text.endswith(b"\n"):
            ends = np.append(ends, len(text) - 1)
        starts = np.concatenate(([0], ends[:-1] + 1))
        is_blank = _IS_WHITE[data[starts]]
        if is_blank.any():
            is_blank = np.logical_and.reduceat(_IS_WHITE[data], starts)
        is_begun = ~is_blank
        is_begun[1:] &= is_blank[:-1]
        is_begun[0] &= not self._ends_in_run
        runs, filled = np.flatnonzero(is_begun), ~is_blank
        self._firsts.frombytes((runs + self._count).tobytes())
        self._places.frombytes((np.cumsum(filled)[runs] - 1 + len(self._recorded)).tobytes())
        self._recorded += bytes(int(np.count_nonzero(filled)))
        self._count += len(starts)
        self._ends_in_run = not is_blank[-1]

    def recorded(self, lines: Sequence[int]) -> Iterable[int]:
        """These lines have records; returns the positions in `lines` of those that are blank or do not exist.

        A line of 0 stands for none.
        """
        try:
            numbers = np.array(lines, dtype=np.int64)
        except OverflowError:
            numbers = np.array([min(line, self._count + 1) for line in lines], dtype=np.int64)
        places, is_there = self._find(numbers - 1)
        self._view()[places[is_there]] = True
        faulty: list[int] = np.flatnonzero((numbers > 0) & ~is_there).tolist()
        return faulty

    def _find(self, lines: npt.NDArray[np.int64]) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.bool_]]:
        """The places of some lines, counted from 0, among those that are not blank; and whether they are there."""
        if not self._firsts:
            return lines, np.zeros(len(lines), dtype=np.bool_)
        firsts, begins = np.frombuffer(self._firsts, dtype=np.int64), np.frombuffer(self._places, dtype=np.int64)
        runs = np.maximum(np.searchsorted(firsts, lines, side="right") - 1, 0)
        places = lines - firsts[runs] + begins[runs]
        ends = np.append(begins[1:], len(self._recorded))[runs]
        return places, (places >= begins[runs]) & (places < ends)

    def lost(self) -> Iterable[int]:
        """The numbers of the lines that are not blank and have no record."""
        places = np.flatnonzero(self._view() == 0)
        begins, firsts = np.frombuffer(self._places, dtype=np.int64), np.frombuffer(self._firsts, dtype=np.int64)
        runs = np.searchsorted(begins, places, side="right") - 1
        return (int(line) + 1 for line in places - begins[runs] + firsts[runs])

    def _view(self) -> npt.NDArray[np.uint8]:
        return np.frombuffer(self._recorded, dtype=np.uint8)
