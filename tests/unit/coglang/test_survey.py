"""What one walk finds."""

from __future__ import annotations

import pytest

from itemproof.coglang.ast import Application
from itemproof.coglang.parser import parse
from itemproof.coglang.survey import Survey, is_term_head, survey


def surveyed(text: str, *, terms_are_data: bool = False) -> Survey:
    expression = parse(text)
    assert isinstance(expression, Application)
    return survey(expression, terms_are_data=terms_are_data)


@pytest.mark.parametrize(
    ("text", "heads", "checked", "depth"),
    [
        pytest.param("Do[A[B[]], C[], A[]]", "Do A B C A", "Do A B C A", 0, id="walk-order"),
        pytest.param('Do[{"z": A[], "a": {"k": B[]}}, C[]]', "Do A B C", "Do C", 0, id="dicts-in-written-order"),
        pytest.param('Do[{"k": A[], "j": B[], "k": C[]}]', "Do C B", "Do", 0, id="repeated-key"),
        pytest.param('Unify[A[], {"k": B[Traverse[]]}]', "Unify", "Unify", 0, id="opaque"),
        pytest.param("Do[Match[A[]], B[]]", "Do Match B", "Do Match B", 0, id="opaque-inside"),
        pytest.param(
            "Traverse[Get[Traverse[1, 2], 0], Traverse[]]", "Traverse Get Traverse Traverse", None, 2, id="depth"
        ),
        pytest.param(
            'Do[Traverse[], {"k": Traverse[{"j": Traverse[]}]}]',
            "Do Traverse Traverse Traverse",
            "Do Traverse",
            2,
            id="depth-through-dicts",
        ),
        pytest.param("True", "True", None, 0, id="alone"),
    ],
)
def test_a_survey_lists_heads_and_depth(text: str, heads: str, checked: str | None, depth: int) -> None:
    found = surveyed(text)
    assert found.heads == heads.split()
    assert [application.head for application in found.applications] == found.heads
    assert [application.head for application in found.checked] == (checked or heads).split()
    assert found.traversal_depth == depth
    assert found.root is found.applications[0]


def test_hallucinated_heads_come_once_and_by_code_point() -> None:
    assert surveyed('Do[b[], É[], B[], b[], {"k": A[Do[]]}, Unify[c[]]]').hallucinated == ["A", "B", "b", "É"]


def test_terms_may_be_passed_over_but_not_what_is_in_them() -> None:
    found = surveyed("Equal[f[a, Get[g[]]], h_i2[], É[]]", terms_are_data=True)
    assert found.heads == ["Equal", "Get", "É"]
    assert found.hallucinated == ["É"]


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        ("f", True),
        ("near_by2", True),
        ("F", False),
        ("f_", False),
        ("2f", False),
        ("f.g", False),
        ("é", False),
        ("", False),
    ],
)
def test_a_term_head_is_a_lower_case_identifier(head: str, expected: bool) -> None:
    assert is_term_head(head) is expected
