"""CogLang texts as the scorer sees them: one parse, one walk, and the canonical text only where it is asked for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from itemproof.coglang.ast import Application
from itemproof.coglang.failure import PARSE_ERROR, ParseFailure
from itemproof.coglang.lexer import tokenize
from itemproof.coglang.parser import parse
from itemproof.coglang.preflight import preflight
from itemproof.coglang.printer import canonical
from itemproof.coglang.reading import Reading, read
from itemproof.coglang.rules.rebound_variable import rebound_variable
from itemproof.coglang.source import place_of_token
from itemproof.coglang.survey import Survey, survey
from itemproof.coglang.validate import RULES, SPECIFICATION, check_specification, is_valid
from itemproof.coglang.wrapping import wrapping
from itemproof.generation.language import Judgement, Remark

if TYPE_CHECKING:
    from itemproof.coglang.diagnostics import Diagnostic
    from itemproof.coglang.rules.base import Rule

__all__ = ["CogLang"]

_PAGE: Final = "coglang-language.md"
_REJECTED: Final = "rejected"
#: The stable keys of remarks on rules.
_RULE_NAMES: Final = {
    "L020": "unknown_head",
    "L021": "wrong_arity",
    "L022": "spec_arity",
    "L023": "binding_slot",
    "L024": "compose_signature",
    "L025": "delete_edge",
    "L026": "rebound_variable",
}
#: Combinations of heads that are remembered; texts rarely have more.
_REMEMBERED: Final = 4096


class _OfHeads(NamedTuple):
    decision: str
    is_valid: bool
    hallucinated: tuple[str, ...]


class CogLang:
    """The language by its reference tool, or strictly by its specification.

    Args:
        strict: Texts that the specification excludes are no expressions; heads in lower case are data; and what the
            specification asks of arguments is held against a valid expression.
    """

    name = "coglang"

    def __init__(self, *, strict: bool = False) -> None:
        self._strict = strict
        self._known: dict[tuple[Any, ...], _OfHeads] = {}

    def judge(self, text: str) -> Judgement:
        """What the text is."""
        parsed = parse(text)
        if isinstance(parsed, ParseFailure):
            return Judgement(decision=_REJECTED, parse_error=canonical(parsed), around=_around(parsed))
        if parsed.head == PARSE_ERROR:
            return Judgement(decision=_REJECTED, parse_error=canonical(parsed))
        if self._strict and (excluded := _excluded(text)) is not None:
            return Judgement(decision=_REJECTED, parse_error=excluded)
        found = survey(parsed, terms_are_data=self._strict)
        of_heads = self._of_heads(found, is_valid=is_valid(found))
        return Judgement(
            decision=of_heads.decision,
            head=parsed.head,
            is_valid=of_heads.is_valid,
            hallucinated=of_heads.hallucinated,
            is_outside=self._strict and bool(check_specification(found, text)),
            expression=parsed,
        )

    def _of_heads(self, found: Survey, *, is_valid: bool) -> _OfHeads:
        """What follows from the heads, the depth and the validity of an expression, and from nothing else of it."""
        key = (is_valid, found.traversal_depth, *found.heads)
        known = self._known.get(key)
        if known is None:
            reading = Reading("", found.root, "", found, is_valid)
            known = _OfHeads(preflight(reading).decision, is_valid, tuple(found.hallucinated))
            if len(self._known) < _REMEMBERED:
                self._known[key] = known
        return known

    def canonical(self, judgement: Judgement) -> str | None:
        """The canonical text of an expression; None for what is none."""
        return None if judgement.expression is None else canonical(judgement.expression)

    def canonical_of(self, text: str) -> str | None:
        """The canonical text of an expression; None for a text that is none."""
        parsed = parse(text)
        return None if isinstance(parsed, ParseFailure) else canonical(parsed)

    def is_spaced_alike(self, one: str, other: str) -> bool:
        """Whether two texts have the same tokens."""
        return tokenize(one) == tokenize(other)

    def remarks(self, text: str) -> Sequence[Remark]:
        """The rules that the text breaks and its diagnostics, each kind once, in the order of the text."""
        from itemproof.coglang.diagnostics import diagnose

        reading = read(text, terms_are_data=self._strict)
        remarks = [_remark(one) for one in diagnose(reading)]
        if reading.survey is not None:
            remarks += _broken(RULES, reading.survey.checked, text)
        if reading.survey is not None and self._strict:
            rules = (*SPECIFICATION, rebound_variable(reading.survey.root))
            remarks += _broken(rules, reading.survey.applications, text)
        return sorted(remarks, key=lambda remark: (remark.line, remark.column, remark.code))

    def page(self) -> str:
        """The page that teaches the language."""
        return (files("itemproof.generation") / "data" / _PAGE).read_text(encoding="utf-8")


def _around(failure: ParseFailure) -> tuple[str, ...]:

    return tuple(flag.name for flag, _ in wrapping(failure, tokenize(failure.source)))


def _excluded(text: str) -> str | None:
    """A parse error for the first thing in an expression that the specification excludes."""
    from itemproof.coglang.diagnostics import diagnose

    for found in diagnose(read(text)):
        if found.flag.is_outside:
            return canonical(Application(PARSE_ERROR, (found.flag.name, found.position)))
    return None


def _broken(rules: Sequence[Rule], applications: Sequence[Application], text: str) -> Iterator[Remark]:
    """The rules that applications of a text break, each with its first place."""
    for rule in rules:
        broken = [application for application in applications if rule.is_broken(application)]
        if broken:
            place = place_of_token(text, broken[0].position)
            yield Remark(
                code=rule.code.id,
                name=_RULE_NAMES[rule.code.id],
                text=f"column {place.column}: {rule.explain(broken[0])}",
                line=place.line,
                column=place.column,
                count=len(broken),
                is_outside=rule not in RULES,
            )


def _remark(found: Diagnostic) -> Remark:
    flag, place = found.flag, found.place
    return Remark(
        code=flag.code.id,
        name=flag.name,
        text=found.finding.text,
        line=place.line,
        column=place.column,
        count=found.count,
        is_outside=flag.is_outside,
    )
