"""Fixtures, cases and responses as small as tests need them."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from itemproof.app.generation import Evaluated

__all__ = ["RESPONSE", "TWO", "Scoring", "a_case", "a_fixture", "a_response", "lines"]

RESPONSE = "coglang-generation-eval-response/v0.1"


def a_case(case_id: str, reference: str, *, level: str = "L1", **changes: Any) -> dict[str, Any]:
    """A case whose expected head is its reference's."""
    case = {
        "case_id": case_id,
        "level": level,
        "prompt": f"Answer {case_id}.",
        "reference_expr": reference,
        "expected_top_level_heads": [reference.partition("[")[0]],
    }
    return {**case, **changes}


def a_fixture(*cases: Any, **changes: Any) -> dict[str, Any]:
    """A fixture of these cases."""
    return {"schema_version": "coglang-generation-eval-fixture/v0.1", "cases": list(cases), **changes}


TWO = (a_case("A", "Equal[1, 1]"), a_case("B", "AllNodes[]", level="L2"))


def a_response(case_id: Any, output: Any, **changes: Any) -> dict[str, Any]:
    """A response record."""
    return {"schema_version": RESPONSE, "case_id": case_id, "output": output, **changes}


def lines(*records: Any) -> str:
    """The records as JSON Lines."""
    return "".join(json.dumps(record) + "\n" for record in records)


#: Scores the text or bytes of a response file.
Scoring = Callable[..., Evaluated]
