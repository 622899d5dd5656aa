"""Agreement with the language's public reference tool, on recorded answers of it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from itemproof.coglang.ast import Application, Value
from itemproof.coglang.diagnostics import diagnose
from itemproof.coglang.failure import ParseFailure
from itemproof.coglang.preflight import preflight
from itemproof.coglang.printer import canonical, expression_hash
from itemproof.coglang.reading import read
from shared import SHARED, needs_shared

pytestmark = [needs_shared, pytest.mark.shared]


@pytest.fixture(scope="module")
def rows() -> list[dict[str, Any]]:
    """The comparable lines: those on which the reference neither crashed nor met its recursion limit."""
    text = (SHARED / "data" / "coglang" / "differential.jsonl").read_text(encoding="utf-8")
    every = [json.loads(line) for line in text.split("\n") if line]
    return [row for row in every if not row.get("reference_crash") and not row["category"].startswith("ref-")]


def as_reference(value: Value) -> str:
    """The canonical text with dict keys unescaped, as the reference leaves them."""
    if isinstance(value, Application):
        return f"{value.head}[{', '.join(map(as_reference, value.arguments))}]"
    if isinstance(value, dict):
        return "{" + ", ".join(f'"{key}": {as_reference(value[key])}' for key in sorted(value)) + "}"
    return canonical(value)


def differences(row: dict[str, Any]) -> Iterator[tuple[str, object, object]]:
    reading = read(row["input"])
    decision = preflight(reading)
    parsed = reading.parsed
    written = canonical(parsed) if isinstance(parsed, ParseFailure) else as_reference(parsed)
    facts: dict[str, object] = {
        "parse_ok": not reading.is_failure,
        "valid": reading.is_valid,
        "heads": reading.heads,
        "hallucinated": reading.hallucinated,
        "decision": decision.decision,
        "reasons": list(decision.reasons),
        "effects": list(decision.effects.effects),
        "possible_errors": list(decision.possible_errors),
        "canonical": None if reading.is_failure else written,
    }
    if reading.is_failure:
        partial = parsed.partial if isinstance(parsed, ParseFailure) else None
        facts["parse_error"] = written
        facts["partial"] = None if partial is None else as_reference(partial)
    elif written == reading.canonical:
        facts["hash"] = expression_hash(reading.canonical)
    for key, fact in facts.items():
        if fact != row.get(key):
            yield key, fact, row.get(key)


def test_each_comparable_line_agrees_on_every_field(rows: list[dict[str, Any]]) -> None:
    assert len(rows) > 1900
    found = [(row["input"], *difference) for row in rows for difference in differences(row)]
    assert found == []


def test_diagnostics_are_outside_exactly_where_a_strict_grammar_rejects(rows: list[dict[str, Any]]) -> None:
    """The recorded grammar has two limits of its own: it stops at some depth, and knows no longest integer."""
    found = [
        row["input"]
        for row in rows
        if row["parse_ok"] and row["strict"] != "deep" and len(max(row["input"].split(), key=len)) < 4300
        if any(item.flag.is_outside for item in diagnose(read(row["input"]))) is not (row["strict"] is not None)
    ]
    assert found == []
