"""A scoring of a response file against a few cases."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from itemproof.app.generation import Evaluated, Settings, evaluate, prepared
from unit.generation.records import TWO, Scoring, a_fixture


@pytest.fixture
def scoring(tmp_path: Path) -> Scoring:
    """Scores responses, given as the text or bytes of their file, against cases; further keywords are settings."""

    def scored(
        responses: str | bytes | None,
        cases: Sequence[dict[str, Any]] = TWO,
        *,
        name: str = "responses.jsonl",
        levels: Sequence[str] = (),
        **settings: Any,
    ) -> Evaluated:
        fixture = tmp_path / "fixture.json"
        fixture.write_text(json.dumps(a_fixture(*cases)), encoding="utf-8")
        plan = prepared(fixture, levels, strict=settings.get("strict", False))
        if responses is None:
            return evaluate(plan, None, Settings(**settings))
        path = tmp_path / name
        path.write_bytes(responses if isinstance(responses, bytes) else responses.encode("utf-8"))
        return evaluate(plan, path, Settings(**settings), shown=name)

    return scored
