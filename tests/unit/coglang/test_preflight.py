"""The decision about each kind of expression; our own inputs, answered from the rules by hand."""

from __future__ import annotations

from typing import Any

import pytest

from itemproof.coglang.budget import DEFAULT_BUDGET, Budget
from itemproof.coglang.preflight import Decision, Policy, preflight
from itemproof.coglang.printer import expression_hash
from itemproof.coglang.reading import read

WITHIN = "budget.within_default"
TRAVERSAL = ["budget.traversal_unbounded", "host.index_unknown"]
WRITE = ["effect.graph_write", "policy.review_required"]
REVIEW = ["host.policy", "human.review"]
ASKED = ["CapabilityRequired", "ReviewRequired"]


def decided(text: str, **policy: Any) -> Decision:
    return preflight(read(text), Policy(**policy))


@pytest.mark.parametrize(
    ("text", "decision", "reasons", "effects", "errors"),
    [
        pytest.param("Do[1]", "accepted", ["effect.pure", WITHIN], ["pure"], [], id="pure"),
        pytest.param("Get[{}, 1]", "accepted", ["effect.graph_read", WITHIN], ["graph.read"], [], id="read"),
        pytest.param(
            "AllNodes[]", "accepted_with_warnings", ["effect.graph_read", WITHIN], ["graph.read"], [], id="open-ended"
        ),
        pytest.param(
            "Do[Explain[1], Query[n_, 1]]",
            "accepted_with_warnings",
            ["effect.graph_read", "effect.meta_trace", WITHIN],
            ["graph.read", "meta.trace"],
            [],
            id="two-effects",
        ),
        pytest.param(
            "Traverse[1, 2]",
            "cannot_estimate",
            TRAVERSAL,
            ["graph.read", "graph.traverse", *REVIEW],
            ["TraversalLimitExceeded", "HostCostUnsupported"],
            id="traverse",
        ),
        pytest.param(
            "Update[Traverse[1, 2], {}]",
            "cannot_estimate",
            TRAVERSAL,
            ["graph.read", "graph.traverse", "graph.write", *REVIEW],
            ["TraversalLimitExceeded", "HostCostUnsupported"],
            id="traverse-before-write",
        ),
        pytest.param("Create[1, {}]", "requires_review", WRITE, ["graph.write", *REVIEW], ASKED, id="write"),
        pytest.param(
            "Do[Merge[], Delete[1]]",
            "requires_review",
            WRITE,
            ["graph.write", "graph.delete", "external.tool", *REVIEW],
            ["StubError", *ASKED],
            id="delete",
        ),
        pytest.param(
            'Do[{"k": Update[1, {}]}]', "requires_review", WRITE, ["graph.write", *REVIEW], ASKED, id="in-a-dict"
        ),
        pytest.param('Do[{"k": Bogus[1]}]', "accepted", ["effect.pure", WITHIN], ["pure"], [], id="unknown-in-a-dict"),
        pytest.param(
            "Do[Match[Create[1]], Unify[1]]",
            "accepted",
            ["effect.graph_unify", WITHIN],
            ["graph.unify"],
            ["UnificationBranchLimitExceeded"],
            id="opaque",
        ),
        pytest.param("Send[1]", "accepted", ["effect.host_submit", WITHIN], ["host.submit"], ["StubError"], id="send"),
        pytest.param(
            "Probe[Probe[]]", "accepted", ["effect.external_tool", WITHIN], ["external.tool"], ["StubError"], id="tool"
        ),
        pytest.param(
            "Bogus[Traverse[1, 2]]",
            "rejected",
            ["validation.invalid"],
            ["graph.read", "graph.traverse"],
            ["TypeError", "TraversalLimitExceeded"],
            id="invalid",
        ),
        pytest.param("Do[", "rejected", ["parse.error"], ["pure"], ["ParseError"], id="no-expression"),
        pytest.param("ParseError[1]", "rejected", ["parse.error"], ["pure"], ["ParseError"], id="written-out"),
        pytest.param("List[ParseError[1]]", "accepted", ["effect.pure", WITHIN], ["pure"], [], id="error-value"),
    ],
)
def test_an_expression_is_decided_by_default(
    text: str, decision: str, reasons: list[str], effects: list[str], errors: list[str]
) -> None:
    found = decided(text)
    assert (found.decision, list(found.reasons)) == (decision, reasons)
    assert (list(found.effects.effects), list(found.possible_errors)) == (effects, errors)
    assert found.required_review is (REVIEW[0] in effects)


@pytest.mark.parametrize(
    ("text", "policy", "decision", "reasons"),
    [
        ("Update[1, {}]", {"review_writes": False}, "accepted", ["effect.graph_write", WITHIN]),
        ("Get[1, 2]", {"capabilities": frozenset({"graph.read"})}, "accepted", ["effect.graph_read", WITHIN]),
        (
            "Do[Get[1, 2], Update[1, {}], Send[1]]",
            {"capabilities": frozenset({"graph.read"})},
            "rejected",
            ["capability.missing", "capability.missing.graph_write", "capability.missing.host_submit"],
        ),
        ("Trace[1]", {"capabilities": frozenset()}, "accepted", ["effect.meta_trace", WITHIN]),
        ("Traverse[Traverse[Traverse[1, 2], 3], 4]", {}, "cannot_estimate", TRAVERSAL),
        ("Traverse[Traverse[Traverse[Traverse[1]]]]", {}, "rejected", ["budget.traversal_depth_exceeded"]),
        ("Traverse[1]", {"budget": Budget(max_traversal_depth=0)}, "rejected", ["budget.traversal_depth_exceeded"]),
        (
            "Traverse[Traverse[Traverse[Traverse[1]]]]",
            {"budget": Budget(max_result_count=5)},
            "cannot_estimate",
            TRAVERSAL,
        ),
        ("Do[1]", {"budget": Budget(max_result_count=0)}, "rejected", ["budget.result_count_exceeded"]),
        (
            "Unify[1]",
            {"budget": Budget(max_unification_branches=0)},
            "rejected",
            ["budget.unification_branches_exceeded"],
        ),
        ("Unify[1]", {"budget": Budget(max_unification_branches=1)}, "accepted", ["effect.graph_unify", WITHIN]),
        (
            "AllNodes[]",
            {"budget": Budget(max_visited_nodes=0)},
            "accepted_with_warnings",
            ["effect.graph_read", WITHIN],
        ),
        ("Bogus[]", {"capabilities": frozenset()}, "rejected", ["validation.invalid"]),
    ],
)
def test_a_policy_decides(text: str, policy: dict[str, Any], decision: str, reasons: list[str]) -> None:
    found = decided(text, **policy)
    assert (found.decision, list(found.reasons)) == (decision, reasons)


@pytest.mark.parametrize(
    ("text", "policy", "errors"),
    [
        ("Update[1, {}]", {"capabilities": frozenset()}, ["CapabilityRequired"]),
        ("Traverse[1]", {"budget": Budget(max_traversal_depth=0)}, ["TraversalLimitExceeded", "BudgetExceeded"]),
        ("Do[1]", {"budget": Budget(max_result_count=0)}, ["BudgetExceeded", "ResultLimitExceeded"]),
        (
            "Match[1]",
            {"budget": Budget(max_unification_branches=0)},
            ["UnificationBranchLimitExceeded", "BudgetExceeded", "UnificationLimitExceeded"],
        ),
    ],
)
def test_a_rejection_adds_its_errors(text: str, policy: dict[str, Any], errors: list[str]) -> None:
    assert list(decided(text, **policy).possible_errors) == errors


@pytest.mark.parametrize(
    ("text", "estimate"),
    [
        ("Do[1]", {"estimate_confidence": "known", "estimated_visited_nodes": 0, "estimated_result_count": 1}),
        (
            "Do[Unify[1], Match[2]]",
            {
                "estimate_confidence": "known",
                "estimated_visited_nodes": 0,
                "estimated_result_count": 1,
                "estimated_unification_branches": 2,
            },
        ),
        (
            "AllNodes[]",
            {
                "estimate_confidence": "estimated",
                "notes": ["query result cardinality depends on host graph state"],
            },
        ),
        (
            "Query[n_, Traverse[n_, 1]]",
            {
                "estimate_confidence": "unknown",
                "estimated_traversal_depth": 1,
                "notes": [
                    "query result cardinality depends on host graph state",
                    "static helper does not inspect graph degree statistics",
                ],
            },
        ),
        ("do", {"estimate_confidence": "not_supported", "notes": ["cannot estimate a parse error"]}),
    ],
)
def test_a_cost_is_estimated(text: str, estimate: dict[str, Any]) -> None:
    found = decided(text).estimate.as_json()
    head = found.pop("schema_version"), found.pop("estimator")
    assert head == ("coglang-graph-budget-estimate/v0.1", "coglang-static-preflight/v0.1")
    assert found == estimate


def test_a_decision_is_exchanged_as_json_in_a_fixed_order() -> None:
    reading = read('Update["n", { "k":1 }]')
    found = preflight(reading).as_json(reading, correlation_id="run 7")
    assert found == {
        "schema_version": "coglang-preflight-decision/v0.1",
        "decision": "requires_review",
        "reasons": WRITE,
        "required_review": True,
        "effect_summary": {
            "schema_version": "coglang-effect-summary/v0.1",
            "expression_hash": expression_hash('Update["n", {"k": 1}]'),
            "effects": ["graph.write", *REVIEW],
            "required_capabilities": ["graph.write"],
            "possible_errors": ASKED,
            "confidence": "known",
        },
        "budget": {
            "schema_version": "coglang-graph-budget/v0.1",
            "max_traversal_depth": 3,
            "max_visited_nodes": 1000,
            "max_result_count": 100,
            "max_execution_ms": 1000,
            "host_cost_class": "bounded",
        },
        "budget_estimate": {
            "schema_version": "coglang-graph-budget-estimate/v0.1",
            "estimate_confidence": "known",
            "estimated_visited_nodes": 0,
            "estimated_result_count": 1,
            "estimator": "coglang-static-preflight/v0.1",
        },
        "possible_errors": ASKED,
        "correlation_id": "run 7",
    }
    assert list(found)[:4] == ["schema_version", "decision", "reasons", "required_review"]


def test_a_failure_has_no_hash_and_an_invalid_expression_a_note() -> None:
    failure, invalid = read("do"), read("Bogus[]")
    assert preflight(failure).as_json(failure)["effect_summary"] == {
        "schema_version": "coglang-effect-summary/v0.1",
        "expression_hash": None,
        "effects": ["pure"],
        "required_capabilities": [],
        "possible_errors": ["ParseError"],
        "confidence": "known",
        "notes": ["input could not be parsed"],
    }
    summary = preflight(invalid).as_json(invalid)["effect_summary"]
    assert (summary["confidence"], summary["notes"]) == (
        "unknown",
        ["expression does not validate against the static vocabulary"],
    )
    assert summary["expression_hash"] == expression_hash("Bogus[]")


def test_capabilities_follow_from_effects_in_a_fixed_order() -> None:
    everything = decided("Do[Merge[], Send[1], Unify[1], Delete[1], Trace[AllNodes[]]]").effects
    assert everything.capabilities == ("graph.read", "graph.write", "graph.unify", "host.submit", "external.tool")
    assert everything.possible_errors == ("StubError", "UnificationBranchLimitExceeded", *ASKED)


def test_a_given_limit_replaces_the_default_budget() -> None:
    assert Budget(max_execution_ms=9).as_json() == {
        "schema_version": "coglang-graph-budget/v0.1",
        "max_execution_ms": 9,
    }
    assert DEFAULT_BUDGET.max_unification_branches is None
