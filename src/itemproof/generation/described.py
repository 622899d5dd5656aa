"""A JSON value in a few words, for messages about values of a wrong kind."""

from __future__ import annotations

import json
from typing import Any, Final

__all__ = ["described"]

_LONGEST: Final = 60


def described(value: Any) -> str:
    """What was found: `null`, `a list`, `the number 3`, or the start of a text in quotes."""
    if value is None:
        return "null or nothing"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int | float):
        return f"the number {json.dumps(value)[:_LONGEST]}"
    if isinstance(value, str):
        shown = json.dumps(value[: _LONGEST + 1], ensure_ascii=False)
        return shown if len(value) <= _LONGEST else f"a text that begins {shown[:_LONGEST]}…"
    return "a list" if isinstance(value, list) else "an object"
