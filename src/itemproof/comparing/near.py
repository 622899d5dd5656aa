"""Identities that would match but for how they are written: suggested, never paired."""

from __future__ import annotations

import re
import unicodedata
from itertools import islice
from typing import Final

from itemproof.comparing.pairing import Pairing

__all__ = ["near_misses"]

_ZEROS: Final = re.compile(r"(?<![0-9])0+(?=[0-9])")
_BLANKS: Final = re.compile(r"\s+")
_SHOWN: Final = 3


def near_misses(pairing: Pairing) -> list[str]:
    """A warning with examples where items of one side only differ by case, blanks, zero padding or Unicode form."""
    count, examples = 0, []
    for context, questions in pairing.left.contexts.items():
        others = pairing.right.contexts.get(context)
        if others is None:
            continue
        alone = {_folded(name): name for name in others if name not in questions}
        if not alone:
            continue
        for name in questions:
            if name not in others and (other := alone.get(_folded(name))) is not None:
                count += 1
                examples.append((name, other))
                del examples[_SHOWN:]
    if not count:
        return []
    shown = ", ".join(f"{left!r} and {right!r}" for left, right in islice(examples, _SHOWN))
    text = (
        f"{count:,} identities would match but for case, blanks, zero padding or Unicode form, such as {shown}. "
        "They are not paired: identities count as they are written."
    )
    return [text]


def _folded(name: str) -> str:
    text = unicodedata.normalize("NFKC", name).casefold()
    return _ZEROS.sub("", _BLANKS.sub("", text))
