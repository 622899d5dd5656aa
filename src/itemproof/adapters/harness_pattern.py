"""Takes task names apart by a pattern that the user asserts; a name that can be read in two ways is refused.

A task name says nothing by itself: `gsm8k_cot_en` may be a benchmark in English or a part of another's name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from itemproof.core.errors import InvalidInput, invalid
from itemproof.core.findings import Code

__all__ = ["NamePattern", "name_pattern"]

NO_FIT: Final = Code("H020", "a task name does not fit the name pattern")
BAD_PATTERN: Final = Code("H021", "a name pattern cannot be read")

_PLACEHOLDERS: Final = ("benchmark", "language", "script", "variant")
_TOKEN: Final = re.compile(r"\{([^{}]*)\}|([{}\[\]])|([^{}\[\]]+)")
#: A language as its codes are written: es, arz, pt-BR, zh_CN, eng_Latn.
_LANGUAGE: Final = re.compile(r"[a-z]{2,3}(?:[-_](?:[A-Z]{2}|[A-Z][a-z]{3}|[0-9]{3}))*")


class _Token(NamedTuple):
    text: str
    is_placeholder: bool = True


@dataclass(frozen=True, slots=True)
class NamePattern:
    """An asserted pattern of task names.

    Attributes:
        text: As it was given.
        forms: Its tokens, with and without each optional part.
    """

    text: str
    forms: tuple[tuple[_Token, ...], ...]

    def read(self, task: str) -> dict[str, str]:
        """The parts of a task name by placeholder.

        Where there are several readings, those count in which the language is written as a code, and as a whole one:
        pt_BR is not pt with a variant BR.

        Raises:
            InvalidInput: The name does not fit, or more than one reading is left (H020).
        """
        readings: list[dict[str, str]] = []
        for form in self.forms:
            readings.extend(reading for reading in _readings(form, task) if reading not in readings)
        coded = [reading for reading in readings if _LANGUAGE.fullmatch(reading.get("language", ""))]
        left = [reading for reading in coded or readings if not any(_is_cut(reading, other) for other in coded)]
        if len(left) == 1:
            return left[0]
        raise self._no_fit(task, left)

    def _no_fit(self, task: str, readings: Sequence[dict[str, str]]) -> InvalidInput:
        if not readings:
            text = (
                f"the task {task!r} does not fit --name-pattern {self.text!r}; name benchmark and language by options."
            )
            return invalid(NO_FIT, text, outcome="Nothing was imported.")
        shown = " or ".join(", ".join(f"{name} {value!r}" for name, value in one.items()) for one in readings[:3])
        text = (
            f"the task {task!r} can be read by --name-pattern {self.text!r} as {shown}."
            " Write out in the pattern what all names share, such as mmlu_pro_{language}."
        )
        return invalid(NO_FIT, text, outcome="Nothing was imported.")


def _is_cut(reading: dict[str, str], other: dict[str, str]) -> bool:
    """Whether the language of a reading is a part of another's that begins at the same place."""
    same_place = reading.get("benchmark") == other.get("benchmark")
    return same_place and other["language"].startswith(f"{reading['language']}_")


def _readings(form: tuple[_Token, ...], name: str) -> Iterator[dict[str, str]]:
    """Every way in which the tokens, one after the other, make up the name."""
    if not form:
        if not name:
            yield {}
        return
    token, rest = form[0], form[1:]
    if not token.is_placeholder:
        if name.startswith(token.text):
            yield from _readings(rest, name[len(token.text) :])
        return
    for end in range(len(name), 0, -1):
        value = name[:end]
        if token.text == "language" and "_" in value and _LANGUAGE.fullmatch(value) is None:
            continue
        for others in _readings(rest, name[end:]):
            yield {token.text: value, **others}


def name_pattern(text: str) -> NamePattern:
    """The pattern that a text such as `{benchmark}_{language}[_{variant}]` means; a part in brackets may be absent.

    Raises:
        InvalidInput: A bracket or brace has no partner, or a placeholder is unknown or occurs twice (H021).
    """
    forms: list[tuple[_Token, ...]] = [()]
    optional: tuple[_Token, ...] | None = None
    for match in _TOKEN.finditer(text):
        placeholder, mark, literal = match.groups()
        if mark == "[" and optional is None:
            optional = ()
        elif mark == "]" and optional is not None:
            forms = [form + tail for tail in (optional, ()) for form in forms]
            optional = None
        elif mark is not None:
            raise _unreadable(text, f"{mark!r} has no partner")
        else:
            token = _Token(literal, is_placeholder=False) if placeholder is None else _Token(placeholder)
            if optional is None:
                forms = [(*form, token) for form in forms]
            else:
                optional = (*optional, token)
    if optional is not None:
        raise _unreadable(text, "'[' has no partner")
    _check_placeholders(text, [token.text for token in forms[0] if token.is_placeholder])
    return NamePattern(text, tuple(forms))


def _check_placeholders(text: str, names: Sequence[str]) -> None:
    if not names:
        raise _unreadable(text, "it has no placeholder")
    for name in names:
        if name not in _PLACEHOLDERS:
            raise _unreadable(text, f"{{{name}}} is no placeholder")
        if names.count(name) > 1:
            raise _unreadable(text, f"{{{name}}} occurs twice")


def _unreadable(text: str, fault: str) -> InvalidInput:
    known = ", ".join(f"{{{name}}}" for name in _PLACEHOLDERS)
    return invalid(
        BAD_PATTERN, f"--name-pattern {text!r}: {fault}. Placeholders are {known}; [ ] holds what may be absent."
    )
