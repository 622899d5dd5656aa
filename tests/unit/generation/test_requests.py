"""Requests: the contract's fields in its order, and what may be put into them."""

from __future__ import annotations

from itemproof.app.generation import prepared
from itemproof.generation.requests import Export, batch, requests

PLAN = prepared(None)
DISCIPLINE = (
    "Return exactly one CogLang M-expression as the output for this case. "
    "Do not include Markdown fences, prose, or multiple alternatives."
)


def test_a_request_has_the_fields_of_the_contract() -> None:
    first = next(requests(PLAN.fixture, Export()))

    assert first == {
        "schema_version": "coglang-generation-eval-request/v0.1",
        "case_id": "L1-01",
        "level": "L1",
        "prompt": "Say whether the number 7 and the text 7 are the same, the number first.",
        "instructions": DISCIPLINE,
        "expected_top_level_heads": ("Equal",),
    }
    assert list(first)[:2] == ["schema_version", "case_id"]


def test_a_reference_is_there_only_when_it_was_asked_for() -> None:
    with_it = list(requests(PLAN.fixture, Export(include_reference=True)))

    assert [one["reference_expr"] for one in with_it] == [case.reference_expr for case in PLAN.fixture.cases]
    assert not any("reference_expr" in one for one in requests(PLAN.fixture, Export()))


def test_the_page_of_the_language_stands_before_the_discipline_and_never_in_its_place() -> None:
    export = Export(page_of=PLAN.language)

    instructions = {one["instructions"] for one in requests(PLAN.fixture, export)}

    assert instructions == {f"{PLAN.language.page().rstrip()}\n\n{DISCIPLINE}"}
    assert batch(PLAN.fixture, export)["response_contract"]["output_instructions"] == DISCIPLINE


def test_a_batch_has_the_fields_of_the_contract() -> None:
    whole = batch(PLAN.fixture, Export())

    assert list(whole) == [
        "schema_version",
        "tool",
        "fixture_schema_version",
        "fixture_path",
        "case_count",
        "include_reference",
        "response_schema_version",
        "request_record_schema_version",
        "response_record_schema_version",
        "response_contract",
        "requests",
    ]
    assert whole["schema_version"] == "coglang-generation-eval-request-batch/v0.1"
    assert (whole["tool"], whole["include_reference"], whole["case_count"]) == ("coglang", False, 69)
    assert whole["response_contract"] == {
        "format": "json_or_jsonl",
        "required_fields": ["schema_version", "case_id"],
        "optional_fields": ["model", "provider", "latency_ms", "raw_response_id"],
        "preferred_output_field": "output",
        "accepted_output_fields": ["output", "text", "completion"],
        "output_instructions": DISCIPLINE,
    }
    assert whole["requests"] == list(requests(PLAN.fixture, Export()))
