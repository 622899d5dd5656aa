"""The specification asks for more fixed numbers of arguments than validation does."""

from __future__ import annotations

from typing import Final

from itemproof.coglang.ast import Application
from itemproof.coglang.rules.base import Rule, shape_of
from itemproof.coglang.rules.wrong_arity import WRONG_ARITY
from itemproof.coglang.vocabulary import VOCABULARY
from itemproof.core.findings import Code

__all__ = ["SPEC_ARITY"]

_ARITIES: Final = {head.name: head.spec_arity for head in VOCABULARY.values() if head.spec_arity is not None}


def _is_broken(application: Application) -> bool:
    arity = _ARITIES.get(application.head)
    if arity is None or WRONG_ARITY.is_broken(application):
        return False
    least, most = arity
    count = len(application.arguments)
    return count < least or (most is not None and count > most)


def _explain(application: Application) -> str:
    found = shape_of(len(application.arguments), len(application.arguments))
    due = shape_of(*_ARITIES[application.head])
    return f"{application.head} has {found}; the specification asks for {due}."


SPEC_ARITY = Rule(Code("L022", "a number of arguments outside the specification"), _is_broken, _explain)
