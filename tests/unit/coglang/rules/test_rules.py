"""Each rule with what breaks it and what does not."""

from __future__ import annotations

import pytest

from itemproof.coglang.reading import read
from itemproof.coglang.validate import check_specification, validate


def told(text: str) -> list[str]:
    reading = read(text)
    assert reading.survey is not None
    assert reading.is_valid is not bool(validate(reading.survey, text))
    return [str(finding) for finding in validate(reading.survey, text)]


def outside(text: str) -> list[str]:
    reading = read(text)
    assert reading.survey is not None
    return [str(finding) for finding in check_specification(reading.survey, text)]


@pytest.mark.parametrize(
    "text",
    [
        "Do[1]",
        "If[1, 2, 3]",
        "IfFound[1, 2, 3, 4]",
        "ForEach[1, 2, 3]",
        "Compose[1, 2, 3]",
        "Assert[1]",
        "Assert[1, 2]",
        "Query[1, 2]",
        "Query[1, 2, 3]",
        "Equal[]",
        "AllNodes[1, 2]",
        "Unify[]",
        "Match[Bogus[If[]]]",
        'Create["Entity", {"k": Bogus[1], "j": If[]}]',
        "List[ParseError[]]",
    ],
)
def test_what_the_rules_allow_is_valid(text: str) -> None:
    assert told(text) == []


@pytest.mark.parametrize(
    ("text", "findings"),
    [
        ("Do[]", ["line 1  L021  column 1: Do has no arguments; due: 1 or more arguments."]),
        ("If[1]", ["line 1  L021  column 1: If has 1 argument; due: 3 arguments."]),
        ("If[1, 2, 3, 4]", ["line 1  L021  column 1: If has 4 arguments; due: 3 arguments."]),
        ("IfFound[1]", ["line 1  L021  column 1: IfFound has 1 argument; due: 4 arguments."]),
        ("ForEach[1]", ["line 1  L021  column 1: ForEach has 1 argument; due: 3 arguments."]),
        ("Compose[1]", ["line 1  L021  column 1: Compose has 1 argument; due: 3 arguments."]),
        ("Assert[]", ["line 1  L021  column 1: Assert has no arguments; due: 1 or 2 arguments."]),
        ("Query[1]", ["line 1  L021  column 1: Query has 1 argument; due: 2 or 3 arguments."]),
        ("equal[1]", ["line 1  L020  column 1: the head 'equal' is not in the vocabulary. Did you mean Equal?"]),
        (
            "Do[\n  Zzz[If[]]]",
            [
                (
                    "line 2  L020  column 3: the head 'Zzz' is not in the vocabulary. "
                    "Use one of its 49 heads; they are case-sensitive."
                ),
                "line 2  L021  column 7: If has no arguments; due: 3 arguments.",
            ],
        ),
    ],
)
def test_what_breaks_a_rule_is_told_with_its_place(text: str, findings: list[str]) -> None:
    assert told(text) == findings


def test_a_long_head_is_cut_and_no_spelling_is_proposed() -> None:
    (finding,) = told("E" * 90 + "[]")
    assert finding.endswith(
        f"the head '{'E' * 40}…' is not in the vocabulary. Use one of its 49 heads; they are case-sensitive."
    )


def test_all_faults_are_counted_and_the_first_twenty_told() -> None:
    reading = read("Do[" + "Foo[], " * 50 + "]")
    assert reading.survey is not None
    found = validate(reading.survey, reading.text)
    assert (found.count, len(found.kept)) == (50, 20)


@pytest.mark.parametrize(
    "text",
    [
        "Equal[1, 2]",
        "Assert[1, 2]",
        "Delete[1]",
        'Delete["Edge", {}]',
        'Compose["F", List[x_, y_], x_]',
        "ForEach[List[], x_, ForEach[List[], y_, x_]]",
        "ForEach[ForEach[1, x_, x_], x_, Query[y_, x_]]",
        "Do[ForEach[1, x_, 2], ForEach[1, x_, 2]]",
        "IfFound[1, x_, 2, Query[x_, 1]]",
        "ForEach[1, _, ForEach[1, _, 2]]",
        "Send[1, 2, 3, 4]",
        "Unify[Equal[], ForEach[]]",
    ],
)
def test_what_the_specification_allows_is_not_told(text: str) -> None:
    assert outside(text) == []


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        pytest.param("Equal[1]", ["L022"], id="arity"),
        pytest.param("Assert[1]", ["L022"], id="arity-that-validation-allows"),
        pytest.param("If[1]", [], id="arity-that-validation-tells"),
        pytest.param("AllNodes[1]", ["L022"], id="none-due"),
        pytest.param('List[{"k": Trace[]}]', ["L022"], id="in-a-dict"),
        pytest.param("Delete[1, 2, 3]", ["L022"], id="arity-range"),
        pytest.param('Query["n", 1]', ["L023"], id="query-slot"),
        pytest.param("ForEach[1, 2, 3]", ["L023"], id="foreach-slot"),
        pytest.param("IfFound[1, Do[1], 3, 4]", ["L023"], id="iffound-slot"),
        pytest.param("Compose[F[], List[x_], 1]", ["L024"], id="compose-name"),
        pytest.param('Compose["F", x_, 1]', ["L024"], id="compose-parameters-no-list"),
        pytest.param('Compose["F", List[x_, 1], 1]', ["L024"], id="compose-parameter-no-variable"),
        pytest.param('Compose["F", List[x_, x_], 1]', ["L024"], id="compose-parameter-twice"),
        pytest.param('Compose["F", List[_], 1]', ["L024"], id="compose-wildcard"),
        pytest.param('Delete["Node", 1]', ["L025"], id="delete-two"),
        pytest.param("ForEach[1, x_, Query[x_, 2]]", ["L026"], id="bound-again"),
        pytest.param('Compose["F", List[x_, y_], Do[{"k": ForEach[1, y_, 2]}]]', ["L026"], id="parameter-bound-again"),
        pytest.param(
            "ForEach[1, x_, Do[Query[y_, 1], IfFound[1, x_, Query[x_, 1], 2]]]", ["L026", "L026"], id="thrice"
        ),
    ],
)
def test_what_the_specification_excludes_is_told_by_code(text: str, codes: list[str]) -> None:
    assert [finding.split()[2] for finding in outside(text)] == codes


def test_a_finding_about_the_specification_names_the_way_out() -> None:
    assert outside("ForEach[1, x_,\n  Query[x_, Get[1]]]") == [
        "line 2  L026  column 3: Query binds x_ where an outer head has bound it already; use another name.",
        "line 2  L022  column 13: Get has 1 argument; the specification asks for 2 arguments.",
    ]
    assert outside("Query[1, 2]") == [
        "line 1  L023  column 1: argument 1 of Query binds a name; write a variable there, such as x_."
    ]
