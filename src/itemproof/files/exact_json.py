"""The slow, exact reading of one JSON text: every number as it stands, and every fault with its place."""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any, Final, NoReturn

from itemproof.core.errors import InvalidInput
from itemproof.core.findings import Code, Finding, Findings
from itemproof.core.where import Where

__all__ = ["MAX_DEPTH", "MAX_DIGITS", "NOT_JSON", "NOT_UTF8", "read_exactly"]

NOT_JSON: Final = Code("J001", "a text is not JSON")
DUPLICATE_KEY: Final = Code("J002", "a key stands twice in one object")
NOT_FINITE: Final = Code("J003", "a number is not finite")
TOO_MANY_DIGITS: Final = Code("J004", "an integer has more digits than are kept")
LONE_SURROGATE: Final = Code("J005", "a text holds half of a surrogate pair")
TOO_DEEP: Final = Code("J006", "a value is nested too deeply")
NOT_UTF8: Final = Code("J007", "a text is not UTF-8")
LATE_BOM: Final = Code("J008", "a byte order mark stands where no file begins")

#: How many lists and objects may lie in one another.
MAX_DEPTH: Final = 200
#: The digits of the longest integer that is kept; Python itself reads no longer ones.
MAX_DIGITS: Final = 4300

# A string that never closes is taken to the end, so that hostile text costs one pass.
_STRING: Final = re.compile(r'"(?:[^"\\]+|\\.?)*+"?', re.DOTALL)
_BRACKET: Final = re.compile(r"[\[\]{}]")
_SURROGATE: Final = re.compile("[\ud800-\udfff]")
_PLAIN_KEY: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,79}")


class _Fault:
    """Stands in the tree where a value should be, until the walk gives it a path."""

    def __init__(self, code: Code, text: str) -> None:
        self.code = code
        self.text = text


class _Repeating(dict[str, Any]):
    """An object in which keys repeat."""

    repeated: list[str]


def read_exactly(text: bytes) -> Any:
    """The value of a JSON text, numbers exact.

    Args:
        text: UTF-8, without a byte order mark; white space around the value is fine.

    Raises:
        InvalidInput: With every fault that can be told apart, by JSON path (J001 to J008).
    """
    decoded = _decode(text)
    _refuse_depth(decoded)
    value = _parse(decoded)
    findings = Findings()
    for finding in _faults(value, "$"):
        findings.add(finding)
    if findings:
        raise InvalidInput(findings)
    return value


def _refuse(code: Code, text: str) -> NoReturn:
    findings = Findings()
    findings.add(Finding(code, text, Where(path="$")))
    raise InvalidInput(findings)


def _decode(text: bytes) -> str:
    try:
        decoded = text.decode("utf-8")
    except UnicodeDecodeError as error:
        found = text[error.start : error.end].hex(" ")
        _refuse(NOT_UTF8, f"found the bytes {found} at byte {error.start + 1}, which are no UTF-8; save it as UTF-8.")
    if decoded.startswith("\ufeff"):
        _refuse(LATE_BOM, "found a byte order mark, which only the start of a file may have; remove these three bytes.")
    return decoded


def _refuse_depth(text: str) -> None:
    depth = 0
    for bracket in _BRACKET.finditer(_STRING.sub("", text)):
        depth += 1 if bracket[0] in "[{" else -1
        if depth > MAX_DEPTH:
            _refuse(TOO_DEEP, f"found more than {MAX_DEPTH} lists and objects in one another; flatten the value.")


def _parse(text: str) -> Any:
    try:
        return _DECODER.decode(text)
    except json.JSONDecodeError as error:
        _refuse(NOT_JSON, _syntax(text, error))


def _syntax(text: str, error: json.JSONDecodeError) -> str:
    if not text.strip(" \t\r\n"):
        return "found nothing, expected a JSON value."
    place = f"at character {error.pos + 1}"
    if error.msg.startswith("Unterminated string"):
        return f"the text that begins {place} is never closed."
    if error.msg.startswith("Invalid control character"):
        return f"found the control character U+{ord(text[error.pos]):04X} {place}; JSON writes it as an escape."
    rest = text[error.pos : error.pos + 20]
    if not rest:
        return f"the JSON ends too early, {place}."
    found = json.dumps(rest)
    if error.msg.startswith("Extra data"):
        return f"found {found} {place}, behind the end of the value; expected one value."
    return f"found {found} {place}, where JSON has another form."


def _integer(digits: str) -> int | _Fault:
    count = len(digits.removeprefix("-"))
    if count <= MAX_DIGITS:
        try:
            return int(digits)
        except ValueError:  # this interpreter was told to read fewer
            pass
    return _Fault(
        TOO_MANY_DIGITS, f"found an integer of {count:,} digits; up to {MAX_DIGITS:,} are kept. Make it a text."
    )


def _float(digits: str) -> float | _Fault:
    value = float(digits)
    if math.isfinite(value):
        return value
    return _Fault(NOT_FINITE, f"{digits[:40]} is larger than any number that is kept; null means unknown.")


def _constant(word: str) -> _Fault:
    return _Fault(NOT_FINITE, f"{word} is not a number that JSON or this archive knows; null means unknown.")


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    plain = dict(pairs)
    if len(plain) == len(pairs):
        return plain
    repeating = _Repeating(plain)
    repeating.repeated = [key for key, count in Counter(key for key, _ in pairs).items() if count > 1]
    return repeating


_DECODER: Final = json.JSONDecoder(
    object_pairs_hook=_object, parse_int=_integer, parse_float=_float, parse_constant=_constant
)


def _faults(value: Any, path: str) -> Iterator[Finding]:
    """The faults of a value in reading order."""
    if isinstance(value, _Fault):
        yield Finding(value.code, value.text, Where(path=path))
    elif isinstance(value, str):
        yield from _surrogates(value, path)
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _faults(item, f"{path}[{index}]")
    elif isinstance(value, dict):
        if isinstance(value, _Repeating):
            for key in value.repeated:
                text = "the key stands twice in its object; which value holds cannot be told. Keep one."
                yield Finding(DUPLICATE_KEY, text, Where(path=path + _step(key)))
        for key, item in value.items():
            yield from _surrogates(key, path + _step(key))
            yield from _faults(item, path + _step(key))


def _surrogates(text: str, path: str) -> Iterator[Finding]:
    if half := _SURROGATE.search(text):
        found = f"found \\u{ord(half[0]):04x} without its other half, which no UTF-8 can hold"
        yield Finding(LONE_SURROGATE, f"{found}; repair the text where it was cut.", Where(path=path))


def _step(key: str) -> str:
    """A key as a step of a JSON path, in ASCII unless it needs no quotes."""
    return f".{key}" if _PLAIN_KEY.fullmatch(key) else f"[{json.dumps(key[:80])}]"
