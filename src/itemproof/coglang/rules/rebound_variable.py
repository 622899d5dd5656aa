"""A bound name must not be bound again where it holds."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from itemproof.coglang.ast import Application, Value, Variable
from itemproof.coglang.rules.base import Rule
from itemproof.coglang.rules.binding_slot import SLOTS
from itemproof.coglang.vocabulary import COMPOSE, OPAQUE
from itemproof.core.findings import Code

__all__ = ["rebound_variable"]

_REBOUND = Code("L026", "a bound name that is bound again where it holds")


@dataclass(frozen=True, slots=True)
class _Scope:
    """A mark among the values that wait: from here on these names hold once more, or once less."""

    names: tuple[str, ...]
    change: int


def rebound_variable(expression: Application) -> Rule:
    """The rule for the applications of one expression: it needs to know what stands around each of them."""
    again = _binding_again(expression)
    return Rule(_REBOUND, lambda application: id(application) in again, _explain)


def _explain(application: Application) -> str:
    names = ", ".join(f"{name}_" for name in _bound(application))
    return f"{application.head} binds {names} where an outer head has bound it already; use another name."


def _binding_again(expression: Application) -> frozenset[int]:
    again: set[int] = set()
    holding: Counter[str] = Counter()
    waiting: list[Value | _Scope] = [expression]
    while waiting:
        node = waiting.pop()
        if isinstance(node, _Scope):
            for name in node.names:
                holding[name] += node.change
        elif isinstance(node, Application):
            names = _bound(node)
            if any(holding[name] > 0 for name in names):
                again.add(id(node))
            if node.head not in OPAQUE:
                _put(node, names, waiting)
        elif isinstance(node, dict):
            waiting.extend(node.values())
    return frozenset(again)


def _put(node: Application, names: tuple[str, ...], waiting: list[Value | _Scope]) -> None:
    body = _body(node)
    for index, argument in enumerate(node.arguments):
        if index == body and names:
            waiting.extend((_Scope(names, -1), argument, _Scope(names, +1)))
        else:
            waiting.append(argument)


def _body(node: Application) -> int:
    return 2 if node.head == COMPOSE else SLOTS.get(node.head, (0, -1))[1]


def _bound(node: Application) -> tuple[str, ...]:
    arguments = node.arguments
    if node.head == COMPOSE and len(arguments) > 1 and isinstance(arguments[1], Application):
        found: tuple[Value, ...] = arguments[1].arguments
    else:
        slot = SLOTS.get(node.head, (len(arguments), -1))[0]
        found = arguments[slot : slot + 1]
    return tuple(item.name for item in found if isinstance(item, Variable) and not item.is_anonymous)
