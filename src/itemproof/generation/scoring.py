"""Outputs to scores: the same text gets the same verdict, whenever and wherever it is scored.

What is kept is one small number a case; scores that are alike are one object.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

import msgspec

from itemproof.generation.fixture import Case, Fixture
from itemproof.generation.language import Judgement, Language
from itemproof.records.score import (
    HALLUCINATED,
    HEAD_MISMATCH,
    MISSING,
    PARSE_ERROR,
    SPECIFICATION_ERROR,
    VALIDATION_ERROR,
    Score,
)

__all__ = ["REMEMBERED", "Answer", "Scored", "score", "score_one"]

#: How many judgements are kept for outputs that repeat, unless told otherwise.
REMEMBERED: Final = 8192
#: Longer texts rarely repeat and are not kept.
_LONGEST_KEPT: Final = 1024

_MISSING: Final = Score(categories=(MISSING,), has_output=False, parse_error="missing output")


class Answer(msgspec.Struct, frozen=True, gc=False):
    """An output that was scored.

    Attributes:
        output: The text as it came; None when there was none.
        canonical: Its canonical text; None when it is no expression.
    """

    output: str | None
    canonical: str | None


_NO_ANSWER: Final = Answer(None, None)


class Scored(msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """All cases of a fixture with their scores.

    Attributes:
        fixture: The cases.
        table: The scores that occur, each once.
        of_case: For each case the index of its score in the table.
        answers: For each case its output; None when they were not kept.
        bare_head: For each case whether an expected head by itself would have passed.
        around: How many outputs are no expression for something that stands around one, by its name.
    """

    fixture: Fixture
    table: Sequence[Score]
    of_case: Sequence[int]
    answers: Sequence[Answer] | None
    bare_head: Sequence[bool]
    around: Mapping[str, int]

    def score(self, case: int) -> Score:
        """The score of a case."""
        return self.table[self.of_case[case]]


class _Known:
    """A text that was judged, and the scores that it got so far.

    Attributes:
        text: The text.
        judgement: What it is.
        numbers: The number of its score, by what a case expects: heads and reference.
    """

    __slots__ = ("_canonical", "judgement", "numbers", "text")

    def __init__(self, text: str, judgement: Judgement) -> None:
        self.text = text
        self.judgement = judgement
        self.numbers: dict[tuple[tuple[str, ...], str], int] = {}
        self._canonical: str | None = None

    def canonical(self, language: Language) -> str | None:
        """The canonical text, worked out when it is first asked for."""
        if self._canonical is None and self.judgement.parse_error is None:
            self._canonical = language.canonical(self.judgement)
        return self._canonical


class _Judge:
    """A language with a bounded memory for texts that repeat, and a table of the scores that occur."""

    def __init__(self, language: Language, remember: int) -> None:
        self.language = language
        self.table: dict[Score, int] = {_MISSING: 0}
        self._remember = remember
        self._known: dict[str, _Known] = {}
        self._references: dict[str, str | None] = {}

    def judge(self, text: str) -> _Known:
        """What the text is."""
        known = self._known.get(text)
        if known is None:
            known = _Known(text, self.language.judge(text))
            if len(self._known) < self._remember and len(text) <= _LONGEST_KEPT:
                self._known[text] = known
        return known

    def number(self, known: _Known, case: Case) -> int:
        """The number of the score that a text gets for a case."""
        due = (case.expected_top_level_heads, case.reference_expr)
        number = known.numbers.get(due)
        if number is None:
            exact = self._is_reference(known, case.reference_expr)
            score = _score(known.judgement, head_ok=known.judgement.head in due[0], exact=exact)
            number = known.numbers[due] = self.table.setdefault(score, len(self.table))
        return number

    def _is_reference(self, known: _Known, reference: str) -> bool:
        """Whether a text is the same program as a reference, by their canonical texts."""
        if known.text == reference:
            return True
        # A canonical text begins with its head; a reference that begins otherwise is another program.
        head = known.judgement.head
        if not head or not reference.lstrip(' \t\r\n"').startswith(head):
            return False
        if self.language.is_spaced_alike(known.text, reference):
            return True
        due = self._references.get(reference)
        if due is None:
            due = self.language.canonical_of(reference)
            if len(self._references) < self._remember and len(reference) <= _LONGEST_KEPT:
                self._references[reference] = due
        return due is not None and due == known.canonical(self.language)


def _score(judgement: Judgement, *, head_ok: bool, exact: bool) -> Score:
    if judgement.parse_error is not None:
        return Score(categories=(PARSE_ERROR,), decision=judgement.decision, parse_error=judgement.parse_error)
    return Score(
        categories=_categories(judgement, head_ok=head_ok),
        parse_ok=True,
        validate_ok=judgement.is_valid,
        head_ok=head_ok,
        hallucinated=judgement.hallucinated,
        decision=judgement.decision,
        exact=exact,
    )


def _categories(judgement: Judgement, *, head_ok: bool) -> tuple[str, ...]:
    if judgement.is_valid and head_ok and not judgement.hallucinated and not judgement.is_outside:
        return ()
    found = (
        (VALIDATION_ERROR, not judgement.is_valid),
        (HEAD_MISMATCH, not head_ok),
        (HALLUCINATED, bool(judgement.hallucinated)),
        (SPECIFICATION_ERROR, judgement.is_outside),
    )
    return tuple(category for category, holds in found if holds)


def score_one(case: Case, output: str | None, language: Language) -> Score:
    """The score of one output for a case."""
    if output is None:
        return _MISSING
    judge = _Judge(language, 0)
    number = judge.number(judge.judge(output), case)
    return list(judge.table)[number]


def score(
    fixture: Fixture,
    pairs: Iterable[tuple[int, str | None]],
    language: Language,
    *,
    keep_answers: bool,
    remember: int = REMEMBERED,
) -> Scored:
    """Every case has its score; a case without an output fails as missing.

    Args:
        fixture: The cases.
        pairs: The number of a case and its output, each case at most once.
        language: The fixture's.
        keep_answers: Whether outputs and canonical texts are kept, too.
        remember: How many judgements are kept for outputs that repeat; no score depends on it.
    """
    judge = _Judge(language, remember)
    of_case = array("i", bytes(4 * len(fixture.cases)))
    answers = [_NO_ANSWER] * len(fixture.cases) if keep_answers else None
    around: Counter[str] = Counter()
    for case, output in pairs:
        if output is None:
            continue
        known = judge.judge(output)
        of_case[case] = judge.number(known, fixture.cases[case])
        for name in known.judgement.around:
            around[name] += 1
        if answers is not None:
            answers[case] = Answer(output, known.canonical(language))
    bare_head = _bare_heads(fixture, judge)
    return Scored(
        fixture=fixture, table=list(judge.table), of_case=of_case, answers=answers, bare_head=bare_head, around=around
    )


def _bare_heads(fixture: Fixture, judge: _Judge) -> list[bool]:
    """For each case, whether one of its heads alone, without arguments, would have passed."""
    passing: dict[tuple[str, ...], bool] = {}
    for case in fixture.cases:
        heads = case.expected_top_level_heads
        if heads not in passing:
            passing[heads] = any(_passes_bare(judge.language.judge(head), head) for head in heads)
    return [passing[case.expected_top_level_heads] for case in fixture.cases]


def _passes_bare(judgement: Judgement, head: str) -> bool:
    return judgement.head == head and not _categories(judgement, head_ok=True)
