"""What running an expression may do: effects, the capabilities they need, and the errors it may end in."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

from itemproof.coglang.vocabulary import EFFECT_ORDER, PURE, VOCABULARY

__all__ = ["UNPARSED_EFFECTS", "EffectSummary", "summarise_effects"]

#: Each capability, and the effects that need it.
_CAPABILITIES: Final = (
    ("graph.read", frozenset({"graph.read", "graph.traverse"})),
    ("graph.write", frozenset({"graph.write", "graph.delete"})),
    ("graph.unify", frozenset({"graph.unify"})),
    ("host.submit", frozenset({"host.submit"})),
    ("external.tool", frozenset({"external.tool"})),
)

_NOT_VALID: Final = "expression does not validate against the static vocabulary"


@dataclass(frozen=True, slots=True, kw_only=True)
class EffectSummary:
    """What an expression may do.

    Attributes:
        effects: In the language's order; `pure` alone if there is none.
        capabilities: What a host must allow, in the language's order.
        possible_errors: In the order of the heads that may end in them, each once.
        confidence: `known`, or `unknown` where the expression is not valid.
        notes: Why it is not known.
    """

    effects: tuple[str, ...]
    capabilities: tuple[str, ...]
    possible_errors: tuple[str, ...]
    confidence: str
    notes: tuple[str, ...] = ()

    def reviewed(self) -> EffectSummary:
        """The summary of the same expression when somebody must look at it first."""
        return replace(
            self,
            effects=(*self.effects, "host.policy", "human.review"),
            possible_errors=extended(self.possible_errors, "CapabilityRequired", "ReviewRequired"),
        )


UNPARSED_EFFECTS: Final = EffectSummary(
    effects=(PURE,),
    capabilities=(),
    possible_errors=("ParseError",),
    confidence="known",
    notes=("input could not be parsed",),
)


def extended(texts: Sequence[str], *more: str) -> tuple[str, ...]:
    """The texts and then those that are new, each once."""
    return tuple(dict.fromkeys((*texts, *more)))


def summarise_effects(heads: Iterable[str], *, is_valid: bool) -> EffectSummary:
    """The effects of an expression with these heads, in walk order; heads outside the vocabulary have none."""
    known = tuple(head for head in dict.fromkeys(heads) if head in VOCABULARY)
    return _summary(known, is_valid)


@lru_cache(maxsize=1024)
def _summary(heads: tuple[str, ...], is_valid: bool) -> EffectSummary:
    found = {effect for head in heads for effect in VOCABULARY[head].effects} or {PURE}
    errors = (VOCABULARY[head].possible_error for head in heads)
    return EffectSummary(
        effects=tuple(effect for effect in EFFECT_ORDER if effect in found),
        capabilities=tuple(name for name, needing in _CAPABILITIES if needing & found),
        possible_errors=extended(() if is_valid else ("TypeError",), *(error for error in errors if error)),
        confidence="known" if is_valid else "unknown",
        notes=() if is_valid else (_NOT_VALID,),
    )
