"""The page: every text escaped, nothing loaded, nothing run."""

from __future__ import annotations

import re
from base64 import b64encode
from hashlib import sha256
from html.parser import HTMLParser

from itemproof.generation.report import page
from unit.generation.records import Scoring, a_case, a_response, lines

NASTY = "<script>alert(1)</script>\"'&\u202e\u0000\x1b[31m"


class _Elements(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


def _parsed(scoring: Scoring, *outputs: str | None) -> tuple[str, _Elements]:
    cases = [a_case(f"{NASTY}{at}", "Equal[1, 1]", level=NASTY, prompt=NASTY) for at in range(len(outputs))]
    evaluated = scoring(lines(*(a_response(f"{NASTY}{at}", text) for at, text in enumerate(outputs))), cases)
    text = page(evaluated.scored, evaluated.result).decode("utf-8")
    elements = _Elements()
    elements.feed(text)
    return text, elements


def test_no_text_of_data_becomes_an_element(scoring: Scoring) -> None:
    _, elements = _parsed(scoring, NASTY, "Equal[1, 1]", "Foo[]", None, "Equal[\ud800, 1]")

    tags = {tag for tag, _ in elements.tags}
    assert not tags & {"script", "img", "iframe", "link", "object", "form", "base"}
    names = {name for _, attributes in elements.tags for name in attributes}
    assert names <= {
        *("lang", "charset", "http-equiv", "content", "name", "class", "min", "max", "value", "aria-hidden"),
    }
    assert any("<script>alert(1)</script>" in text for text in elements.texts)


def test_characters_that_show_nothing_are_named(scoring: Scoring) -> None:
    text, _ = _parsed(scoring, NASTY)

    assert not set("\u202e\u0000\x1b") & set(text)
    assert {"U+202E", "U+0000", "U+001B"} <= set(re.findall(r"U\+[0-9A-F]+", text))


def test_the_policy_allows_the_style_of_the_page_and_nothing_else(scoring: Scoring) -> None:
    text, elements = _parsed(scoring, "x")

    (style,) = re.findall(r"<style>(.*?)</style>", text, re.DOTALL)
    digest = b64encode(sha256(style.encode()).digest()).decode()
    (policy,) = [attributes["content"] for tag, attributes in elements.tags if "http-equiv" in attributes]
    assert policy == f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    assert "url(" not in style
    assert "@import" not in style


def test_the_verdict_and_the_reasons_stand_in_words(scoring: Scoring) -> None:
    text, elements = _parsed(scoring, "Equal[1, 1]", "```\nEqual[1, 1]\n```", None)

    said = "".join(elements.texts)
    assert "✗ cases fail: 1 of 3 pass (33.3 %)" in said
    assert {"✗ is no expression", "✗ no output", "✓ same program"} <= set(elements.texts)
    assert "a Markdown fence around the expression" in said
    assert text.startswith("<!doctype html>")


def test_a_long_output_folds(scoring: Scoring) -> None:
    _, elements = _parsed(scoring, "x" * 5000)

    assert "3,000 characters more" in elements.texts
    assert sum(text.count("x") for text in elements.texts if set(text) == {"x"}) == 5000


def test_the_same_result_gives_the_same_page(scoring: Scoring) -> None:
    assert _parsed(scoring, "x", None)[0] == _parsed(scoring, "x", None)[0]
