"""JSON that means one thing: no repeated key, no number changed, and one way to write each value.

Reading is done by orjson, which forgives three things silently: the last of repeated keys wins, an integer beyond 64
bits becomes a float, and any depth up to 1,024 passes. Writing the parsed value again brings all three to light: a
dropped key has lost a colon, such a float is written with `e+`, and the writer's own depth limit is ours once the value
lies in enough brackets. Where one of these signs shows, true or false alarm, the exact reader decides.
"""

from __future__ import annotations

import math
import re
from typing import Any, Final

import orjson

from itemproof.core.errors import InvalidInput
from itemproof.core.findings import Findings
from itemproof.core.where import NOWHERE, Where
from itemproof.files.exact_json import MAX_DEPTH, read_exactly

__all__ = ["dumps", "dumps_line", "finished", "loads", "loads_many", "raw_line"]

#: The depth at which orjson's writer stops.
_WRITER_DEPTH: Final = 254
_LARGE: Final = re.compile(rb"e\+\d")
_ESCAPED_COLON: Final = re.compile(rb"\\u003[aA]")
_COLON: Final = ord(":")
#: Below this size counting bytes by numpy costs more than it saves, as does loading it.
_NUMPY_BYTES: Final = 16 << 10
#: Characters that line readers other than ours may take for the end of a line, their last bytes, and their escapes.
_SEPARATORS: Final = (
    (b"\xa8", b"\xe2\x80\xa8", rb"\u2028"),
    (b"\xa9", b"\xe2\x80\xa9", rb"\u2029"),
    (b"\x85", b"\xc2\x85", rb"\u0085"),
)
_OPTIONS: Final = orjson.OPT_PASSTHROUGH_DATETIME | orjson.OPT_PASSTHROUGH_DATACLASS | orjson.OPT_PASSTHROUGH_SUBCLASS
_LINE: Final = _OPTIONS | orjson.OPT_APPEND_NEWLINE


def loads(text: bytes, where: Where = NOWHERE) -> Any:
    """The value of a JSON text, with every number exact and every key once.

    Args:
        text: UTF-8 without a byte order mark.
        where: The place of the text, for the faults.

    Raises:
        InvalidInput: With every fault of the text (J001 to J008).
    """
    values = loads_many([text], text)
    if values is not None:
        return values[0]
    try:
        return read_exactly(text)
    except InvalidInput as error:
        placed = Findings()
        for finding in error.findings:
            placed.add(finding.at(file=where.file, line=where.line, path=where.path))
        placed.count = error.findings.count
        raise InvalidInput(placed) from None


def loads_many(texts: list[bytes], raw: bytes) -> list[Any] | None:
    """The values of some JSON texts; None when one of them may be at fault, and each must be read by `loads`.

    Args:
        texts: The texts.
        raw: The bytes that they were cut from, with nothing but white space between them.
    """
    if not _TRUSTED:
        return None
    try:
        values = list(map(orjson.loads, texts))
        written = orjson.dumps(_wrapped(values))
    except (orjson.JSONDecodeError, orjson.JSONEncodeError):
        return None
    if _colons(raw) != _colons(written):
        return None
    if _may_hold(raw, b"\\u") and _ESCAPED_COLON.search(raw):
        return None
    if b"+" in written and _may_hold(written, b"e+") and _LARGE.search(written):
        return None
    return values


def dumps(value: Any) -> bytes:
    """The value as compact JSON in UTF-8, keys in their order, on one line by anybody's reckoning, without a line end.

    Equal values give equal bytes, whichever way they were read. U+2028, U+2029 and U+0085 are written as escapes.

    Raises:
        ValueError: A number is not finite, or a text holds a lone surrogate.
        TypeError: A value or a key is of no JSON type.
    """
    _refuse_not_finite(value)
    return dumps_line(value)[:-1]


def dumps_line(value: Any) -> bytes:
    """As `dumps`, with a line feed, and without the search for numbers that are not finite: `loads` gives none.

    Raises:
        ValueError: A text holds a lone surrogate.
        TypeError: A value or a key is of no JSON type.
    """
    return finished(raw_line(value))


def raw_line(value: Any) -> bytes:
    """As `dumps_line`, with separators as they are: for the hot loop, which calls `finished` on many lines together.

    Raises:
        ValueError: A text holds a lone surrogate.
        TypeError: A value or a key is of no JSON type.
    """
    try:
        return orjson.dumps(value, option=_LINE)
    except orjson.JSONEncodeError:
        return orjson.dumps(_with_large_integers(value), option=_LINE)


def finished(written: bytes) -> bytes:
    """The same lines, with characters that other readers take for the end of a line as escapes."""
    if not written.isascii():
        for last_byte, separator, escape in _SEPARATORS:
            if last_byte in written and _may_hold(written, separator[-2:]):
                written = written.replace(separator, escape)
    return written


def _wrapped(values: list[Any]) -> list[Any]:
    """The list in so many others that the writer fails where a value is nested too deeply."""
    for _ in range(_WRITER_DEPTH - MAX_DEPTH - 1):
        values = [values]
    return values


def _colons(data: bytes) -> int:
    if len(data) < _NUMPY_BYTES:
        return data.count(b":")
    import numpy as np

    return int(np.count_nonzero(np.frombuffer(data, dtype=np.uint8) == _COLON))


def _may_hold(data: bytes, pair: bytes) -> bool:
    """Whether two bytes stand side by side somewhere; true without a look where a search costs little anyway."""
    if len(data) < _NUMPY_BYTES:
        return True
    import numpy as np

    view = np.frombuffer(data, dtype=np.uint8)
    return bool(((view[:-1] == pair[0]) & (view[1:] == pair[1])).any())


def _refuse_not_finite(value: Any) -> None:
    if type(value) is float:
        if not math.isfinite(value):
            raise ValueError(f"{value} has no form in JSON")
    elif isinstance(value, dict):
        for item in value.values():
            _refuse_not_finite(item)
    elif isinstance(value, list | tuple):
        for item in value:
            _refuse_not_finite(item)


def _with_large_integers(value: Any) -> Any:
    """The value with integers beyond 64 bits as ready text."""
    if type(value) is int:
        return orjson.Fragment(str(value).encode("ascii")) if value.bit_length() > 63 else value
    if isinstance(value, str):
        value.encode("utf-8")  # raises the ValueError that says where
    if isinstance(value, dict):
        return {
            _with_large_integers(key) if isinstance(key, str) else key: _with_large_integers(item)
            for key, item in value.items()
        }
    if isinstance(value, list | tuple):
        return [_with_large_integers(item) for item in value]
    return value


def _nested(depth: int) -> list[Any]:
    value: list[Any] = []
    for _ in range(depth - 1):
        value = [value]
    return value


def _writes(value: Any) -> bool:
    try:
        orjson.dumps(value)
    except orjson.JSONEncodeError:
        return False
    return True


#: Whether the installed orjson shows the signs that the fast way relies on.
_TRUSTED: Final = (
    _LARGE.search(orjson.dumps(2.0**63)) is not None
    and _writes(_nested(_WRITER_DEPTH))
    and not _writes(_nested(_WRITER_DEPTH + 1))
)
