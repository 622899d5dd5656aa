"""What people read when a text is no expression."""

from __future__ import annotations

from itemproof.coglang import failure
from itemproof.coglang.ast import Application
from itemproof.coglang.failure import ParseFailure, Reason
from itemproof.coglang.parser import parse
from itemproof.coglang.source import Place


def failed(text: str) -> ParseFailure:
    found = parse(text)
    assert isinstance(found, ParseFailure)
    return found


def test_a_failure_has_a_place_and_an_excerpt() -> None:
    found = failed("Do[\n  {k: 1}]")
    assert found.place == Place(7, 2, 4)
    assert found.excerpt == "  {k: 1}]\n   ^"
    assert found.expression == Application("ParseError", ("dict key must be a quoted string, got 'k'", 3))


def test_a_failure_tells_what_was_found_what_was_due_and_where() -> None:
    finding = failed("Do[1").finding
    assert (finding.code.id, finding.where.line) == ("L004", 1)
    assert finding.text == "column 5: unclosed_bracket. The text ends where a ] was due; add it."


def test_each_reason_keeps_its_code() -> None:
    reasons = [value for value in vars(failure).values() if isinstance(value, Reason)]
    assert {reason.code.id: reason.text for reason in reasons} == {
        "L001": "empty_input",
        "L002": "trailing_tokens",
        "L003": "not_an_expression",
        "L004": "unclosed_bracket",
        "L005": "unexpected end of input",
        "L006": "expected ':' after dict key",
        "L007": "dict key must be a quoted string, got {}",
        "L008": "unclosed dict literal '{'",
        "L009": "nesting_too_deep",
    }
