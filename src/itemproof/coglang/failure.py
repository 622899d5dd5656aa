"""What it is when a text is no expression: a reason, a token position, and the place for people."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from itemproof.coglang.ast import Application
from itemproof.coglang.source import Place, excerpt, place_of_token
from itemproof.core.findings import Code, Finding
from itemproof.core.where import Where

__all__ = [
    "BAD_KEY",
    "EMPTY_INPUT",
    "NESTING_TOO_DEEP",
    "NOT_AN_EXPRESSION",
    "NO_COLON",
    "PARSE_ERROR",
    "TRAILING_TOKENS",
    "UNCLOSED_BRACKET",
    "UNCLOSED_DICT",
    "UNEXPECTED_END",
    "ParseFailure",
    "Reason",
]

#: The head under which a failure is written; an expression that a model writes with it counts as one.
PARSE_ERROR: Final = "ParseError"


@dataclass(frozen=True, slots=True)
class Reason:
    """A kind of parse failure.

    Attributes:
        code: For findings.
        text: The reason as the language's own tools write it.
        advice: What was due, and the next step.
    """

    code: Code
    text: str
    advice: str


EMPTY_INPUT: Final = Reason(
    Code("L001", "nothing to read"), "empty_input", "Write one expression, such as Equal[1, 1]."
)
TRAILING_TOKENS: Final = Reason(
    Code("L002", "text behind the expression"),
    "trailing_tokens",
    "One expression was due and nothing behind it; remove what follows, or join several expressions with Do[…].",
)
NOT_AN_EXPRESSION: Final = Reason(
    Code("L003", "a value instead of an expression"),
    "not_an_expression",
    "A head with brackets was due, such as List[…]; a number, a variable, a dict or a text alone is no expression.",
)
UNCLOSED_BRACKET: Final = Reason(
    Code("L004", "a bracket that is never closed"), "unclosed_bracket", "The text ends where a ] was due; add it."
)
UNEXPECTED_END: Final = Reason(
    Code("L005", "the text ends where a value was due"),
    "unexpected end of input",
    "The text ends behind the colon of a dict entry; add the value and close the dict.",
)
NO_COLON: Final = Reason(
    Code("L006", "a dict key without a colon"), "expected ':' after dict key", 'Write dict entries as "key": value.'
)
BAD_KEY: Final = Reason(
    Code("L007", "a dict key that is no string"),
    "dict key must be a quoted string, got {}",
    'Write dict entries as "key": value, with the key in double quotes.',
)
UNCLOSED_DICT: Final = Reason(
    Code("L008", "a dict that is never closed"), "unclosed dict literal '{'", "The text ends where a } was due; add it."
)
NESTING_TOO_DEEP: Final = Reason(
    Code("L009", "nested too deep"), "nesting_too_deep", "More than 1,000 levels are open here; none deeper are read."
)


@dataclass(frozen=True, slots=True)
class ParseFailure:
    """Why a text is no expression.

    Attributes:
        kind: Which of the reasons.
        reason: Its text, with the offending token where it names one.
        position: The index of the token where it was noticed, from 0; the number of tokens at the end.
        source: The whole text.
        partial: What had been read of the innermost open application, or of the expression before trailing tokens.
    """

    kind: Reason
    reason: str
    position: int
    source: str
    partial: Application | None = None

    @property
    def place(self) -> Place:
        """Where it was noticed, by line and column."""
        return place_of_token(self.source, self.position)

    @property
    def excerpt(self) -> str:
        """The line, and a caret under the place."""
        return excerpt(self.source, self.place)

    @property
    def expression(self) -> Application:
        """The failure as the language itself writes it: `ParseError["reason", position]`."""
        return Application(PARSE_ERROR, (self.reason, self.position))

    @property
    def finding(self) -> Finding:
        """The failure for people: line, column, what was found and what was due."""
        place = self.place
        text = f"column {place.column}: {self.reason}. {self.kind.advice}"
        return Finding(self.kind.code, text, Where(line=place.line))
