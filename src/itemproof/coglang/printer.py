r"""A tree to its one canonical text, and that text's digest.

The text reads back as the same tree, but for floats that are written with an exponent or as `inf` (they read back as
texts) and for heads that no token can be. It agrees with the language's reference tool byte for byte, but for `"` and
`\` in dict keys, which are escaped here as in any other text.
"""

from __future__ import annotations

from decimal import Decimal
from typing import Final

from itemproof.coglang.ast import Application, Value, Variable
from itemproof.coglang.failure import ParseFailure
from itemproof.core.digest import sha256_of

__all__ = ["Verbatim", "canonical", "expression_hash", "integer_text"]

#: Every interpreter writes integers below this, whatever its limit of digits is set to.
_ALWAYS_WRITTEN: Final = 10**600


class Verbatim(str):
    """A piece of the output that waits among values, to be written as it is."""

    __slots__ = ()


_CLOSE_APPLICATION: Final = Verbatim("]")
_CLOSE_DICT: Final = Verbatim("}")
_COMMA: Final = Verbatim(", ")


def canonical(value: Value | ParseFailure) -> str:
    """The canonical text; of a failure, its `ParseError[…]`."""
    out: list[str] = []
    waiting: list[Value] = [value.expression if isinstance(value, ParseFailure) else value]
    while waiting:
        item = waiting.pop()
        kind = type(item)
        if kind is Verbatim:
            out.append(item)  # type: ignore[arg-type]
        elif kind is str:
            out.append(_quoted(item))  # type: ignore[arg-type]
        elif isinstance(item, Application):
            out.append(item.head + "[")
            waiting.append(_CLOSE_APPLICATION)
            _put_arguments(item.arguments, waiting)
        elif isinstance(item, dict):
            out.append("{")
            waiting.append(_CLOSE_DICT)
            _put_entries(item, waiting)
        else:
            out.append(_leaf(item))
    return "".join(out)


def _put_arguments(arguments: tuple[Value, ...], waiting: list[Value]) -> None:
    for argument in reversed(arguments):
        waiting.append(argument)
        waiting.append(_COMMA)
    if arguments:
        waiting.pop()


def _put_entries(entries: dict[str, Value], waiting: list[Value]) -> None:
    for key in sorted(entries, reverse=True):
        waiting.append(entries[key])
        waiting.append(Verbatim(_quoted(key) + ": "))
        waiting.append(_COMMA)
    if entries:
        waiting.pop()


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _leaf(value: Value) -> str:
    if isinstance(value, bool):
        return "True[]" if value else "False[]"
    if isinstance(value, int):
        return integer_text(value)
    if isinstance(value, Variable):
        return "_" if value.is_anonymous else value.name + "_"
    return repr(value)


def integer_text(value: int) -> str:
    """An integer in decimal, of any length."""
    return str(value) if -_ALWAYS_WRITTEN < value < _ALWAYS_WRITTEN else str(Decimal(value))


def expression_hash(text: str) -> str:
    """The digest that names an expression, of its canonical text; a lone surrogate counts as its three bytes."""
    return "sha256:" + sha256_of(text.encode("utf-8", "surrogatepass"))
