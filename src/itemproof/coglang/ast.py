"""The nodes of a parsed expression.

A value is an application, a variable, a text, an integer, a float or a dict with text keys. A bare word and a quoted
string are the same text. Truth values exist only as the applications `True[]` and `False[]`.
"""

from __future__ import annotations

from typing import TypeAlias

import msgspec

__all__ = ["WILDCARD", "Application", "Value", "Variable", "same"]

Value: TypeAlias = "Application | Variable | str | int | float | dict[str, Value]"


class Variable(msgspec.Struct, frozen=True, gc=False):
    """A variable, written with one `_` behind its name.

    Attributes:
        name: Without that `_`; the wildcard's is `_`.
        is_anonymous: Whether it is the wildcard (a variable that is written `__` has the name `_`, too).
    """

    name: str
    is_anonymous: bool = False


WILDCARD = Variable("_", is_anonymous=True)


class Application(msgspec.Struct, frozen=True, eq=False, gc=False):
    """A head applied to arguments.

    Two are equal when head and arguments are, wherever they were written; there is no hash (the canonical text is one).

    Attributes:
        head: Verbatim.
        arguments: In the order written.
        position: The index of the head's token, from 0; 0 for a node that was never written.
    """

    head: str
    arguments: tuple[Value, ...] = ()
    position: int = 0

    __hash__ = None  # type: ignore[assignment]

    def __eq__(self, other: object) -> bool:
        return same(self, other) if isinstance(other, Application) else NotImplemented

    def __repr__(self) -> str:
        return f"<Application {self.head!r} of {len(self.arguments)} at token {self.position}>"


def same(left: Value, right: Value) -> bool:
    """Whether two trees hold the same, type for type: 1 is not 1.0, and -0.0 is not 0.0. Any depth is fine."""
    pairs: list[tuple[Value, Value]] = [(left, right)]
    while pairs:
        one, two = pairs.pop()
        if isinstance(one, Application) and isinstance(two, Application):
            if one.head != two.head or len(one.arguments) != len(two.arguments):
                return False
            pairs.extend(zip(one.arguments, two.arguments, strict=True))
        elif isinstance(one, dict) and isinstance(two, dict):
            if one.keys() != two.keys():
                return False
            pairs.extend((one[key], two[key]) for key in one)
        elif not _same_leaf(one, two):
            return False
    return True


def _same_leaf(one: Value, two: Value) -> bool:
    if type(one) is not type(two):
        return False
    return repr(one) == repr(two) if isinstance(one, float) else one == two
