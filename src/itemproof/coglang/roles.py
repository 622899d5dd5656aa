"""What each token of an expression is there for; the tree no longer tells a comma that was left out, or a bare word."""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum, auto

from itemproof.coglang.ast import Variable
from itemproof.coglang.lexer import PUNCTUATION
from itemproof.coglang.parser import can_be_head, leaf

__all__ = ["VALUES", "Role", "roles"]


class Role(IntEnum):
    """The part a token plays."""

    HEAD = auto()
    OPEN = auto()
    CLOSE = auto()
    OPEN_DICT = auto()
    CLOSE_DICT = auto()
    KEY = auto()
    COLON = auto()
    COMMA = auto()
    STRING = auto()
    WORD = auto()
    NUMBER = auto()
    VARIABLE = auto()
    MARK = auto()  # punctuation that stands where a value is due, and is read as a text


#: The roles of tokens that are a whole value.
VALUES = frozenset({Role.STRING, Role.WORD, Role.NUMBER, Role.VARIABLE, Role.MARK})


class _Due(IntEnum):
    VALUE = auto()
    OPEN = auto()
    ITEM = auto()
    ENTRY = auto()
    COLON = auto()
    SEPARATOR = auto()


_FIXED = {_Due.OPEN: Role.OPEN, _Due.ENTRY: Role.KEY, _Due.COLON: Role.COLON}
_CLOSES = frozenset({Role.CLOSE, Role.CLOSE_DICT})
_THEN = {Role.HEAD: _Due.OPEN, Role.KEY: _Due.COLON, Role.COLON: _Due.VALUE}
_CLOSERS = {Role.OPEN: (Role.CLOSE, "]", _Due.ITEM), Role.OPEN_DICT: (Role.CLOSE_DICT, "}", _Due.ENTRY)}


def roles(tokens: Sequence[str]) -> list[Role]:
    """The role of each token of a text that parses."""
    found: list[Role] = []
    outer: list[Role] = []
    due = _Due.VALUE
    for at, token in enumerate(tokens):
        if due is _Due.SEPARATOR:
            due = _CLOSERS[outer[-1]][2]
            if token == ",":
                found.append(Role.COMMA)
                continue
        role = _role(token, tokens[at + 1 : at + 2] == ["["], due, outer)
        found.append(role)
        if role in _CLOSERS:
            outer.append(role)
            due = _CLOSERS[role][2]
            continue
        if role in _CLOSES:
            outer.pop()
        due = _THEN.get(role, _Due.SEPARATOR)
    return found


def _role(token: str, is_before_bracket: bool, due: _Due, outer: Sequence[Role]) -> Role:
    if due in {_Due.ITEM, _Due.ENTRY}:
        role, closer, _ = _CLOSERS[outer[-1]]
        if token == closer:
            return role
    if due in _FIXED:
        return _FIXED[due]
    if is_before_bracket and can_be_head(token):
        return Role.HEAD
    return _value_role(token)


def _value_role(token: str) -> Role:
    if token == "{":
        return Role.OPEN_DICT
    if token in PUNCTUATION:
        return Role.MARK
    if token[0] == '"':
        return Role.STRING
    value = leaf(token)
    if isinstance(value, Variable):
        return Role.VARIABLE
    return Role.WORD if isinstance(value, str) else Role.NUMBER
