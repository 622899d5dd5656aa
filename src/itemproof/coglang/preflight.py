"""Whether an expression may run: effects held against capabilities, budget and policy. Nothing is run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import msgspec

from itemproof.coglang.budget import DEFAULT_BUDGET, UNPARSED_ESTIMATE, Budget, Estimate, estimate
from itemproof.coglang.effects import UNPARSED_EFFECTS, EffectSummary, extended, summarise_effects
from itemproof.coglang.printer import expression_hash
from itemproof.coglang.reading import Reading
from itemproof.coglang.vocabulary import EFFECT_ORDER

__all__ = ["DEFAULT_POLICY", "Decision", "Policy", "preflight"]

_ACCEPTED: Final = "accepted"
_WITH_WARNINGS: Final = "accepted_with_warnings"
_REVIEW: Final = "requires_review"
_REJECTED: Final = "rejected"
_CANNOT_ESTIMATE: Final = "cannot_estimate"


def _joined(name: str) -> str:
    return name.replace(".", "_")


_EFFECT_REASONS: Final = {name: f"effect.{_joined(name)}" for name in EFFECT_ORDER}
_WRITES: Final = frozenset({"graph.write", "graph.delete"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """What a host allows.

    Attributes:
        budget: Replaces the default as a whole.
        capabilities: All that the host has; None asks for none.
        review_writes: Whether somebody must look at an expression that writes.
    """

    budget: Budget = DEFAULT_BUDGET
    capabilities: frozenset[str] | None = None
    review_writes: bool = True


DEFAULT_POLICY: Final = Policy()


class Decision(msgspec.Struct, frozen=True, kw_only=True):
    """The decision about one expression.

    Attributes:
        decision: accepted, accepted_with_warnings, requires_review, rejected or cannot_estimate.
        reasons: In the language's words and order.
        added_errors: What the decision adds to the errors of running.
        required_review: Whether somebody must look first.
        running: What running may do.
        budget: The limits it was held against.
        estimate: What was held against them.
    """

    decision: str
    reasons: tuple[str, ...]
    added_errors: tuple[str, ...]
    required_review: bool
    running: EffectSummary
    budget: Budget
    estimate: Estimate

    @property
    def possible_errors(self) -> tuple[str, ...]:
        """The errors of running and those of the decision, each once."""
        return extended(self.running.possible_errors, *self.added_errors)

    @property
    def effects(self) -> EffectSummary:
        """What running may do, a review included where one is required."""
        return self.running.reviewed() if self.required_review else self.running

    def as_json(self, reading: Reading, *, correlation_id: str | None = None) -> dict[str, Any]:
        """The decision as the language's tools exchange it, keys in their order.

        Args:
            reading: What was decided about, for its hash.
            correlation_id: Repeated as given.
        """
        effects = self.effects
        summary = {
            "schema_version": "coglang-effect-summary/v0.1",
            "expression_hash": None if reading.is_failure else expression_hash(reading.canonical),
            "effects": list(effects.effects),
            "required_capabilities": list(effects.capabilities),
            "possible_errors": list(effects.possible_errors),
            "confidence": effects.confidence,
            **({"notes": list(effects.notes)} if effects.notes else {}),
        }
        return {
            "schema_version": "coglang-preflight-decision/v0.1",
            "decision": self.decision,
            "reasons": list(self.reasons),
            "required_review": self.required_review,
            "effect_summary": summary,
            "budget": self.budget.as_json(),
            "budget_estimate": self.estimate.as_json(),
            "possible_errors": list(self.possible_errors),
            **({"correlation_id": correlation_id} if correlation_id is not None else {}),
        }


class _Verdict(msgspec.Struct, frozen=True):
    decision: str
    reasons: tuple[str, ...]
    errors: tuple[str, ...] = ()
    review: bool = False


def preflight(reading: Reading, policy: Policy = DEFAULT_POLICY) -> Decision:
    """The decision about a text; the first rule that fits decides: parse, validity, capabilities, budget, review."""
    if reading.survey is None:
        verdict, effects, cost = _Verdict(_REJECTED, ("parse.error",)), UNPARSED_EFFECTS, UNPARSED_ESTIMATE
    else:
        effects = summarise_effects(reading.heads, is_valid=reading.is_valid)
        cost = estimate(reading.survey)
        if not reading.is_valid:
            verdict = _Verdict(_REJECTED, ("validation.invalid",))
        else:
            verdict = (
                _lacking(effects, policy) or _over_budget(cost, policy.budget) or _review(effects, policy)
            ) or _acceptance(effects, cost)
    return Decision(
        decision=verdict.decision,
        reasons=verdict.reasons,
        added_errors=verdict.errors,
        required_review=verdict.review,
        running=effects,
        budget=policy.budget,
        estimate=cost,
    )


def _lacking(effects: EffectSummary, policy: Policy) -> _Verdict | None:
    if policy.capabilities is None:
        return None
    missing = [name for name in effects.capabilities if name not in policy.capabilities]
    if not missing:
        return None
    reasons = ("capability.missing", *(f"capability.missing.{_joined(name)}" for name in missing))
    return _Verdict(_REJECTED, reasons, ("CapabilityRequired",))


def _over_budget(cost: Estimate, budget: Budget) -> _Verdict | None:
    for number, limit, name, error in (
        (cost.traversal_depth, budget.max_traversal_depth, "traversal_depth", "TraversalLimitExceeded"),
        (cost.result_count, budget.max_result_count, "result_count", "ResultLimitExceeded"),
        (
            cost.unification_branches,
            budget.max_unification_branches,
            "unification_branches",
            "UnificationLimitExceeded",
        ),
    ):
        if number is not None and limit is not None and number > limit:
            return _Verdict(_REJECTED, (f"budget.{name}_exceeded",), ("BudgetExceeded", error))
    return None


def _review(effects: EffectSummary, policy: Policy) -> _Verdict | None:
    if "graph.traverse" in effects.effects:
        reasons = ("budget.traversal_unbounded", "host.index_unknown")
        return _Verdict(_CANNOT_ESTIMATE, reasons, ("HostCostUnsupported",), review=True)
    if policy.review_writes and not _WRITES.isdisjoint(effects.effects):
        reasons = ("effect.graph_write", "policy.review_required")
        return _Verdict(_REVIEW, reasons, ("CapabilityRequired", "ReviewRequired"), review=True)
    return None


def _acceptance(effects: EffectSummary, cost: Estimate) -> _Verdict:
    """Never unbounded and never with notes on effects: those were decided before."""
    reasons = (*map(_EFFECT_REASONS.__getitem__, effects.effects), "budget.within_default")
    return _Verdict(_WITH_WARNINGS if cost.notes else _ACCEPTED, reasons)
