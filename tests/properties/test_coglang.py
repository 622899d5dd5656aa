"""What holds for every text."""

from __future__ import annotations

import json
import math
import re

from hypothesis import given
from hypothesis import strategies as st

from itemproof.coglang.ast import WILDCARD, Application, Value, Variable, same
from itemproof.coglang.diagnostics import diagnose
from itemproof.coglang.failure import ParseFailure
from itemproof.coglang.lexer import spans, tokenize
from itemproof.coglang.parser import parse
from itemproof.coglang.preflight import preflight
from itemproof.coglang.printer import canonical, expression_hash
from itemproof.coglang.reading import read
from itemproof.coglang.tree import tree_json
from itemproof.coglang.validate import check_specification, is_valid, validate
from itemproof.coglang.vocabulary import VOCABULARY

PIECES = [*'[]{},:"\\_-.0 \n', "Do[", "Unify[", "x_", '"k":', "1e5", "٣", "\ud800", "\u00a0", "True", "Traverse[", "]"]
characters = st.characters(exclude_categories=())  # lone surrogates are characters here
texts = st.one_of(st.text(characters), st.lists(st.sampled_from(PIECES), max_size=30).map("".join))

names = st.from_regex(r"[A-Za-z][A-Za-z0-9_]*", fullmatch=True)
heads = st.one_of(st.sampled_from(sorted(VOCABULARY)), names.filter(lambda name: not name.endswith("_")))
floats = st.floats(allow_nan=False, allow_infinity=False).filter(lambda number: "e" not in repr(number))
leaves = st.one_of(st.text(characters), st.integers(), floats, names.map(Variable), st.just(WILDCARD))
values = st.recursive(
    leaves,
    lambda inner: st.one_of(
        st.builds(Application, heads, st.lists(inner, max_size=4).map(tuple)),
        st.dictionaries(st.text(characters, max_size=4), inner, max_size=3),
    ),
    max_leaves=12,
)
applications = st.builds(Application, heads, st.lists(values, max_size=4).map(tuple))


def has_exception(value: Value) -> bool:
    """Whether a value is documented not to read back: exponents, infinity, heads that no token can be."""
    if isinstance(value, Application):
        tokens = tokenize(value.head)
        odd = tokens != [value.head] or not isinstance(parse(f"{value.head}[]"), Application)
        return odd or any(map(has_exception, value.arguments))
    if isinstance(value, dict):
        return any(map(has_exception, value.values()))
    return isinstance(value, float) and ("e" in repr(value) or math.isinf(value))


@given(texts)
def test_nothing_raises_on_any_text(text: str) -> None:
    reading = read(text)
    tree = json.loads(tree_json(reading.parsed))
    assert tree["kind"] == "expr"
    assert preflight(reading).as_json(reading)["decision"]
    for diagnostic in diagnose(reading):
        assert diagnostic.finding.text
    if isinstance(reading.parsed, ParseFailure):
        assert 0 <= reading.parsed.position <= len(spans(text))
        assert reading.parsed.finding.text
    if reading.survey is not None:
        assert bool(validate(reading.survey, text)) is not is_valid(reading.survey)
        check_specification(reading.survey, text)
        assert expression_hash(reading.canonical).startswith("sha256:")


@given(texts)
def test_the_canonical_text_is_its_own(text: str) -> None:
    parsed = parse(text)
    if isinstance(parsed, ParseFailure) or has_exception(parsed):
        return
    again = parse(canonical(parsed))
    assert again == parsed
    assert canonical(again) == canonical(parsed)


@given(applications)
def test_printing_and_parsing_give_the_same_tree(expression: Application) -> None:
    parsed = parse(canonical(expression))
    assert isinstance(parsed, Application)
    assert same(parsed, expression)


@given(st.floats(allow_nan=False).filter(lambda number: "e" in repr(number) or math.isinf(number)))
def test_a_float_with_an_exponent_reads_back_as_its_text(number: float) -> None:
    assert parse(canonical(Application("List", (number,)))) == Application("List", (repr(number),))


@given(texts, texts)
def test_equal_canonical_texts_mean_equal_trees(one: str, other: str) -> None:
    left, right = parse(one), parse(other)
    if isinstance(left, Application) and isinstance(right, Application) and not has_exception(left):
        assert (canonical(left) == canonical(right)) == (left == right) or has_exception(right)


@given(texts)
def test_tokens_and_blanks_are_the_whole_text(text: str) -> None:
    assert "".join(tokenize(text)) == re.sub(r'("[^"\\]*(?:\\.[^"\\]*)*\\?"?)|[ \t\r\n]', r"\1", text, flags=re.DOTALL)
