"""CogLang as the scorer sees it: the reference tool's verdict, or the specification's."""

from __future__ import annotations

import json

import pytest

from itemproof.generation.coglang_language import CogLang
from shared import SHARED, needs_shared

NEAR = CogLang()
STRICT = CogLang(strict=True)


@pytest.mark.parametrize(
    ("text", "error"),
    [
        pytest.param("List[1 2]", 'ParseError["missing_comma", 3]', id="no comma"),
        pytest.param("List[1,]", 'ParseError["trailing_comma", 3]', id="a comma too many"),
        pytest.param("Equal", 'ParseError["bare_head", 0]', id="a bare head"),
        pytest.param('"Equal"', 'ParseError["quoted_top_level", 0]', id="a quoted head"),
        pytest.param("List[,]", 'ParseError["punctuation_as_value", 2]', id="punctuation"),
        pytest.param("Get[List[1], +1]", 'ParseError["number_like_text", 7]', id="a number with a plus"),
        pytest.param("Foo-Bar[1]", 'ParseError["odd_head", 0]', id="an odd head"),
    ],
)
def test_what_the_specification_excludes_is_a_parse_error_for_a_strict_scorer_alone(text: str, error: str) -> None:
    assert NEAR.judge(text).parse_error is None
    assert (STRICT.judge(text).parse_error, STRICT.judge(text).decision) == (error, "rejected")


def test_a_bare_truth_value_is_remarked_on_and_keeps_its_verdict() -> None:
    text = 'If[true, "yes", "no"]'

    assert [remark.name for remark in NEAR.remarks(text)] == ["bare_boolean"]
    assert NEAR.judge(text).is_valid
    assert STRICT.judge(text).parse_error is None


def test_a_term_head_is_data_for_a_strict_scorer_alone() -> None:
    text = "Equal[f[a], f[a]]"

    assert (NEAR.judge(text).is_valid, NEAR.judge(text).hallucinated) == (False, ("f",))
    assert (STRICT.judge(text).is_valid, STRICT.judge(text).hallucinated) == (True, ())


def test_an_arity_that_only_the_specification_knows_is_held_against_a_text_strictly() -> None:
    assert not NEAR.judge("Equal[1]").is_outside
    assert STRICT.judge("Equal[1]").is_outside
    assert not STRICT.judge("Equal[1, 1]").is_outside


@pytest.mark.parametrize(
    ("text", "around"),
    [
        pytest.param("```\nEqual[1, 1]\n```", ("code_fence",), id="a fence"),
        pytest.param("Sure: Equal[1, 1]", ("prose",), id="prose"),
        pytest.param("Equal[1, 1] Equal[2, 2]", ("several_expressions",), id="two"),
        pytest.param("<think>Equal[1, 2]? no</think> Equal[1, 1]", ("reasoning_tag",), id="reasoning"),
        pytest.param("Equal[1, 1]", (), id="nothing"),
    ],
)
def test_what_stands_around_an_expression_is_named(text: str, around: tuple[str, ...]) -> None:
    assert NEAR.judge(text).around == around


def test_a_parse_error_that_is_written_out_is_one() -> None:
    judged = NEAR.judge('ParseError["x", 1]')

    assert (judged.parse_error, judged.is_valid, judged.decision) == ('ParseError["x", 1]', False, "rejected")


def test_the_canonical_text_is_of_expressions_alone() -> None:
    assert NEAR.canonical(NEAR.judge("List[b,a]")) == 'List["b", "a"]'
    assert NEAR.canonical(NEAR.judge("List[")) is None
    assert NEAR.canonical_of("  List [ 1 ] ") == "List[1]"
    assert NEAR.canonical_of("List[") is None


@pytest.mark.parametrize(
    ("text", "near", "strict"),
    [
        pytest.param("If[Foo[], Bar[]]", {"wrong_arity", "unknown_head"}, set(), id="arity and heads"),
        pytest.param("Equal[1]", set(), {"spec_arity"}, id="an arity of the specification"),
        pytest.param("ForEach[List[], 1, 2]", set(), {"binding_slot"}, id="no variable"),
        pytest.param("Compose[f_, List[], 1]", set(), {"compose_signature"}, id="no name"),
        pytest.param('Delete["a", {}]', set(), {"delete_edge"}, id="no edge"),
        pytest.param("ForEach[List[], x_, ForEach[List[], x_, 1]]", set(), {"rebound_variable"}, id="bound twice"),
    ],
)
def test_a_broken_rule_is_remarked_on(text: str, near: set[str], strict: set[str]) -> None:
    assert {remark.name for remark in NEAR.remarks(text)} == near
    assert {remark.name for remark in STRICT.remarks(text) if remark.is_outside} == strict


def test_a_rule_that_is_broken_often_is_one_remark() -> None:
    (remark,) = NEAR.remarks("List[Foo[], 1, Foo[], Bar[]]")

    assert (remark.name, remark.column, remark.count) == ("unknown_head", 6, 3)


@needs_shared
def test_every_judgement_agrees_with_the_reference_tool() -> None:
    differ = []
    path = SHARED / "data/coglang/differential.jsonl"
    for line in path.read_text(encoding="utf-8").split("\n")[:-1]:
        due = json.loads(line)
        if due["category"].startswith("ref-crash") or "recursion" in due["category"] or "reference_crash" in due:
            continue
        found = NEAR.judge(due["input"])
        mine = (found.parse_error is None, found.is_valid, list(found.hallucinated), found.decision)
        if mine != (due["parse_ok"], due["valid"], due["hallucinated"], due["decision"]):
            differ.append((due["input"], mine))
    assert differ == []
