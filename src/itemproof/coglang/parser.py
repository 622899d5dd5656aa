"""Tokens to a tree, on an explicit stack: no input raises, and the depth limit is the same on every Python."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Final, TypeAlias

from itemproof.coglang.ast import WILDCARD, Application, Value, Variable
from itemproof.coglang.failure import (
    BAD_KEY,
    EMPTY_INPUT,
    NESTING_TOO_DEEP,
    NO_COLON,
    NOT_AN_EXPRESSION,
    TRAILING_TOKENS,
    UNCLOSED_BRACKET,
    UNCLOSED_DICT,
    UNEXPECTED_END,
    ParseFailure,
    Reason,
)
from itemproof.coglang.lexer import tokenize

__all__ = ["MAX_DIGITS", "MAX_NESTING", "can_be_head", "leaf", "parse", "unquoted"]

#: How many applications and dicts may be open at once.
MAX_NESTING: Final = 1000

#: An integer with more digits than this is read as text, whatever the interpreter's own limit is.
MAX_DIGITS: Final = 4300

#: Up to this many characters every interpreter converts an integer, whatever its limit is set to.
_ALWAYS_CONVERTED: Final = 640

_END: Final = ""  # stands behind the last token; no token is empty
_NUMBER: Final = re.compile(r"-?(?:\d+\.?\d*|\.\d+)")
_ESCAPED: Final = re.compile(r'\\(["\\])')

#: A container whose contents are being read: head and position of an application, values, and the keys of a dict.
_Open: TypeAlias = "tuple[str, int, list[Value], list[str] | None]"


class _Stop(Exception):
    """Ends the reading; it never leaves this module."""

    def __init__(self, reason: Reason, position: int, partial: Application | None = None) -> None:
        super().__init__(reason, position, partial)
        self.reason = reason
        self.position = position
        self.partial = partial


def parse(text: str) -> Application | ParseFailure:
    """The expression that the text is, or why it is none. Nothing is trimmed or repaired, and nothing raises.

    An expression is one application, or a word or string that begins with an upper-case letter, which stands for the
    application of that head to nothing.
    """
    tokens = tokenize(text)
    if not tokens:
        return ParseFailure(EMPTY_INPUT, EMPTY_INPUT.text, 0, text)
    tokens.append(_END)
    try:
        value, at = _read(tokens)
        return _expression(value, tokens, at)
    except _Stop as stop:
        reason = stop.reason.text.format(repr(tokens[stop.position])) if stop.reason is BAD_KEY else stop.reason.text
        return ParseFailure(stop.reason, reason, stop.position, text, stop.partial)


def _expression(value: Value, tokens: list[str], at: int) -> Application:
    application = value if isinstance(value, Application) else None
    if tokens[at] != _END:
        raise _Stop(TRAILING_TOKENS, at, application)
    if application is not None:
        return application
    if isinstance(value, str) and value[:1].isupper():
        return Application(value)
    raise _Stop(NOT_AN_EXPRESSION, 0)


def _read(tokens: list[str]) -> tuple[Value, int]:
    """The value at the first token, and the index behind it."""
    outer: list[_Open] = []
    # Of the innermost open container; the outermost, which no token opens, holds the one value alone.
    head, start = "", 0
    values: list[Value] = []
    keys: list[str] | None = None
    at = 0
    while True:
        token = tokens[at]
        if tokens[at + 1] == "[" and can_be_head(token):
            outer.append((head, start, values, keys))
            head, start, values, keys = token, at, [], None
            at += 2
        elif token == "{":
            outer.append((head, start, values, keys))
            start, values, keys = at, [], []
            at += 1
        else:
            values.append(leaf(token))
            at += 1
            if outer and tokens[at] == ",":
                at += 1
        if len(outer) > MAX_NESTING:
            raise _Stop(NESTING_TOO_DEEP, start)
        while outer and tokens[at] == ("]" if keys is None else "}"):
            closed: Value = (
                Application(head, tuple(values), start) if keys is None else dict(zip(keys, values, strict=True))
            )
            head, start, values, keys = outer.pop()
            values.append(closed)
            at += 1
            if outer and tokens[at] == ",":
                at += 1
        if not outer:
            return values[0], at
        if keys is not None:
            keys.append(_key(tokens, at))
            at += 2
        elif not tokens[at]:
            raise _Stop(UNCLOSED_BRACKET, at, Application(head, tuple(values), start))


def _key(tokens: list[str], at: int) -> str:
    """The key at a dict entry's first token; the entry's value may follow two tokens later."""
    token = tokens[at]
    if token == _END:
        raise _Stop(UNCLOSED_DICT, at)
    if token[0] != '"':
        raise _Stop(BAD_KEY, at)
    if tokens[at + 1] != ":":
        raise _Stop(NO_COLON, at + 1)
    if tokens[at + 2] == _END:
        raise _Stop(UNEXPECTED_END, at + 2)
    return unquoted(token)


def can_be_head(token: str) -> bool:
    """Whether a token in front of a bracket is a head: no string, dict, variable or number."""
    first = token[0]
    if first in '"{' or token[-1] == "_":
        return False
    return "A" <= first <= "z" or _number(token) is None


def leaf(token: str) -> Variable | str | int | float:
    """The value that a token is by itself; punctuation, too, is a text where a value is due."""
    first = token[0]
    if first == '"':
        return unquoted(token)
    if token[-1] == "_":
        return WILDCARD if token == "_" else Variable(token[:-1])
    if "A" <= first <= "z":
        return token
    number = _number(token)
    return token if number is None else number


def unquoted(token: str) -> str:
    """The text of a string: without its first and last character, which is lost if the string was never closed."""
    body = token[1:-1]
    return _ESCAPED.sub(r"\1", body) if "\\" in body else body


def _number(token: str) -> int | float | None:
    if not _NUMBER.fullmatch(token):
        return None
    if "." in token:
        return float(token)
    if len(token) <= _ALWAYS_CONVERTED:
        return int(token)
    return int(Decimal(token)) if len(token.removeprefix("-")) <= MAX_DIGITS else None
