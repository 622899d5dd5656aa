"""The canonical text."""

from __future__ import annotations

import pytest

from itemproof.coglang.ast import WILDCARD, Application, Value, Variable
from itemproof.coglang.parser import MAX_NESTING, parse
from itemproof.coglang.printer import canonical, expression_hash

A = Application


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (A("Do"), "Do[]"),
        (A("Do", (1, "a", A("If"))), 'Do[1, "a", If[]]'),
        (A("Two words", (1,)), "Two words[1]"),
        (Variable("x"), "x_"),
        (WILDCARD, "_"),
        (Variable("_"), "__"),
        ('a"b\\c', '"a\\"b\\\\c"'),
        ("line\nend\ttab\u2028", '"line\nend\ttab\u2028"'),
        (-7, "-7"),
        (1.0, "1.0"),
        (-0.0, "-0.0"),
        (0.0001, "0.0001"),
        (0.00001, "1e-05"),
        (1e16, "1e+16"),
        (float("inf"), "inf"),
        (True, "True[]"),
        (A("f", (False,)), "f[False[]]"),
        ({}, "{}"),
        ({"b": 1, "a": {"B": Variable("x")}, "B": 2, "é": 3}, '{"B": 2, "a": {"B": x_}, "b": 1, "é": 3}'),
        ({'q"\\': 1}, '{"q\\"\\\\": 1}'),
    ],
)
def test_a_value_has_one_text(value: Value, text: str) -> None:
    assert canonical(value) == text


def test_an_integer_of_any_length_is_written() -> None:
    assert canonical(10**5000) == "1" + "0" * 5000
    assert canonical(-(10**700)) == "-1" + "0" * 700


def test_a_failure_is_written_as_the_language_writes_it() -> None:
    assert canonical(parse('Do[{"": 1, "')) == "ParseError[\"expected ':' after dict key\", 8]"
    assert canonical(parse("Do[{\\: 1}]")) == "ParseError[\"dict key must be a quoted string, got '\\\\\\\\'\", 3]"


def test_keys_that_the_language_tool_confuses_have_texts_of_their_own() -> None:
    odd, two = parse(r'Do[{"a\": 1, \"b": 2}]'), parse('Do[{"a": 1, "b": 2}]')
    assert canonical(odd) == r'Do[{"a\": 1, \"b": 2}]'
    assert canonical(two) == 'Do[{"a": 1, "b": 2}]'
    assert parse(canonical(odd)) == odd


def test_the_deepest_tree_is_written() -> None:
    text = "Do[" * MAX_NESTING + "1" + "]" * MAX_NESTING
    assert canonical(parse(text)) == text


def test_the_hash_is_of_the_canonical_text() -> None:
    # printf 'Do[1]' | sha256sum
    assert expression_hash("Do[1]") == "sha256:9e02c53e6b55cd2f1f6f6c12e625d2173a8cdbaedc81036a294cbf4240e711c7"
    assert expression_hash("\ud800") != expression_hash("\ud801")
