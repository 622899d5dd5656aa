"""Texts that look like keys or tokens, found before they become immutable or public."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

__all__ = ["key_like_paths", "looks_like_key"]

#: Shapes that issuers give their keys, and assignments that say what they are.
_SHAPES: Final = re.compile(
    r"""
      \bsk-[A-Za-z0-9_-]{16,}                      # several model providers
    | \bhf_[A-Za-z0-9]{20,}                        # the Hub
    | \bgh[pousr]_[A-Za-z0-9]{20,} | \bgithub_pat_[A-Za-z0-9_]{20,}
    | \bglpat-[A-Za-z0-9_-]{16,}
    | \bA[KS]IA[A-Z0-9]{16}\b                      # a cloud's access key
    | \bAIza[A-Za-z0-9_-]{30,}
    | \bxox[abprs]-[A-Za-z0-9-]{10,}
    | -----BEGIN\ [A-Z ]*PRIVATE\ KEY-----
    | \beyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.   # a signed web token
    | \b(?:api[_-]?key|access[_-]?token|auth[_-]?token|secret|password)\s*[=:]\s*["']?[^\s"',;}]{8,}
    | \bBearer\s+[A-Za-z0-9._~+/-]{16,}
    """,
    re.VERBOSE | re.IGNORECASE,
)
_NAMES: Final = re.compile(r"(?:api[_-]?key|access[_-]?token|auth[_-]?token|secret|password|passwd)$", re.IGNORECASE)
#: What people write in place of a key.
_PLACEHOLDERS: Final = re.compile(r"(?:\*+|x+|<.*>|\$\{?\w+\}?|none|null|empty|dummy|redacted)", re.IGNORECASE)


def looks_like_key(text: str) -> bool:
    """Whether the text holds something in the shape of a key or token."""
    return _SHAPES.search(text) is not None


def _is_secret(value: Any) -> bool:
    return isinstance(value, str) and len(value) >= 8 and _PLACEHOLDERS.fullmatch(value) is None


def key_like_paths(value: Any, path: str = "$") -> Iterator[str]:
    """The JSON paths of texts that look like keys, by their shape or by the name they stand under."""
    if isinstance(value, str):
        if looks_like_key(value):
            yield path
    elif isinstance(value, Mapping):
        for name, inner in value.items():
            named = f"{path}.{name}"
            if _NAMES.search(name) and _is_secret(inner):
                yield named
            else:
                yield from key_like_paths(inner, named)
    elif isinstance(value, list | tuple):
        for number, inner in enumerate(value):
            yield from key_like_paths(inner, f"{path}[{number}]")
