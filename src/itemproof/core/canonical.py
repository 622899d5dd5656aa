"""One JSON value, one sequence of bytes: for artifacts, digests and structured answers."""

from __future__ import annotations

import json
from typing import Any

__all__ = ["canonical_bytes", "canonical_text"]


def canonical_text(value: Any) -> str:
    """The canonical JSON text: keys by code point at every level, no blanks, non-ASCII kept, integers exact.

    Floats are written as the shortest text that reads back as the same number.

    Raises:
        ValueError: A number is not finite, or a key is no text.
    """
    return json.dumps(value, sort_keys=True, ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def canonical_bytes(value: Any) -> bytes:
    """The canonical JSON text in UTF-8.

    Raises:
        ValueError: As `canonical_text`; also for a lone surrogate, which UTF-8 cannot hold.
    """
    return canonical_text(value).encode("utf-8")
