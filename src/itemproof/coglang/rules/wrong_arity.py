"""Seven heads must have a fixed number of arguments."""

from __future__ import annotations

from typing import Final

from itemproof.coglang.ast import Application
from itemproof.coglang.rules.base import Rule, shape_of
from itemproof.coglang.vocabulary import VOCABULARY
from itemproof.core.findings import Code

__all__ = ["WRONG_ARITY"]

_ARITIES: Final = {head.name: head.arity for head in VOCABULARY.values() if head.arity is not None}


def _is_broken(application: Application) -> bool:
    arity = _ARITIES.get(application.head)
    if arity is None:
        return False
    least, most = arity
    count = len(application.arguments)
    return count < least or (most is not None and count > most)


def _explain(application: Application) -> str:
    found = shape_of(len(application.arguments), len(application.arguments))
    due = shape_of(*_ARITIES[application.head])
    return f"{application.head} has {found}; due: {due}."


WRONG_ARITY = Rule(Code("L021", "the wrong number of arguments"), _is_broken, _explain)
