"""Everything about a text at once."""

from __future__ import annotations

import pytest

from itemproof.coglang.ast import Application
from itemproof.coglang.reading import read


def test_an_expression_is_read_with_all_its_facts() -> None:
    reading = read('Do[Bogus[1], {"k": If[]}]')
    assert reading.parsed == Application("Do", (Application("Bogus", (1,)), {"k": Application("If")}))
    assert reading.canonical == 'Do[Bogus[1], {"k": If[]}]'
    assert (reading.is_failure, reading.is_valid) == (False, False)
    assert (reading.heads, reading.hallucinated) == (["Do", "Bogus", "If"], ["Bogus"])


@pytest.mark.parametrize(
    ("text", "written"),
    [("Do[1", 'ParseError["unclosed_bracket", 3]'), ('ParseError[ "x" ,1]', 'ParseError["x", 1]')],
    ids=["no-expression", "written-out"],
)
def test_a_failure_has_no_facts_but_its_text(text: str, written: str) -> None:
    reading = read(text)
    assert (reading.is_failure, reading.is_valid) == (True, False)
    assert (reading.heads, reading.hallucinated, reading.canonical) == ([], [], written)


def test_an_error_value_inside_an_expression_is_no_failure() -> None:
    assert not read('List[ParseError["x", 1]]').is_failure


def test_terms_are_hallucinated_unless_they_are_taken_for_data() -> None:
    text = "Equal[f[a], f[b]]"
    assert (read(text).is_valid, read(text).hallucinated) == (False, ["f"])
    as_data = read(text, terms_are_data=True)
    assert (as_data.is_valid, as_data.hallucinated) == (True, [])
