"""Where a head binds a name, a variable must stand."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from itemproof.coglang.ast import Application, Variable
from itemproof.coglang.rules.base import Rule
from itemproof.core.findings import Code

__all__ = ["BINDING_SLOT", "SLOTS"]

#: The argument that binds, and the one in which the name holds, from 0.
SLOTS: Final[Mapping[str, tuple[int, int]]] = {"ForEach": (1, 2), "IfFound": (1, 2), "Query": (0, 1)}


def _is_broken(application: Application) -> bool:
    slot = SLOTS.get(application.head)
    if slot is None or len(application.arguments) <= slot[0]:
        return False
    return not isinstance(application.arguments[slot[0]], Variable)


def _explain(application: Application) -> str:
    number = SLOTS[application.head][0] + 1
    return f"argument {number} of {application.head} binds a name; write a variable there, such as x_."


BINDING_SLOT = Rule(Code("L023", "no variable where a name is bound"), _is_broken, _explain)
