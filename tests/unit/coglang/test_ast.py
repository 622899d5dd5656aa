"""When two trees are the same."""

from __future__ import annotations

import pytest

from itemproof.coglang.ast import WILDCARD, Application, Value, Variable, same

A = Application


def nested(levels: int, innermost: Value) -> Value:
    value = innermost
    for _ in range(levels):
        value = A("List", ({"k": value},))
    return value


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (A("f", (1,)), A("g", (1,))),
        (A("f", (1,)), A("f", (1, 1))),
        (A("f", (1,)), A("f", (1.0,))),
        (A("f", (0.0,)), A("f", (-0.0,))),
        (A("f", ("x",)), A("f", (Variable("x"),))),
        (A("f", (WILDCARD,)), A("f", (Variable("_"),))),
        (A("f", ({"a": 1},)), A("f", ({"b": 1},))),
        (A("f", ({"a": 1},)), A("f", ({"a": 2},))),
        (A("f", ({},)), A("f", ("{}",))),
        (A("f", (A("g"),)), A("f", ("g",))),
    ],
)
def test_trees_that_differ_are_not_the_same(left: Value, right: Value) -> None:
    assert not same(left, right)
    assert not same(right, left)
    assert left != right


def test_the_order_of_entries_and_the_position_do_not_count() -> None:
    assert A("f", ({"a": 1, "b": 2},), 0) == A("f", ({"b": 2, "a": 1},), 9)


def test_trees_deeper_than_the_interpreter_goes_are_compared() -> None:
    assert same(nested(5000, 1), nested(5000, 1))
    assert not same(nested(5000, 1), nested(5000, 2))


def test_an_application_has_no_hash_and_a_short_name() -> None:
    with pytest.raises(TypeError, match="unhashable"):
        hash(A("f"))
    assert repr(A("f", (1, 2), 3)) == "<Application 'f' of 2 at token 3>"
    assert A("f") != "f"
