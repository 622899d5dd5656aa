"""One walk over an expression, for every later check."""

from __future__ import annotations

import re
from typing import Any, Final

import msgspec

from itemproof.coglang.ast import Application
from itemproof.coglang.vocabulary import OPAQUE, TRAVERSE, VOCABULARY

__all__ = ["Survey", "is_term_head", "survey"]

_INNER: Final = frozenset({Application, dict})
_TERM_HEAD: Final = re.compile(r"[a-z](?:[A-Za-z0-9_]*[A-Za-z0-9])?")


class Survey(msgspec.Struct, frozen=True, eq=False):
    """What stands in an expression, outside of opaque arguments.

    Attributes:
        root: The expression.
        heads: Of all applications, in walk order, repeated ones repeated.
        applications: All, from the root, each before its arguments, left to right; those in dict values, too.
        checked: Those of them that validation looks at: none that stands below a dict.
        traversal_depth: The greatest number of `Traverse` on one way from the root.
    """

    root: Application
    heads: list[str]
    applications: list[Application]
    checked: list[Application]
    traversal_depth: int

    @property
    def hallucinated(self) -> list[str]:
        """The heads that the vocabulary does not have, each once, by code point."""
        return sorted({head for head in self.heads if head not in VOCABULARY})


def is_term_head(head: str) -> bool:
    """Whether the language's specification takes the head for a term's, which is data."""
    return _TERM_HEAD.fullmatch(head) is not None


def survey(expression: Application, *, terms_are_data: bool = False) -> Survey:
    """The survey of an expression of any depth.

    Args:
        expression: The root.
        terms_are_data: Whether applications of term heads are passed over; their arguments are not.
    """
    applications: list[Application] = []
    checked: list[Application] = []
    deepest = 0
    waiting: list[tuple[Any, int, bool]] = [(expression, 0, True)]
    while waiting:
        node, depth, is_checked = waiting.pop()
        if isinstance(node, Application):
            if not (terms_are_data and is_term_head(node.head)):
                applications.append(node)
                if is_checked:
                    checked.append(node)
            if node.head in OPAQUE:
                continue
            if node.head == TRAVERSE:
                depth += 1
                deepest = max(deepest, depth)
            children = node.arguments
        else:
            children, is_checked = tuple(node.values()), False
        if not _INNER.isdisjoint(map(type, children)):
            waiting.extend([(child, depth, is_checked) for child in reversed(children) if type(child) in _INNER])
    return Survey(expression, [application.head for application in applications], applications, checked, deepest)
