"""The commands for one expression: text and JSON, exit codes, and where the expression comes from."""

from __future__ import annotations

import io
import json
import sys

import pytest

from cli.main_in_process import said


def test_parse_prints_the_expression() -> None:
    done = said("coglang", "parse", "List[b,  1]")

    assert (done.code, done.out) == (0, 'List["b", 1]\n')


def test_parse_as_json_has_the_tree() -> None:
    document = said("coglang", "parse", 'Equal["é\u2028", x_]', "--json").document

    assert document == {
        "ok": True,
        "canonical": 'Equal["é\u2028", x_]',
        "parse_error": None,
        "diagnostics": document["diagnostics"],
        "tree": {
            "kind": "expr",
            "head": "Equal",
            "args": ["é\u2028", {"kind": "var", "name": "x", "is_anonymous": False}],
        },
    }


def test_a_tree_as_deep_as_the_language_goes_is_printed() -> None:
    done = said("coglang", "parse", "List[" * 999 + "]" * 999, "--json")

    assert done.code == 0
    assert done.out.count('"head": "List"') == 999


def test_a_parse_error_has_its_reason_token_line_column_and_caret() -> None:
    done = said("coglang", "parse", "Do[\n  Equal[1, 1]\n", "--json")

    error = done.document["parse_error"]
    assert done.code == 1
    assert (error["reason"], error["position"], error["line"], error["column"]) == ("unclosed_bracket", 8, 2, 14)
    assert error["text"] == 'ParseError["unclosed_bracket", 8]'
    assert error["excerpt"].endswith("^")


def test_a_parse_error_is_shown_to_people_with_its_place() -> None:
    done = said("coglang", "canonicalize", "Equal[1, 1")

    assert (done.code, done.out) == (1, 'ParseError["unclosed_bracket", 5]\n')
    assert done.err.startswith("line 1  L004  column 11: unclosed_bracket.")
    assert "Equal[1, 1\n          ^" in done.err


@pytest.mark.parametrize("command", ["parse", "canonicalize", "validate", "preflight"])
def test_a_parse_error_that_is_written_out_is_one_for_every_command(command: str) -> None:
    done = said("coglang", command, 'ParseError["x", 1]', "--json")

    assert done.code == 1


def test_canonicalize_as_json() -> None:
    done = said("coglang", "--json", "canonicalize", '{"a": 1}')

    assert done.code == 1
    assert done.document["canonical"] is None
    assert done.document["parse_error"]["reason"] == "not_an_expression"


@pytest.mark.parametrize(
    ("text", "code", "findings", "specification", "diagnostics"),
    [
        ("Equal[1, 1]", 0, [], [], []),
        ("If[True[], 1]", 1, ["L021"], ["L022"], []),
        ("Foo[Bar[]]", 1, ["L020", "L020"], [], []),
        ("Equal[1]", 0, [], ["L022"], []),
        ("List[1 2]", 0, [], [], ["L040"]),
    ],
)
def test_validate_tells_what_is_wrong_and_what_is_odd(
    text: str, code: int, findings: list[str], specification: list[str], diagnostics: list[str]
) -> None:
    done = said("coglang", "validate", text, "--json")

    document = done.document
    assert (done.code, document["ok"]) == (code, code == 0)
    assert [one["code"] for one in document["findings"]] == findings
    assert [one["code"] for one in document["diagnostics"]] == diagnostics
    if code == 0:
        assert [one["code"] for one in document["specification"]] == specification


def test_validate_says_it_in_words() -> None:
    assert said("coglang", "validate", "AllNodes[]").out == "valid\n"
    assert said("coglang", "validate", "Foo[]").out.startswith("not valid\nline 1  L020  column 1: ")


@pytest.mark.parametrize(
    ("arguments", "decision", "reasons"),
    [
        (["Equal[1, 1]"], "accepted", ["effect.pure", "budget.within_default"]),
        (['Create["Entity", {}]'], "requires_review", ["effect.graph_write", "policy.review_required"]),
        (
            ['Create["Entity", {}]', "--allow-writes-without-review"],
            "accepted",
            ["effect.graph_write", "budget.within_default"],
        ),
        (
            ['Create["Entity", {}]', "--enabled-capability", "graph.read"],
            "rejected",
            ["capability.missing", "capability.missing.graph_write"],
        ),
        (["Equal[1, 1]", "--max-result-count", "0"], "rejected", ["budget.result_count_exceeded"]),
        (['Traverse["a", "b"]', "--max-traversal-depth", "0"], "rejected", ["budget.traversal_depth_exceeded"]),
        (["Unify[a, b]", "--max-unification-branches", "0"], "rejected", ["budget.unification_branches_exceeded"]),
        (["AllNodes[]", "--max-visited-nodes", "0"], "accepted_with_warnings", None),
        (["Traverse[" * 4 + '"a"' + ', "b"]' * 4], "rejected", ["budget.traversal_depth_exceeded"]),
        (["Traverse[" * 4 + '"a"' + ', "b"]' * 4, "--max-execution-ms", "5"], "cannot_estimate", None),
    ],
)
def test_preflight_decides(arguments: list[str], decision: str, reasons: list[str] | None) -> None:
    done = said("coglang", "preflight", *arguments, "--json")

    assert done.document["decision"] == decision
    assert done.document["reasons"] == (reasons or done.document["reasons"])
    assert done.code == (1 if decision == "rejected" else 0)


def test_preflight_repeats_a_correlation_id_and_says_it_in_words() -> None:
    assert said("coglang", "preflight", "List[]", "--correlation-id", "x", "--json").document["correlation_id"] == "x"
    assert said("coglang", "preflight", "List[]").out.splitlines() == [
        "accepted",
        "reasons: effect.pure, budget.within_default",
        "effects: pure",
        "needs: none",
        "may end in: none",
        "review required: no",
    ]


@pytest.mark.parametrize("arguments", [[], ["-"]], ids=["absent", "a hyphen"])
def test_an_expression_may_come_from_standard_input(arguments: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"  List[1]\n")))

    assert said("coglang", "canonicalize", *arguments).out == "List[1]\n"


def test_standard_input_that_is_no_utf8_ends_with_2(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"\xff")))

    done = said("coglang", "parse")

    assert done.code == 2
    assert "J007" in done.err


def test_a_command_that_there_is_not_ends_with_2() -> None:
    assert said("coglang", "execute", "List[]").code == 2


def test_control_characters_of_an_expression_do_not_reach_the_terminal() -> None:
    done = said("coglang", "parse", 'List["\x1b[31m"]')

    assert "\x1b" not in done.out + done.err
    assert json.loads(said("coglang", "parse", 'List["\x1b[31m"]', "--json").out)["tree"]["args"] == ["\x1b[31m"]
