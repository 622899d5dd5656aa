"""An item of a comparison: a question on one side or both, with its records."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple

__all__ = ["CHANGED", "Item", "ItemKey"]

#: The outcomes of a pair that changed; the last two are of a metric with numbers.
CHANGED: Final = ("correct_to_wrong", "wrong_to_correct", "worse", "better")


class ItemKey(NamedTuple):
    """The identity of an item; the wording and the run are what is compared."""

    benchmark: str
    language: str | None
    script: str | None
    question_id: str
    filter: str
    repeat_id: int | str


@dataclass(frozen=True, slots=True)
class Item:
    """One item of a report.

    Attributes:
        key: Its identity.
        outcome: One of the contract's seven; `better`, `worse` or `equal` for a pair of a metric with numbers.
        compared: What was compared on the left and the right: a verdict, a number, or None where unknown.
        left: The whole record line, its end left out; None where there is none.
        right: The same of the right side.
    """

    key: ItemKey
    outcome: str
    compared: tuple[bool | float | None, bool | float | None]
    left: bytes | None
    right: bytes | None
