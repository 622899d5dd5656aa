"""Maturity levels: their order, and how far a result reaches without a gap."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from typing import Any, Final

__all__ = ["in_order", "maturity"]

_NUMBERED: Final = re.compile(r"L([0-9]+)")
#: Where labels of another form stand among the numbers.
_UNNUMBERED: Final = 10_000
#: More digits than any level has; longer ones all count as this many nines.
_DIGITS: Final = 18


def in_order(levels: Iterable[str]) -> list[str]:
    """Each level once: those written `L` and a number by it, every other label behind them by its text."""
    return sorted(set(levels), key=_place)


def _place(level: str) -> tuple[int, str]:
    numbered = _NUMBERED.fullmatch(level)
    if numbered is None:
        return _UNNUMBERED, level
    digits = numbered[1].lstrip("0")
    return int(digits or "0") if len(digits) <= _DIGITS else 10**_DIGITS, level


def maturity(passed: Mapping[str, bool], defined: Collection[str]) -> dict[str, Any]:
    """How mature a result is, in the words of the contract.

    Levels between those with cases do not stop the walk when they have none themselves, as in the reference tool.

    Args:
        passed: For each level that has cases, whether all of them passed.
        defined: The levels that the fixture defines, with cases or without.
    """
    evaluated = in_order(passed)
    levels = in_order([*defined, *evaluated])
    unevaluated = [level for level in levels if level not in passed]
    blocked = next((level for level in evaluated if not passed[level]), None)
    contiguous = evaluated if blocked is None else evaluated[: evaluated.index(blocked)]
    highest = contiguous[-1] if contiguous else "L0"
    return {
        "defined_levels": levels,
        "evaluated_levels": evaluated,
        "unevaluated_levels": unevaluated,
        "passed_levels": [level for level in evaluated if passed[level]],
        "contiguous_passed_levels": contiguous,
        "highest_contiguous_level": highest,
        "highest_contiguous_evaluated_level": highest,
        "next_unevaluated_level": unevaluated[0] if unevaluated else None,
        "blocked_level": blocked,
        "evaluation_complete": not unevaluated,
        "maturity_claim_scope": "evaluated_fixture_levels_only" if unevaluated else "defined_levels_complete",
    }
