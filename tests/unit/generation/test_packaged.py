"""The cases that come with the package: they pass, they cover the language, and they cannot be fooled cheaply."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from itemproof.coglang.lexer import tokenize
from itemproof.coglang.vocabulary import VOCABULARY
from itemproof.generation.coglang_language import CogLang
from itemproof.generation.fixture import Case, read_fixture
from itemproof.generation.scoring import score_one

DOCS = Path(__file__).resolve().parents[3] / "docs"
FIXTURE = read_fixture(None)
CORE = [head.name for head in VOCABULARY.values() if head.kind == "operator"]


def test_there_are_enough_cases_on_every_level() -> None:
    by_level = Counter(case.level for case in FIXTURE.cases)

    assert len(FIXTURE.cases) >= 60
    assert list(by_level) == ["L1", "L2", "L3", "L4", "L5", "L6"] == FIXTURE.defined_levels
    assert min(by_level.values()) >= 10


@pytest.mark.parametrize("strict", [False, True], ids=["as the reference tool", "strictly"])
def test_every_reference_passes_and_is_its_own_match(*, strict: bool) -> None:
    scores = [score_one(case, case.reference_expr, CogLang(strict=strict)) for case in FIXTURE.cases]

    assert [score for score in scores if score.categories or not score.exact] == []


def test_there_is_nothing_to_remark_on_a_reference() -> None:
    assert [remark for case in FIXTURE.cases for remark in CogLang(strict=True).remarks(case.reference_expr)] == []


def test_every_operator_of_the_core_occurs_twice() -> None:
    heads = Counter(token for case in FIXTURE.cases for token in tokenize(case.reference_expr))

    assert len(CORE) == 19
    assert [head for head in CORE if heads[head] < 2] == []


def _padded(case: Case) -> list[str]:
    """The expected head with so many zeros."""
    (head,) = case.expected_top_level_heads
    return [head, *(f"{head}[{', '.join('0' * count)}]" for count in range(7))]


def test_the_expected_head_padded_with_zeros_is_hardly_ever_the_reference() -> None:
    language = CogLang()
    exact = [any(score_one(case, text, language).exact for text in _padded(case)) for case in FIXTURE.cases]

    assert sum(exact) <= len(FIXTURE.cases) / 20


def _spaceless(text: str) -> str:
    return "".join(text.split())


def test_no_prompt_quotes_its_reference() -> None:
    language = CogLang()
    quoting = [
        case.case_id
        for case in FIXTURE.cases
        for text in (case.reference_expr, language.canonical_of(case.reference_expr))
        if text is None or _spaceless(text) in _spaceless(case.prompt)
    ]
    assert quoting == []


def test_no_prompt_holds_brackets_or_quotes() -> None:
    assert [case.case_id for case in FIXTURE.cases if set(case.prompt) & set('[]{}"')] == []


def test_every_name_of_a_reference_is_in_its_prompt() -> None:
    """Ids, fields, relations, texts and variables cannot be guessed, so the prompt or the page must name them."""
    page = CogLang().page()
    absent = []
    for case in FIXTURE.cases:
        for token in tokenize(case.reference_expr):
            word = token.strip('"').removesuffix("_")
            is_name = token not in VOCABULARY and token not in "[]{},:_" and word not in case.prompt
            if is_name and f'"{word}"' not in page and not word.isdigit():
                absent.append((case.case_id, token))
    assert absent == []


def test_prompts_and_ids_are_each_their_own() -> None:
    assert len({case.prompt for case in FIXTURE.cases}) == len(FIXTURE.cases)
    assert len({case.reference_expr for case in FIXTURE.cases}) == len(FIXTURE.cases)


def test_the_page_in_the_package_is_the_one_in_the_docs() -> None:
    assert CogLang().page() == (DOCS / "coglang" / "language.md").read_text(encoding="utf-8")


def test_the_page_teaches_every_operator_of_the_core() -> None:
    page = CogLang().page()

    assert [head for head in CORE if f"`{head}[" not in page] == []


def test_the_expressions_of_the_page_are_valid() -> None:
    page = CogLang().page()
    examples = [line for block in page.split("```text\n")[1:] for line in block.partition("```")[0].splitlines()]

    assert len(examples) == 3
    assert [text for text in examples if not CogLang(strict=True).judge(text).is_valid] == []
