"""Which answer key holds for each wording of a paired line, and when one key may serve both.

A wording's own key comes first, and null there says that it is unknown. The key that stands on the line serves the
original. It serves the rephrasing only where both have the same choices in the same order, or where an order is not on
the line and the run's metadata asserts that sharing is right; where the orders are there and differ, nothing does.
"""

from __future__ import annotations

from typing import Any, Final

from itemproof.adapters.choices import Choices
from itemproof.adapters.naming import Note
from itemproof.adapters.paired_wording import Wording
from itemproof.core.canonical import canonical_text
from itemproof.core.findings import Code, Finding

__all__ = ["AnswerKey", "answer_keys"]

ASSERTED: Final = Code("P010", "an answer key is shared because the run's metadata says so")
NOT_SHARED: Final = Code("P011", "a shared answer key is not used for a wording")

_PATH: Final = "$.correct_index"

#: The index of the right answer, or None; and what a reader should know about it.
AnswerKey = tuple[int | None, Note | None]


def answer_keys(
    shared: Any, wordings: tuple[Wording, Wording], faults: list[Finding], *, asserted: bool
) -> tuple[AnswerKey, AnswerKey]:
    """The keys of the original and of the rephrasing; faults of the shared one go to `faults` (R020, R021).

    Args:
        shared: The line's own `correct_index`, or None.
        wordings: The original and the rephrasing.
        faults: Where faults are put.
        asserted: Whether the run's metadata says that a shared key holds where an order is not known.
    """
    original, rephrased = wordings
    key = Choices(None, _PATH, faults).index(shared, _PATH)
    if key is None:
        return (original.key, None), (rephrased.key, None)
    first = _own(original) if original.has_key else (original.counted.index(key, _PATH), None)
    if not original.has_key and first[0] is None:
        return first, (None, None)  # it points at no choice, which is said once
    return first, _rephrased(key, original, rephrased, asserted=asserted)


def _rephrased(key: int, original: Wording, rephrased: Wording, *, asserted: bool) -> AnswerKey:
    if rephrased.has_key:
        return _own(rephrased)
    note = None
    if original.choices is not None and rephrased.choices is not None:
        if canonical_text(original.choices) != canonical_text(rephrased.choices):
            return None, _not_shared("its choices or their order differ from the original's, so it needs its own key")
    elif asserted:
        note = Note(ASSERTED, "the answer key is shared because the run's metadata says so: shared_answer_key is true")
    else:
        reason = "the order of its choices or of the original's is not on the line; supply a key for each wording"
        return None, _not_shared(
            f"{reason}, or set shared_answer_key to true in the run's metadata if it holds for both"
        )
    return rephrased.counted.index(key, _PATH), note


def _own(wording: Wording) -> AnswerKey:
    if wording.key is None:
        return None, _not_shared("its own correct_index is null, which says that its key is unknown")
    return wording.key, None


def _not_shared(reason: str) -> Note:
    return Note(NOT_SHARED, f"the line's shared correct_index is not used here: {reason}")
