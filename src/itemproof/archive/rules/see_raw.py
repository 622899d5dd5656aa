"""The lines of a raw file: how many, which are blank, and which have a record. One byte a line."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

__all__ = ["RawLines"]

_BOM: Final = b"\xef\xbb\xbf"
#: JSON's white space.
_BLANK_BYTES: Final = b" \t\r\n"
_UNRECORDED, _BLANK, _RECORDED = range(3)


class RawLines:
    """What is known about each line.

    Attributes:
        is_complete: Whether the file was read to its end.
    """

    def __init__(self) -> None:
        self.is_complete = False
        self._states = bytearray()

    def __len__(self) -> int:
        return len(self._states)

    def take(self, batches: Iterable[Sequence[bytes]]) -> None:
        """The file has these lines, each with its end; the last may have none."""
        for lines in batches:
            self._add(lines)
        self.is_complete = True

    def _add(self, lines: Sequence[bytes]) -> None:
        before = len(self._states)
        self._states += bytes(len(lines))
        for at, line in enumerate(lines):
            if line[0] in _BLANK_BYTES and not line.strip(_BLANK_BYTES):
                self._states[before + at] = _BLANK
        if not before and lines[0].startswith(_BOM) and not lines[0][len(_BOM) :].strip(_BLANK_BYTES):
            self._states[0] = _BLANK

    def recorded(self, lines: Sequence[int]) -> Iterable[int]:
        """These lines have records; returns the positions in `lines` of those that are blank or do not exist.

        A line of 0 stands for none.
        """
        count = len(self._states)
        try:
            numbers = np.array(lines, dtype=np.int64)
        except OverflowError:
            numbers = np.array([min(line, count + 1) for line in lines], dtype=np.int64)
        there = (numbers > 0) & (numbers <= count)
        states = self._view()
        places = np.where(there, numbers - 1, 0)
        blank = there & (states[places] == _BLANK) if count else there
        states[places[there & ~blank]] = _RECORDED
        faulty: list[int] = np.flatnonzero((numbers > count) | blank).tolist()
        return faulty

    def lost(self) -> Iterable[int]:
        """The numbers of the lines that are not blank and have no record."""
        return (int(at) + 1 for at in np.flatnonzero(self._view() == _UNRECORDED))

    def _view(self) -> npt.NDArray[np.uint8]:
        return np.frombuffer(self._states, dtype=np.uint8)
