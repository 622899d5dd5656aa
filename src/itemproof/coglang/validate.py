"""Runs the rules over an expression, in their order.

Two lists: what makes an expression valid, as the language's reference tool judges, and what its specification asks for
beyond that. The second never changes a verdict; only a strict caller acts on it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from itemproof.coglang.ast import Application
from itemproof.coglang.lexer import spans
from itemproof.coglang.rules.base import Rule
from itemproof.coglang.rules.binding_slot import BINDING_SLOT
from itemproof.coglang.rules.compose_signature import COMPOSE_SIGNATURE
from itemproof.coglang.rules.delete_edge import DELETE_EDGE
from itemproof.coglang.rules.rebound_variable import rebound_variable
from itemproof.coglang.rules.spec_arity import SPEC_ARITY
from itemproof.coglang.rules.unknown_head import UNKNOWN_HEAD
from itemproof.coglang.rules.wrong_arity import WRONG_ARITY
from itemproof.coglang.source import place_of_offset
from itemproof.coglang.survey import Survey
from itemproof.core.findings import SHOWN, Finding, Findings
from itemproof.core.where import Where

__all__ = ["RULES", "SPECIFICATION", "check_specification", "is_valid", "validate"]

#: What makes an expression valid, in the order in which faults of one application are told.
RULES: Final = (UNKNOWN_HEAD, WRONG_ARITY)

#: What the specification asks for beyond that, about one application each.
SPECIFICATION: Final = (SPEC_ARITY, BINDING_SLOT, COMPOSE_SIGNATURE, DELETE_EDGE)


def is_valid(found: Survey) -> bool:
    """Whether no application that validation looks at breaks a rule."""
    return not any(any(map(rule.is_broken, found.checked)) for rule in RULES)


def validate(found: Survey, source: str) -> Findings:
    """Each broken rule, in walk order, with line and column.

    Args:
        found: The walk over the expression.
        source: The text it was parsed from.
    """
    return _findings(found.checked, RULES, source)


def check_specification(found: Survey, source: str) -> Findings:
    """Where an expression is outside of the specification, in walk order, with line and column."""
    rules = (*SPECIFICATION, rebound_variable(found.root))
    return _findings(found.applications, rules, source)


def _findings(applications: Iterable[Application], rules: Sequence[Rule], source: str) -> Findings:
    """What the rules find in the applications; all are counted, and the first ones told."""
    told = Findings()
    tokens: list[tuple[int, int]] = []
    for application in applications:
        for rule in rules:
            if not rule.is_broken(application):
                continue
            if len(told.kept) < SHOWN:
                tokens = tokens or spans(source)
                place = place_of_offset(source, tokens[application.position][0])
                text = f"column {place.column}: {rule.explain(application)}"
                told.add(Finding(rule.code, text, Where(line=place.line)))
            else:
                told.count += 1
    return told
