"""Everything that is known about a text before a budget is asked: parsed once, walked once."""

from __future__ import annotations

import msgspec

from itemproof.coglang.ast import Application
from itemproof.coglang.failure import PARSE_ERROR, ParseFailure
from itemproof.coglang.parser import parse
from itemproof.coglang.printer import canonical
from itemproof.coglang.survey import Survey, survey
from itemproof.coglang.validate import is_valid

__all__ = ["Reading", "read"]


class Reading(msgspec.Struct, frozen=True, eq=False):
    """A text and what it is.

    Attributes:
        text: As given.
        parsed: The expression or the failure. A `ParseError[…]` that stands in the text is an expression here.
        canonical: The canonical text, of a failure too.
        survey: The walk over the expression; None for a failure, one that is written out in the text included.
        is_valid: Whether the rules hold; False for a failure.
    """

    text: str
    parsed: Application | ParseFailure
    canonical: str
    survey: Survey | None
    is_valid: bool

    @property
    def is_failure(self) -> bool:
        """Whether every consumer takes the text for a parse error."""
        return self.survey is None

    @property
    def heads(self) -> list[str]:
        """The heads in walk order; none of a failure."""
        return self.survey.heads if self.survey else []

    @property
    def hallucinated(self) -> list[str]:
        """The heads outside the vocabulary, each once, by code point; none of a failure."""
        return self.survey.hallucinated if self.survey else []


def read(text: str, *, terms_are_data: bool = False) -> Reading:
    """The reading of any text; nothing raises.

    Args:
        text: One expression, or what should be one.
        terms_are_data: Whether heads that begin with a lower-case letter are terms, neither checked nor counted.
    """
    parsed = parse(text)
    written = canonical(parsed)
    if isinstance(parsed, ParseFailure) or parsed.head == PARSE_ERROR:
        return Reading(text, parsed, written, None, False)
    found = survey(parsed, terms_are_data=terms_are_data)
    return Reading(text, parsed, written, found, is_valid(found))
