"""Compose takes a name as text and a List of distinct named variables."""

from __future__ import annotations

from itemproof.coglang.ast import Application, Value, Variable
from itemproof.coglang.rules.base import Rule
from itemproof.coglang.vocabulary import COMPOSE
from itemproof.core.findings import Code

__all__ = ["COMPOSE_SIGNATURE"]


def _is_broken(application: Application) -> bool:
    if application.head != COMPOSE or len(application.arguments) != 3:
        return False
    name, parameters, _ = application.arguments
    return not (isinstance(name, str) and _are_parameters(parameters))


def _are_parameters(value: Value) -> bool:
    if not isinstance(value, Application) or value.head != "List":
        return False
    names = [item.name for item in value.arguments if isinstance(item, Variable) and not item.is_anonymous]
    return len(names) == len(value.arguments) == len(set(names))


def _explain(_: Application) -> str:
    return 'Compose takes a name and its parameters as they are: Compose["Name", List[x_, y_], body], each name once.'


COMPOSE_SIGNATURE = Rule(Code("L024", "a Compose without a plain name and parameters"), _is_broken, _explain)
