"""What a language must be able to do so that texts in it can be scored."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import msgspec

__all__ = ["Judgement", "Language", "Remark"]


class Judgement(msgspec.Struct, frozen=True, kw_only=True, eq=False, gc=False):
    """What a text is, whatever was asked.

    Attributes:
        decision: Whether it may run.
        parse_error: Why it is no expression, in the language's words; None when it is one.
        head: The outermost head; empty when it is no expression.
        is_valid: Whether the expression is valid.
        hallucinated: The heads that the language does not have, each once, by code point.
        is_outside: Whether a strict scorer holds something against a valid expression.
        around: What stands around an expression that is none for it, by name: a fence, prose, another expression.
        expression: The tree, for the language alone.
    """

    decision: str
    parse_error: str | None = None
    head: str = ""
    is_valid: bool = False
    hallucinated: tuple[str, ...] = ()
    is_outside: bool = False
    around: tuple[str, ...] = ()
    expression: Any = None


class Remark(msgspec.Struct, frozen=True):
    """Something to know about a text; it changes no verdict.

    Attributes:
        code: For the reference page.
        name: A stable key.
        text: For people: what was found and what to do.
        line: From 1.
        column: From 1, in characters.
        count: How many places of the text show it.
        is_outside: Whether the language's specification excludes it.
    """

    code: str
    name: str
    text: str
    line: int
    column: int
    count: int
    is_outside: bool


class Language(Protocol):
    """A language whose texts can be scored. Nothing of it raises, whatever the text."""

    @property
    def name(self) -> str:
        """As a fixture names it."""
        ...

    def judge(self, text: str) -> Judgement:
        """What the text is."""
        ...

    def canonical(self, judgement: Judgement) -> str | None:
        """The one text of an expression that was judged; None for what is none."""
        ...

    def canonical_of(self, text: str) -> str | None:
        """The one text of an expression; None for a text that is none."""
        ...

    def is_spaced_alike(self, one: str, other: str) -> bool:
        """Whether two texts differ in blanks between tokens alone, so that they are the same program if any."""
        ...

    def remarks(self, text: str) -> Sequence[Remark]:
        """What the author of the text should know, in the order of the text."""
        ...

    def page(self) -> str:
        """The page that teaches the language, as Markdown."""
        ...
