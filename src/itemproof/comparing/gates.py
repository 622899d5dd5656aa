"""Gates: conditions on a comparison, in one small grammar; what is undefined does not hold."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from itemproof.core.errors import InvalidInput
from itemproof.core.findings import Code, Finding, Findings
from itemproof.records.comparison import Counts, Gate, Group

__all__ = ["NAMES", "NO_REGRESSION", "Condition", "check_gates", "parse_gates"]

BAD_GATE: Final = Code("U020", "a gate is not written as gates are")

#: What `--fail-on-regression` stands for.
NO_REGRESSION: Final = "correct_to_wrong == 0"

_OF_A_GROUP: Final[dict[str, Callable[[Group], float | None]]] = {
    "delta": lambda group: group.means.delta if group.means else group.accuracy.delta,
    "low": lambda group: group.statistics.delta.low,
    "high": lambda group: group.statistics.delta.high,
    "p": lambda group: group.statistics.mcnemar.p if group.statistics.mcnemar else None,
    "left": lambda group: group.means.left if group.means else group.accuracy.left,
    "right": lambda group: group.means.right if group.means else group.accuracy.right,
}
_OF_ALL: Final[dict[str, Callable[[Counts], int | None]]] = {
    "pairs": lambda counts: counts.matched - counts.unscored,
    "correct_to_wrong": lambda counts: counts.correct_to_wrong,
    "wrong_to_correct": lambda counts: counts.wrong_to_correct,
    "unscored": lambda counts: counts.unscored,
    "left_only": lambda counts: counts.left_only,
    "right_only": lambda counts: counts.right_only,
}
#: Everything that a gate can name.
NAMES: Final = (*_OF_A_GROUP, *_OF_ALL)

_OPERATORS: Final[dict[str, Callable[[float, float], bool]]] = {
    "<=": operator.le,
    "<": operator.lt,
    ">=": operator.ge,
    ">": operator.gt,
    "==": operator.eq,
    "!=": operator.ne,
}
_NUMBER: Final = r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]{1,3})?"
_CONDITION: Final = re.compile(rf"\s*([a-z_]+)\s*(<=|>=|==|!=|<|>)\s*({_NUMBER})\s*")
_WITHIN: Final = re.compile(rf"\s*within\s*=\s*({_NUMBER})\s*")


@dataclass(frozen=True, slots=True)
class Condition:
    """A gate that was understood.

    Attributes:
        given: As it was written.
        name: One of `NAMES`.
        operator: The comparison.
        due: The number it is held against.
        margin: Of `within`, else None.
    """

    given: str
    name: str
    operator: str
    due: float
    margin: float | None = None


def parse_gates(texts: Sequence[str]) -> list[Condition]:
    """The conditions that some gates mean.

    `not-worse` fails only where a loss was shown; `within=M` holds only where a loss of M or more was ruled out.

    Raises:
        InvalidInput: With every gate that is none (U020).
    """
    findings, conditions = Findings(), []
    for text in texts:
        condition = _parse(text)
        if condition is not None:
            conditions.append(condition)
            continue
        findings.add(
            Finding(
                BAD_GATE,
                f"found the gate {text!r}; due is not-worse, within=0.02, or a comparison such as "
                f'"correct_to_wrong <= 3" of {", ".join(NAMES)} with a number.',
            )
        )
    if findings:
        raise InvalidInput(findings, "Nothing was compared.")
    return conditions


def _parse(text: str) -> Condition | None:
    if text.strip() == "not-worse":
        return Condition(text, "high", ">=", 0.0)
    within = _WITHIN.fullmatch(text)
    if within is not None:
        margin = float(within[1])
        return Condition(text, "low", ">", -margin, margin) if 0 < margin < 1 else None
    found = _CONDITION.fullmatch(text)
    if found is None or found[1] not in NAMES:
        return None
    return Condition(text, found[1], found[2], float(found[3]))


def check_gates(conditions: Sequence[Condition], groups: Sequence[Group], counts: Counts) -> list[Gate]:
    """Each condition held against a comparison.

    Counts are of the whole comparison. Everything else is of each headline, and a condition holds only if it holds for
    all of them; the value is then that of the first for which it does not, else that of the one that is nearest to it.
    """
    return [
        _over_all(one, _OF_ALL[one.name](counts)) if one.name in _OF_ALL else _over_groups(one, groups)
        for one in conditions
    ]


def _holds(condition: Condition, value: float | None) -> bool:
    return value is not None and _OPERATORS[condition.operator](value, condition.due)


def _over_all(condition: Condition, value: float | None) -> Gate:
    return Gate(gate=condition.given, value=value, holds=_holds(condition, value), where=None)


def _over_groups(condition: Condition, groups: Sequence[Group]) -> Gate:
    values = [(_OF_A_GROUP[condition.name](group), group) for group in groups if group.counts.matched]
    if not values:
        return _over_all(condition, None)
    broken = [pair for pair in values if not _holds(condition, pair[0])]
    value, group = broken[0] if broken else min(values, key=lambda pair: abs((pair[0] or 0.0) - condition.due))
    where = _name(group) if len(groups) > 1 else None
    return Gate(gate=condition.given, value=value, holds=not broken, where=where)


def _name(group: Group) -> str:
    parts = (group.benchmark, group.language, group.script, None if group.filter == "none" else group.filter)
    return " ".join(part for part in parts if part is not None)
