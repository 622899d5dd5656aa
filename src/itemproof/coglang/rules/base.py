"""What a rule is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from itemproof.coglang.ast import Application
from itemproof.core.findings import Code

__all__ = ["Rule", "shape_of"]


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule about one application, whatever stands around it.

    Attributes:
        code: For findings.
        is_broken: Whether an application breaks it; called for each one, so it makes no text.
        explain: What was found, what was due and the next step, for one that does.
    """

    code: Code
    is_broken: Callable[[Application], bool]
    explain: Callable[[Application], str]


def shape_of(least: int, most: int | None) -> str:
    """An arity in words, such as `1 or 2 arguments`."""
    if most is None:
        return f"{least} or more arguments"
    if least != most:
        return f"{least} or {most} arguments"
    return {0: "no arguments", 1: "1 argument"}.get(least, f"{least} arguments")
