"""Trees as JSON."""

from __future__ import annotations

import json

import pytest

from itemproof.coglang.ast import Application
from itemproof.coglang.parser import MAX_NESTING, parse
from itemproof.coglang.tree import tree_json

ONE = {"kind": "expr", "head": "A", "args": [1]}


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ("A[]", {"kind": "expr", "head": "A", "args": []}),
        ("B[A[1]]", {"kind": "expr", "head": "B", "args": [ONE]}),
        (
            'B[{"b": x_, "a": A[1]}, "t\\"", -2.5, {}]',
            {
                "kind": "expr",
                "head": "B",
                "args": [{"a": ONE, "b": {"kind": "var", "name": "x", "is_anonymous": False}}, 't"', -2.5, {}],
            },
        ),
        ("B[_]", {"kind": "expr", "head": "B", "args": [{"kind": "var", "name": "_", "is_anonymous": True}]}),
        (f"B[{'9' * 400}., -{'9' * 400}.]", {"kind": "expr", "head": "B", "args": ["inf", "-inf"]}),
        ("A[1", {"kind": "expr", "head": "ParseError", "args": ["unclosed_bracket", 3], "partial": ONE}),
        ("a", {"kind": "expr", "head": "ParseError", "args": ["not_an_expression", 0]}),
        ('B["\ud800é"]', {"kind": "expr", "head": "B", "args": ["\ud800é"]}),
    ],
    ids=["empty", "nested", "all-values", "wildcard", "infinite", "failure-with-partial", "failure", "surrogate"],
)
def test_a_tree_is_written_as_json(text: str, tree: object) -> None:
    written = tree_json(parse(text))
    assert json.loads(written) == tree
    assert written.encode("utf-8")


def test_keys_are_sorted_and_truth_values_are_applications() -> None:
    assert tree_json({"b": 1, "a": True}) == '{"a": {"kind": "expr", "head": "True", "args": []}, "b": 1}'


def test_the_deepest_tree_and_the_longest_integer_are_written() -> None:
    text = tree_json(parse("A[" * MAX_NESTING + "7" * 4300 + "]" * MAX_NESTING))
    assert text == '{"kind": "expr", "head": "A", "args": [' * MAX_NESTING + "7" * 4300 + "]}" * MAX_NESTING
    assert tree_json(Application("A", (10**4400,))).count("0") == 4400
