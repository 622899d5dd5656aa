"""Places in a source text: line, column, and the line with a caret under it."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from typing import Final

from itemproof.coglang.lexer import spans

__all__ = ["Place", "excerpt", "place_of_offset", "place_of_token"]

#: How many characters of a long line an excerpt shows on each side of the caret.
_AROUND: Final = 36


@dataclass(frozen=True, slots=True)
class Place:
    """A place in a source text.

    Attributes:
        offset: Characters before it.
        line: From 1; LF ends a line.
        column: From 1, in characters.
    """

    offset: int
    line: int
    column: int


def place_of_offset(text: str, offset: int) -> Place:
    """The place of a character."""
    start = text.rfind("\n", 0, offset) + 1
    return Place(offset, text.count("\n", 0, offset) + 1, offset - start + 1)


def place_of_token(text: str, position: int) -> Place:
    """The place where a token begins; behind the last token for the position that follows it."""
    found = spans(text)
    if position < len(found):
        return place_of_offset(text, found[position][0])
    return place_of_offset(text, found[-1][1] if found else 0)


def excerpt(text: str, place: Place) -> str:
    """Two lines: what stands around the place, and a caret under it.

    Control and format characters and lone surrogates show as escapes, so that nothing can hide or move the caret.
    """
    start = place.offset - place.column + 1
    end = text.find("\n", place.offset)
    line = text[start : end if end >= 0 else len(text)].removesuffix("\r")
    at = place.column - 1
    left, right = max(0, at - _AROUND), at + _AROUND
    before = ("…" if left else "") + _visible(line[left:at])
    after = _visible(line[at:right]) + ("…" if right < len(line) else "")
    return f"{before}{after}\n{' ' * _width(before)}^"


def _visible(text: str) -> str:
    return "".join(_shown(character) for character in text)


def _shown(character: str) -> str:
    if unicodedata.category(character) in {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}:
        return character.encode("unicode_escape").decode("ascii")
    return character


def _width(text: str) -> int:
    """Columns on a terminal: two for wide characters, none for combining ones."""
    return sum(
        0 if unicodedata.combining(character) else 2 if unicodedata.east_asian_width(character) in "WF" else 1
        for character in text
    )
