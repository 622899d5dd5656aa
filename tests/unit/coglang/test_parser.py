"""Every kind of text, and the tree or the failure that it is; our own inputs, answered from the rules by hand."""

from __future__ import annotations

import math

import pytest

from itemproof.coglang.ast import WILDCARD, Application, Value, Variable, same
from itemproof.coglang.failure import ParseFailure
from itemproof.coglang.parser import MAX_NESTING, parse
from itemproof.coglang.printer import canonical

A = Application
X = Variable("x")


def argument(text: str) -> Value:
    """The one argument of the application that the text becomes inside brackets."""
    parsed = parse(f"List[{text}]")
    assert isinstance(parsed, Application)
    (value,) = parsed.arguments
    return value


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        pytest.param('Get["ada", "name"]', A("Get", ("ada", "name")), id="strings"),
        pytest.param("Do[]", A("Do"), id="no-arguments"),
        pytest.param("Do", A("Do"), id="bare-head"),
        pytest.param("Élan", A("Élan"), id="upper-case-of-another-alphabet"),
        pytest.param('"Do"', A("Do"), id="quoted-head"),
        pytest.param('"Two words"', A("Two words"), id="quoted-sentence"),
        pytest.param('"Do[1]"', A("Do[1]"), id="quoted-expression"),
        pytest.param(" \r\n\tDo [ 1 , 2 ] ", A("Do", (1, 2)), id="blanks"),
        pytest.param(
            "Query[n_, f[n_, _]]", A("Query", (Variable("n"), A("f", (Variable("n"), WILDCARD)))), id="nested"
        ),
        pytest.param('Do[{"b": 1, "a": x_}]', A("Do", ({"b": 1, "a": X},)), id="dict"),
        pytest.param('Do[{"a": {"b": Do[]}}]', A("Do", ({"a": {"b": A("Do")}},)), id="dict-in-dict"),
        pytest.param('Do[{"a": 1, "a": 2}]', A("Do", ({"a": 2},)), id="repeated-key"),
        pytest.param('Do[{"a": 1 "b": 2,}]', A("Do", ({"a": 1, "b": 2},)), id="dict-commas"),
        pytest.param("Do[{}]", A("Do", ({},)), id="empty-dict"),
        pytest.param("Do[1 2 3]", A("Do", (1, 2, 3)), id="commas-left-out"),
        pytest.param('Do["a""b"c]', A("Do", ("a", "b", "c")), id="touching-values"),
        pytest.param("Do[1,]", A("Do", (1,)), id="trailing-comma"),
        pytest.param("Do[,]", A("Do", (",",)), id="comma-alone"),
        pytest.param("Do[,1]", A("Do", (",", 1)), id="leading-comma"),
        pytest.param("Do[1,,2]", A("Do", (1, ",", 2)), id="double-comma"),
        pytest.param("Do[1: }]", A("Do", (1, ":", "}")), id="punctuation-as-text"),
        pytest.param('Do[{"a": ,}]', A("Do", ({"a": ","},)), id="comma-as-dict-value"),
        pytest.param('Do[{"a": }}]', A("Do", ({"a": "}"},)), id="brace-as-dict-value"),
        pytest.param('Do[{"a": ]}]', A("Do", ({"a": "]"},)), id="bracket-as-dict-value"),
        pytest.param("Do[[[2]]", A("Do", (A("[", (2,)),)), id="bracket-as-head"),
        pytest.param("}[2]", A("}", (2,)), id="brace-as-head"),
        pytest.param(":[]", A(":"), id="colon-as-head"),
        pytest.param("2b[3]", A("2b", (3,)), id="word-that-begins-with-a-digit"),
        pytest.param("+1[]", A("+1"), id="no-number-is-a-head"),
        pytest.param("do[1]", A("do", (1,)), id="lower-case-head"),
        pytest.param("f.g-h?[1]", A("f.g-h?", (1,)), id="odd-head"),
        pytest.param("\ufeffDo[1]", A("\ufeffDo", (1,)), id="byte-order-mark-is-glued"),
        pytest.param("List[Do[1] [2]", A("List", (A("Do", (1,)), "[", 2)), id="second-bracket"),
        pytest.param('ParseError["x", 1]', A("ParseError", ("x", 1)), id="literal-parse-error"),
        pytest.param('"Open', A("Ope"), id="open-string-at-top"),
        pytest.param("\ud800[1]", A("\ud800", (1,)), id="lone-surrogate"),
    ],
)
def test_text_becomes_its_tree(text: str, tree: Application) -> None:
    assert parse(text) == tree


@pytest.mark.parametrize(
    ("text", "reason", "position", "partial"),
    [
        pytest.param("", "empty_input", 0, None, id="empty"),
        pytest.param("\r\n ", "empty_input", 0, None, id="blank"),
        pytest.param("Do[1", "unclosed_bracket", 3, "Do[1]", id="unclosed"),
        pytest.param("Do[1,", "unclosed_bracket", 4, "Do[1]", id="unclosed-after-comma"),
        pytest.param("Do[", "unclosed_bracket", 2, "Do[]", id="unclosed-at-once"),
        pytest.param("A[1, B[2, C[", "unclosed_bracket", 10, "C[]", id="innermost"),
        pytest.param('A[{"k": B[x_', "unclosed_bracket", 8, "B[x_]", id="innermost-in-a-dict"),
        pytest.param('A["b]', "unclosed_bracket", 3, 'A["b"]', id="open-string-swallows-the-bracket"),
        pytest.param("Do[1]]", "trailing_tokens", 4, "Do[1]", id="bracket-too-many"),
        pytest.param("Do[1] Do[2]", "trailing_tokens", 4, "Do[1]", id="two-expressions"),
        pytest.param("Do[1],", "trailing_tokens", 4, "Do[1]", id="comma-behind"),
        pytest.param("Do[1][2]", "trailing_tokens", 4, "Do[1]", id="applied-twice"),
        pytest.param("Well: Do[1]", "trailing_tokens", 1, None, id="prose"),
        pytest.param("Do (1)", "trailing_tokens", 1, None, id="parentheses"),
        pytest.param("x_[1]", "trailing_tokens", 1, None, id="variable-as-head"),
        pytest.param("12[1]", "trailing_tokens", 1, None, id="number-as-head"),
        pytest.param('"Do"[1]', "trailing_tokens", 1, None, id="string-as-head"),
        pytest.param('{"a": 1}[2]', "trailing_tokens", 5, None, id="dict-as-head"),
        pytest.param("[]", "trailing_tokens", 1, None, id="brackets-alone"),
        pytest.param("A[x_[1]]", "trailing_tokens", 6, 'A[x_, "[", 1]', id="variable-as-head-inside"),
        pytest.param("do", "not_an_expression", 0, None, id="lower-case-word"),
        pytest.param('"do"', "not_an_expression", 0, None, id="lower-case-string"),
        pytest.param('""', "not_an_expression", 0, None, id="empty-string"),
        pytest.param("7", "not_an_expression", 0, None, id="number"),
        pytest.param("x_", "not_an_expression", 0, None, id="variable"),
        pytest.param("_", "not_an_expression", 0, None, id="wildcard"),
        pytest.param("{}", "not_an_expression", 0, None, id="dict"),
        pytest.param("]", "not_an_expression", 0, None, id="punctuation"),
        pytest.param("中", "not_an_expression", 0, None, id="letter-without-case"),
        pytest.param('Do[{"a":', "unexpected end of input", 5, None, id="no-value"),
        pytest.param('Do[{"a" 1}]', "expected ':' after dict key", 4, None, id="no-colon"),
        pytest.param('Do[{"a"', "expected ':' after dict key", 4, None, id="no-colon-at-the-end"),
        pytest.param("{", "unclosed dict literal '{'", 1, None, id="unclosed-dict"),
        pytest.param('Do[{"a": 1,', "unclosed dict literal '{'", 7, None, id="unclosed-dict-after-comma"),
        pytest.param("Do[{k: 1}]", "dict key must be a quoted string, got 'k'", 3, None, id="word-as-key"),
        pytest.param("Do[{it's: 1}]", 'dict key must be a quoted string, got "it\'s"', 3, None, id="quote-in-a-key"),
        pytest.param("Do[{\x07: 1}]", "dict key must be a quoted string, got '\\x07'", 3, None, id="control-in-a-key"),
        pytest.param(
            'Do[{"a": 1,,}]', "dict key must be a quoted string, got ','", 7, None, id="double-comma-in-a-dict"
        ),
    ],
)
def test_text_that_is_no_expression_says_why(text: str, reason: str, position: int, partial: str | None) -> None:
    failure = parse(text)
    assert isinstance(failure, ParseFailure)
    found = canonical(failure.partial) if failure.partial is not None else None
    assert (failure.reason, failure.position, found) == (reason, position, partial)
    assert failure.source == text


@pytest.mark.parametrize(
    ("word", "value"),
    [
        ("0", 0),
        ("-0", 0),
        ("0012", 12),
        ("-12", -12),
        ("\u0664\u0662", 42),
        ("8.", 8.0),
        (".25", 0.25),
        ("-.25", -0.25),
        ("-0.", -0.0),
        ("3.\u0665", 3.5),
        ("9" * 400 + ".0", math.inf),
        ("--3", "--3"),
        ("+3", "+3"),
        ("3e2", "3e2"),
        ("0b1", "0b1"),
        ("1_0", "1_0"),
        ("1.2.3", "1.2.3"),
        ("-", "-"),
        (".", "."),
        ("-.", "-."),
        ("\u00b2", "\u00b2"),
        ("inf", "inf"),
        ("3-1", "3-1"),
        ("True", "True"),
        ("_a", "_a"),
        ("a_", Variable("a")),
        ("__", Variable("_")),
        ("_", WILDCARD),
        ("3_", Variable("3")),
        (r'"a\"b"', 'a"b'),
        (r'"a\\b"', "a\\b"),
        (r'"a\nb\u0041"', r"a\nb\u0041"),
        (r'"\\\\\""', '\\\\"'),
        ('"a\n\tb"', "a\n\tb"),
        ('""', ""),
    ],
)
def test_a_word_is_the_value_it_looks_like_or_else_a_text(word: str, value: Value) -> None:
    assert same(argument(word), value)


def test_an_integer_is_a_number_up_to_4300_digits_and_a_text_beyond() -> None:
    assert argument("-" + "7" * 4300) == -(7 * (10**4300 - 1) // 9)
    assert argument("0" * 4301) == "0" * 4301
    assert parse("8" * 4301 + "[]") == Application("8" * 4301)


def test_a_head_knows_the_token_where_it_was_written() -> None:
    root = parse('Do[1, {"k": If[]}, If[]]')
    assert isinstance(root, Application)
    _, entries, last = root.arguments
    assert isinstance(entries, dict)
    inner = entries["k"]
    assert isinstance(inner, Application)
    assert isinstance(last, Application)
    assert [root.position, inner.position, last.position] == [0, 7, 12]


@pytest.mark.parametrize(
    ("opening", "closing", "tokens"),
    [("Do[", "]", 2), ('Do[{"k": ', "}]", 5)],
    ids=["applications", "dicts-count-too"],
)
def test_nesting_is_read_to_the_cap_and_refused_beyond(opening: str, closing: str, tokens: int) -> None:
    levels = MAX_NESTING // len(closing)
    deepest = parse(opening * levels + "1" + closing * levels)
    assert isinstance(deepest, Application)
    beyond = parse(opening * (levels + 1) + "1" + closing * (levels + 1))
    assert isinstance(beyond, ParseFailure)
    assert (beyond.reason, beyond.position) == ("nesting_too_deep", tokens * levels)
    assert parse(opening * 100_000) == ParseFailure(
        beyond.kind, beyond.reason, beyond.position, opening * 100_000, None
    )
