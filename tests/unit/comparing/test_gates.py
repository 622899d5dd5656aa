"""Gates hold only where the comparison shows what they ask for."""

from __future__ import annotations

import pytest

from comparing_tables import a_line, table_of
from itemproof.comparing.certainty import Asked
from itemproof.comparing.comparison import Whole, compare_tables
from itemproof.comparing.gates import NAMES, check_gates, parse_gates
from itemproof.comparing.outcomes import Judge
from itemproof.comparing.pairing import pair
from itemproof.core.errors import InvalidInput


def whole(*benchmarks: tuple[int, int, int, int]) -> Whole:
    """A comparison with these counts of both right, broke, fixed and both wrong, a benchmark each."""
    left, right = [], []
    for number, cells in enumerate(benchmarks):
        verdicts = [
            pair for pair, count in zip(((1, 1), (1, 0), (0, 1), (0, 0)), cells, strict=True) for _ in range(count)
        ]
        for at, (before, after) in enumerate(verdicts):
            left.append(a_line(f"q{at}", benchmark=f"b{number}", correct=bool(before)))
            right.append(a_line(f"q{at}", benchmark=f"b{number}", correct=bool(after)))
    joined = pair(table_of(left), table_of(right))
    return compare_tables(joined, Judge(joined, None), None, Asked())


def held(gate: str, *benchmarks: tuple[int, int, int, int]) -> bool:
    found = whole(*benchmarks)
    (result,) = check_gates(parse_gates([gate]), found.groups, found.counts)
    return result.holds


@pytest.mark.parametrize(
    ("gate", "cells", "holds"),
    [
        ("not-worse", (130, 28, 12, 30), False),
        ("not-worse", (10, 3, 1, 10), True),
        ("not-worse", (10, 0, 0, 10), True),
        ("within=0.03", (900, 40, 35, 25), True),
        ("within=0.02", (900, 40, 35, 25), False),
        (" within = .2 ", (40, 0, 0, 0), True),
        ("within=0.05", (40, 0, 0, 0), False),
        ("correct_to_wrong <= 3", (10, 3, 0, 0), True),
        ("correct_to_wrong<3", (10, 3, 0, 0), False),
        ("correct_to_wrong == 0", (10, 0, 3, 0), True),
        ("wrong_to_correct != 3", (10, 0, 3, 0), False),
        ("delta >= -0.08", (130, 28, 12, 30), True),
        ("p > 0.01", (130, 28, 12, 30), True),
        ("p < 0.01", (130, 28, 12, 30), False),
        ("left >= 79e-2", (130, 28, 12, 30), True),
        ("right > 0.71", (130, 28, 12, 30), False),
        ("pairs >= 200", (130, 28, 12, 30), True),
        ("high < -0.018", (130, 28, 12, 30), True),
        ("low > -0.1418", (130, 28, 12, 30), False),
        ("unscored == 0", (1, 0, 0, 0), True),
        ("left_only == 0", (1, 0, 0, 0), True),
        ("right_only > 0", (1, 0, 0, 0), False),
    ],
)
def test_a_gate_holds_or_not(gate: str, cells: tuple[int, int, int, int], *, holds: bool) -> None:
    assert held(gate, cells) is holds


@pytest.mark.parametrize(
    "name",
    sorted(set(NAMES) - {"correct_to_wrong", "wrong_to_correct", "pairs", "unscored", "left_only", "right_only"}),
)
def test_what_is_undefined_holds_nothing(name: str) -> None:
    empty = pair(table_of([a_line("a")]), table_of([a_line("b")]))
    found = compare_tables(empty, Judge(empty, None), None, Asked())
    gates = check_gates(
        parse_gates([f"{name} >= -9", f"{name} <= 9", "not-worse", "within=0.5"]), found.groups, found.counts
    )
    assert [(gate.holds, gate.value) for gate in gates] == [(False, None)] * 4


def test_a_gate_must_hold_for_every_headline_and_names_the_one_that_broke_it() -> None:
    found = whole((90, 0, 10, 0), (50, 30, 0, 20))
    (gate,) = check_gates(parse_gates(["not-worse"]), found.groups, found.counts)
    assert (gate.holds, gate.where) == (False, "b1")
    assert gate.value == found.groups[1].statistics.delta.high


def test_counts_are_of_the_whole() -> None:
    found = whole((1, 2, 0, 0), (1, 2, 0, 0))
    (gate,) = check_gates(parse_gates(["correct_to_wrong <= 3"]), found.groups, found.counts)
    assert (gate.value, gate.holds, gate.where) == (4, False, None)


def test_every_gate_that_is_none_is_named() -> None:
    wrong = [
        "",
        "better",
        "within=0",
        "within=1.5",
        "within=x",
        "delta > ",
        "delta >> 1",
        "speed > 1",
        "p < 1 or 1",
        "delta > nan",
    ]
    with pytest.raises(InvalidInput) as refused:
        parse_gates([*wrong, "not-worse"])
    assert [str(one.code) for one in refused.value.findings] == ["U020"] * len(wrong)
    assert all(repr(text) in one.text for text, one in zip(wrong, refused.value.findings, strict=True))
