"""Text to tokens: quoted strings, the six punctuation marks, and words.

Blank is space, tab, CR and LF, nothing else. Inside a string a backslash takes the next character with it; a string
that is never closed reaches to the end of the text. Whatever is left is a word.
"""

from __future__ import annotations

import re
from typing import Final

__all__ = ["PUNCTUATION", "is_unterminated", "spans", "tokenize"]

PUNCTUATION: Final = frozenset("[]{},:")

# No alternative can fail once it has begun, so the scan never goes back: it is linear in the text.
_TOKEN: Final = re.compile(
    r"""
      [^ \t\r\n\[\]{},:"]+
    | [\[\]{},:]
    | "[^"\\]*(?:\\.[^"\\]*)*+\\?"?
    """,
    re.VERBOSE | re.DOTALL,
)


def tokenize(text: str) -> list[str]:
    """All tokens, in order, each as written."""
    return _TOKEN.findall(text)


def spans(text: str) -> list[tuple[int, int]]:
    """Where each token begins and ends, in characters from 0; the end is the character behind it."""
    return [match.span() for match in _TOKEN.finditer(text)]


def is_unterminated(token: str) -> bool:
    """Whether a token is a string without its closing quote."""
    if not token.startswith('"'):
        return False
    body = token[1:-1]
    escaped = (len(body) - len(body.rstrip("\\"))) % 2 == 1
    return len(token) == 1 or not token.endswith('"') or escaped
