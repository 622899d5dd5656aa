"""What running an expression may cost, guessed from its text, and the limits it is held against."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, Final

import msgspec

from itemproof.coglang.survey import Survey
from itemproof.coglang.vocabulary import OPAQUE

__all__ = ["DEFAULT_BUDGET", "UNPARSED_ESTIMATE", "Budget", "Estimate", "estimate"]

_OPEN_ENDED: Final = frozenset({"AllNodes", "Query"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """Limits; None is no limit. Depth, results and branches are held against the estimate, the others are told only.

    Attributes:
        max_traversal_depth: `Traverse` within `Traverse`.
        max_visited_nodes: Nodes of the graph.
        max_result_count: Results.
        max_unification_branches: `Unify` and `Match`.
        max_execution_ms: Milliseconds.
        host_cost_class: What a host calls such a cost.
    """

    max_traversal_depth: int | None = None
    max_visited_nodes: int | None = None
    max_result_count: int | None = None
    max_unification_branches: int | None = None
    max_execution_ms: int | None = None
    host_cost_class: str | None = None

    def as_json(self) -> dict[str, Any]:
        """The limits that are set."""
        limits = ((field.name, getattr(self, field.name)) for field in fields(self))
        return {"schema_version": "coglang-graph-budget/v0.1"} | {k: v for k, v in limits if v is not None}


#: What holds where no limit is given; a single given limit replaces all of them.
DEFAULT_BUDGET: Final = Budget(
    max_traversal_depth=3,
    max_visited_nodes=1000,
    max_result_count=100,
    max_execution_ms=1000,
    host_cost_class="bounded",
)


class Estimate(msgspec.Struct, frozen=True, kw_only=True):
    """A guess at the cost; None is unknown, or does not apply.

    Attributes:
        confidence: known, estimated, unknown or not_supported.
        traversal_depth: None without any `Traverse`.
        visited_nodes: None where the graph decides.
        result_count: None where the graph decides.
        unification_branches: None without any `Unify` or `Match`.
        notes: Why it is not known.
    """

    confidence: str
    traversal_depth: int | None = None
    visited_nodes: int | None = None
    result_count: int | None = None
    unification_branches: int | None = None
    notes: tuple[str, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """The estimate, with the numbers that are known."""
        numbers = {
            "estimated_traversal_depth": self.traversal_depth,
            "estimated_visited_nodes": self.visited_nodes,
            "estimated_result_count": self.result_count,
            "estimated_unification_branches": self.unification_branches,
        }
        return {
            "schema_version": "coglang-graph-budget-estimate/v0.1",
            "estimate_confidence": self.confidence,
            **{name: number for name, number in numbers.items() if number is not None},
            "estimator": "coglang-static-preflight/v0.1",
            **({"notes": list(self.notes)} if self.notes else {}),
        }


UNPARSED_ESTIMATE: Final = Estimate(confidence="not_supported", notes=("cannot estimate a parse error",))


def estimate(found: Survey) -> Estimate:
    """The estimate for an expression."""
    heads = found.heads
    notes: list[str] = []
    confidence = "known"
    if not _OPEN_ENDED.isdisjoint(heads):
        confidence = "estimated"
        notes.append("query result cardinality depends on host graph state")
    if found.traversal_depth:
        confidence = "unknown"
        notes.append("static helper does not inspect graph degree statistics")
    return Estimate(
        confidence=confidence,
        traversal_depth=found.traversal_depth or None,
        visited_nodes=None if notes else 0,
        result_count=None if notes else 1,
        unification_branches=sum(map(heads.count, OPAQUE)) or None,
        notes=tuple(notes),
    )
