"""A tree as JSON text, for `--json`: written on an explicit stack, since JSON writers stop short of the nesting limit.

An application is `{"kind": "expr", "head", "args"}`, a variable `{"kind": "var", "name", "is_anonymous"}`, a dict an
object with sorted keys; texts and numbers are themselves. A float too large for JSON is the text `inf` or `-inf`. A
failure is its `ParseError` application, with `partial` where there is one. Lone surrogates are escaped.
"""

from __future__ import annotations

import json
import re
from typing import Final

from itemproof.coglang.ast import Application, Value, Variable
from itemproof.coglang.failure import ParseFailure
from itemproof.coglang.printer import Verbatim, integer_text

__all__ = ["tree_json"]


_SURROGATE: Final = re.compile(r"[\ud800-\udfff]")


def tree_json(parsed: Value | ParseFailure) -> str:
    """The tree as one line of JSON in ASCII and other characters that UTF-8 can hold."""
    out: list[str] = []
    waiting: list[Value] = _of_failure(parsed) if isinstance(parsed, ParseFailure) else [parsed]
    while waiting:
        item = waiting.pop()
        if isinstance(item, Verbatim):
            out.append(item)
        elif isinstance(item, Application):
            waiting.append(Verbatim("]}"))
            waiting.extend(_separated([(argument,) for argument in item.arguments]))
            out.append(f'{{"kind": "expr", "head": {_text(item.head)}, "args": [')
        elif isinstance(item, dict):
            waiting.append(Verbatim("}"))
            waiting.extend(_separated([(Verbatim(f"{_text(key)}: "), item[key]) for key in sorted(item)]))
            out.append("{")
        else:
            out.append(_leaf(item))
    return "".join(out)


def _of_failure(failure: ParseFailure) -> list[Value]:
    """What writes a failure, last piece first."""
    if failure.partial is None:
        return [failure.expression]
    head = f'{{"kind": "expr", "head": "ParseError", "args": [{_text(failure.reason)}, {failure.position}], "partial": '
    return [Verbatim("}"), failure.partial, Verbatim(head)]


def _separated(groups: list[tuple[Value, ...]]) -> list[Value]:
    """The pieces of the groups with commas between them, last piece first."""
    pieces: list[Value] = []
    for group in reversed(groups):
        pieces.extend((*reversed(group), Verbatim(", ")))
    return pieces[:-1]


def _leaf(value: Value) -> str:
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, Variable):
        truth = "true" if value.is_anonymous else "false"
        return f'{{"kind": "var", "name": {_text(value.name)}, "is_anonymous": {truth}}}'
    if isinstance(value, bool):
        return f'{{"kind": "expr", "head": "{value}", "args": []}}'
    if isinstance(value, int):
        return integer_text(value)
    text = repr(value)
    return _text(text) if "inf" in text or "nan" in text else text


def _text(text: str) -> str:
    return json.dumps(text, ensure_ascii=_SURROGATE.search(text) is not None)
