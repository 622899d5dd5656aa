"""Which languages there are."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from itemproof.core.errors import invalid
from itemproof.core.findings import Code
from itemproof.core.where import Where
from itemproof.generation.coglang_language import CogLang
from itemproof.generation.language import Language

__all__ = ["DEFAULT_LANGUAGE", "language"]

UNKNOWN_LANGUAGE: Final = Code("G007", "a fixture is in a language that is not known")

#: What a fixture is in that names no language.
DEFAULT_LANGUAGE: Final = "coglang"

_LANGUAGES: Final[dict[str, Callable[[bool], Language]]] = {DEFAULT_LANGUAGE: lambda strict: CogLang(strict=strict)}


def language(name: str, where: Where, *, strict: bool = False) -> Language:
    """The language that a fixture names.

    Args:
        name: As in the fixture.
        where: The fixture, for the refusal.
        strict: Whether what the specification excludes is no expression, even if the reference tool reads it.

    Raises:
        InvalidInput: There is none of that name (G007).
    """
    if name not in _LANGUAGES:
        known = ", ".join(_LANGUAGES)
        raise invalid(UNKNOWN_LANGUAGE, f"found {name!r}, expected one of {known}; mend the fixture.", where)
    return _LANGUAGES[name](strict)
