"""The table of heads."""

from __future__ import annotations

from collections import Counter

from itemproof.coglang.vocabulary import EFFECT_ORDER, OPAQUE, VOCABULARY


def test_there_are_49_heads_of_which_30_are_operators() -> None:
    kinds = Counter(head.kind for head in VOCABULARY.values())
    assert kinds == {
        "operator": 19,
        "reserved": 11,
        "data": 1,
        "tag": 7,
        "truth": 2,
        "absence": 1,
        "state": 3,
        "error": 5,
    }
    assert kinds.total() == 49


def test_seven_heads_have_their_arity_checked() -> None:
    assert {name: head.arity for name, head in VOCABULARY.items() if head.arity} == {
        "Assert": (1, 2),
        "Compose": (3, 3),
        "Do": (1, None),
        "ForEach": (3, 3),
        "If": (3, 3),
        "IfFound": (4, 4),
        "Query": (2, 3),
    }


def test_all_operators_of_the_core_have_a_specified_arity() -> None:
    assert [name for name, head in VOCABULARY.items() if head.kind == "operator" and head.spec_arity is None] == []


def test_heads_fall_into_these_groups_by_effect() -> None:
    by_effects: dict[tuple[str, ...], set[str]] = {}
    for name, head in VOCABULARY.items():
        by_effects.setdefault(head.effects, set()).add(name)
    del by_effects[()]
    assert by_effects == {
        ("graph.read",): {"AllNodes", "Get", "Query"},
        ("graph.read", "graph.traverse"): {"Traverse"},
        ("graph.write",): {"Create", "Update"},
        ("graph.write", "graph.delete"): {"Delete"},
        ("graph.unify",): {"Match", "Unify"},
        ("meta.trace",): {"Assert", "Compare", "Explain", "Trace"},
        ("host.submit",): {"Send"},
        ("external.tool",): {
            "Decompose",
            "Defer",
            "Estimate",
            "Explore",
            "Inspect",
            "Instantiate",
            "Merge",
            "Probe",
            "Resume",
        },
    }
    assert {effect for effects in by_effects for effect in effects} < set(EFFECT_ORDER)


def test_opaque_heads_and_those_that_may_fail_are_in_the_vocabulary() -> None:
    assert VOCABULARY.keys() > OPAQUE
    assert Counter(head.possible_error for head in VOCABULARY.values() if head.possible_error) == {
        "StubError": 10,
        "UnificationBranchLimitExceeded": 2,
        "TraversalLimitExceeded": 1,
    }
