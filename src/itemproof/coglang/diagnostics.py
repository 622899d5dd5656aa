"""What the author of a text should know although it parses, or about why it does not.

A diagnostic never changes a verdict. A strict caller takes those outside of the specification for parse errors.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from itemproof.coglang import flags
from itemproof.coglang.ast import Application
from itemproof.coglang.failure import ParseFailure
from itemproof.coglang.flags import Flag
from itemproof.coglang.lexer import PUNCTUATION, is_unterminated, spans
from itemproof.coglang.parser import can_be_head, unquoted
from itemproof.coglang.reading import Reading
from itemproof.coglang.roles import VALUES, Role, roles
from itemproof.coglang.source import Place, place_of_offset
from itemproof.coglang.vocabulary import COMPOSE, VOCABULARY
from itemproof.coglang.wrapping import wrapping
from itemproof.core.findings import Finding
from itemproof.core.where import Where

__all__ = ["Diagnostic", "diagnose"]

_Found: TypeAlias = "Iterator[tuple[Flag, int]]"

_IDENTIFIER: Final = re.compile(r"[A-Za-z](?:[A-Za-z0-9_]*[A-Za-z0-9])?")
_VARIABLE: Final = re.compile(r"(?:[A-Za-z][A-Za-z0-9_]*)?_")
_LOWER_NAME: Final = re.compile(r"[a-z](?:[A-Za-z0-9_]*[A-Za-z0-9])?")
_NUMBER: Final = re.compile(r"[-.0-9]+")
_NUMBER_LIKE: Final = re.compile(r"[+-]*(?:\d[\d_.]*(?:[eE][+-]?\d*)?|\.\d[\d_]*(?:[eE][+-]?\d*)?|0[xXbBoO]\w*)")
_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f-\x9f]")
_BOOLEANS: Final = frozenset({"True", "False", "true", "false", "null", "None", "none"})


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One kind of thing to know about a text.

    Attributes:
        flag: The kind.
        count: How many tokens show it.
        position: The index of the first of them, from 0.
        place: Where that token begins.
    """

    flag: Flag
    count: int
    position: int
    place: Place

    @property
    def finding(self) -> Finding:
        """The diagnostic for people, with line and column of the first."""
        times = f" ({self.count} times)" if self.count > 1 else ""
        text = f"column {self.place.column}: {self.flag.code.title}{times}. {self.flag.advice}"
        return Finding(self.flag.code, text, Where(line=self.place.line))


def diagnose(reading: Reading) -> list[Diagnostic]:
    """The diagnostics of a text, one of a kind, in the order of the tokens that show them first."""
    found_at = spans(reading.text)
    tokens = [reading.text[start:end] for start, end in found_at]
    positions: dict[Flag, list[int]] = {}
    for flag, at in _all(reading, tokens):
        positions.setdefault(flag, []).append(at)
    found = sorted((min(places), flag.code.id, flag) for flag, places in positions.items())
    return [
        Diagnostic(flag, len(positions[flag]), at, place_of_offset(reading.text, found_at[at][0]))
        for at, _, flag in found
    ]


def _all(reading: Reading, tokens: Sequence[str]) -> _Found:
    if tokens and is_unterminated(tokens[-1]):
        yield flags.UNTERMINATED_STRING, len(tokens) - 1
    for at in range(1, len(tokens)):
        if tokens[at] == "[" and _ends_value(tokens[at - 1]):
            yield flags.NOT_A_HEAD, at
    if isinstance(reading.parsed, ParseFailure):
        yield from wrapping(reading.parsed, tokens)
        return
    if reading.is_failure:
        yield flags.LITERAL_PARSE_ERROR, 0
    parts = roles(tokens)
    yield from _of_tokens(tokens, parts)
    yield from _of_separators(parts)
    yield from _of_keys(tokens, parts)
    yield from _of_heads(reading)


def _ends_value(token: str) -> bool:
    return token not in PUNCTUATION and not can_be_head(token)


def _of_tokens(tokens: Sequence[str], parts: Sequence[Role]) -> _Found:
    if parts[0] in VALUES:
        yield flags.QUOTED_TOP_LEVEL if parts[0] is Role.STRING else flags.BARE_HEAD, 0
    for at, (token, role) in enumerate(zip(tokens, parts, strict=True)):
        if role in _CHECKS and not (role is Role.WORD and at == 0):
            for flag in _CHECKS[role](token):
                yield flag, at
        if not token.isascii() and role not in _QUOTED and any(map(_is_space, token)):
            yield flags.FOREIGN_SPACE, at


def _check_head(token: str) -> Iterator[Flag]:
    if not _IDENTIFIER.fullmatch(token):
        yield flags.ODD_HEAD


def _check_variable(token: str) -> Iterator[Flag]:
    if not _VARIABLE.fullmatch(token):
        yield flags.ODD_VARIABLE


def _check_number(token: str) -> Iterator[Flag]:
    if not _NUMBER.fullmatch(token):
        yield flags.ODD_NUMBER


def _check_word(token: str) -> Iterator[Flag]:
    if token in _BOOLEANS:
        yield flags.BARE_BOOLEAN
    if _NUMBER_LIKE.fullmatch(token):
        yield flags.NUMBER_LIKE_TEXT
    elif not _LOWER_NAME.fullmatch(token):
        yield flags.ODD_WORD


def _check_mark(_: str) -> Iterator[Flag]:
    yield flags.PUNCTUATION_AS_VALUE


def _check_quoted(token: str) -> Iterator[Flag]:
    if _CONTROL.search(token):
        yield flags.CONTROL_CHARACTER


_QUOTED: Final = frozenset({Role.STRING, Role.KEY})
_CHECKS: Final = {
    Role.HEAD: _check_head,
    Role.VARIABLE: _check_variable,
    Role.NUMBER: _check_number,
    Role.WORD: _check_word,
    Role.MARK: _check_mark,
    Role.STRING: _check_quoted,
    Role.KEY: _check_quoted,
}


def _is_space(character: str) -> bool:
    """Whether people see a space, or nothing, where the language sees a part of a word."""
    return unicodedata.category(character) in {"Zs", "Zl", "Zp", "Cf"} or character == "\x85"


def _of_separators(parts: Sequence[Role]) -> _Found:
    for at in range(1, len(parts)):
        before, role = parts[at - 1], parts[at]
        if before in _ENDS and role in _BEGINS:
            yield flags.MISSING_COMMA, at
        if before is Role.COMMA and role in _CLOSES:
            yield flags.TRAILING_COMMA, at - 1


_CLOSES: Final = frozenset({Role.CLOSE, Role.CLOSE_DICT})
_ENDS: Final = VALUES | _CLOSES
_BEGINS: Final = VALUES | {Role.HEAD, Role.OPEN_DICT, Role.KEY}


def _of_keys(tokens: Sequence[str], parts: Sequence[Role]) -> _Found:
    outer: list[set[str]] = []
    for at, role in enumerate(parts):
        if role is Role.OPEN_DICT:
            outer.append(set())
        elif role is Role.CLOSE_DICT:
            outer.pop()
        elif role is Role.KEY:
            key = unquoted(tokens[at])
            if key in outer[-1]:
                yield flags.DUPLICATE_KEY, at
            outer[-1].add(key)


def _of_heads(reading: Reading) -> _Found:
    if reading.survey is None:
        return
    applications = reading.survey.applications
    named = {item.arguments[0] for item in applications if item.head == COMPOSE and _has_name(item)}
    for item in applications:
        if item.head in named and item.head not in VOCABULARY:
            yield flags.COMPOSED_HEAD, item.position


def _has_name(item: Application) -> bool:
    return bool(item.arguments) and isinstance(item.arguments[0], str)
