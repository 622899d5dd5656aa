"""A head must be one of the vocabulary's."""

from __future__ import annotations

from itemproof.coglang.ast import Application
from itemproof.coglang.rules.base import Rule
from itemproof.coglang.vocabulary import VOCABULARY
from itemproof.core.findings import Code

__all__ = ["UNKNOWN_HEAD"]

#: Of a longer head no likely spelling is looked for; no head is half as long.
_LONGEST_MISSPELLING = 40


def _is_broken(application: Application) -> bool:
    return application.head not in VOCABULARY


def _explain(application: Application) -> str:
    from difflib import get_close_matches

    head = application.head
    close = get_close_matches(head, VOCABULARY, n=1) if len(head) <= _LONGEST_MISSPELLING else []
    advice = f"Did you mean {close[0]}?" if close else "Use one of its 49 heads; they are case-sensitive."
    shown = head if len(head) <= _LONGEST_MISSPELLING else head[:_LONGEST_MISSPELLING] + "…"
    return f"the head {shown!r} is not in the vocabulary. {advice}"


UNKNOWN_HEAD = Rule(Code("L020", "a head that the vocabulary does not have"), _is_broken, _explain)
