"""Why a text that does not parse looks as it does: fences, reasoning, prose, several expressions."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from itemproof.coglang.failure import TRAILING_TOKENS, ParseFailure
from itemproof.coglang.flags import CODE_FENCE, EXTRA_BRACKET, PROSE, REASONING_TAG, SEVERAL_EXPRESSIONS, Flag
from itemproof.coglang.parser import can_be_head

__all__ = ["wrapping"]

_FENCE: Final = re.compile(r"`|~~~")
_REASONING: Final = re.compile(
    r"</?(?:think|thinking|thought|reasoning|scratchpad|analysis|reflection)>", re.IGNORECASE
)
_WORD: Final = re.compile(r"[^\W\d_]{2,}[.,;:!?']*")


def wrapping(failure: ParseFailure, tokens: Sequence[str]) -> Iterator[tuple[Flag, int]]:
    """What seems to be around an expression, each with the index of the token that shows it."""
    for flag, pattern in ((CODE_FENCE, _FENCE), (REASONING_TAG, _REASONING)):
        position = next((at for at, token in enumerate(tokens) if token[0] != '"' and pattern.search(token)), None)
        if position is not None:
            yield flag, position
    if failure.kind is not TRAILING_TOKENS:
        return
    at = failure.position
    if tokens[at] in "]}" and failure.partial is not None:
        yield EXTRA_BRACKET, at
    elif failure.partial is not None and _begins_application(tokens, at):
        yield SEVERAL_EXPRESSIONS, at
    else:
        prose = next((found for found in _beside(failure, tokens) if _is_prose(tokens, found)), None)
        if prose is not None:
            yield PROSE, prose


def _begins_application(tokens: Sequence[str], at: int) -> bool:
    return at + 1 < len(tokens) and tokens[at + 1] == "[" and can_be_head(tokens[at])


def _beside(failure: ParseFailure, tokens: Sequence[str]) -> range:
    """The tokens that belong to no expression: those before the first head, or those behind the whole."""
    return range(0 if failure.partial is None else failure.position, len(tokens))


def _is_prose(tokens: Sequence[str], at: int) -> bool:
    return _WORD.fullmatch(tokens[at]) is not None and not _begins_application(tokens, at)
