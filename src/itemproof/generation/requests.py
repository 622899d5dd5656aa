"""Cases to requests: what a runner asks a model, and what it must know about the answers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import msgspec

from itemproof.generation.fixture import FIXTURE, Case, Fixture
from itemproof.generation.language import Language
from itemproof.records.request import REQUEST, REQUEST_BATCH, RequestRecord
from itemproof.records.response import OUTPUT_FIELDS, RESPONSE, RESPONSE_BATCH

__all__ = ["TOOL", "Export", "batch", "requests"]

#: The name under which the contract's files are exchanged; readers look for it.
TOOL: Final = "coglang"

#: The contract's output discipline; runners may rely on its words.
_DISCIPLINE: Final = (
    "Return exactly one CogLang M-expression as the output for this case. "
    "Do not include Markdown fences, prose, or multiple alternatives."
)


class Export(msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """What goes into requests besides the cases.

    Attributes:
        include_reference: A right answer in each; for tests of a runner, never for claims.
        page_of: The language whose page stands before the output discipline; None for the discipline alone.
    """

    include_reference: bool = False
    page_of: Language | None = None

    @property
    def instructions(self) -> str:
        """What every request says about its answer."""
        return _DISCIPLINE if self.page_of is None else f"{self.page_of.page().rstrip()}\n\n{_DISCIPLINE}"


def requests(fixture: Fixture, export: Export) -> Iterator[dict[str, Any]]:
    """One request for each case, in the fixture's order, keys in the contract's."""
    instructions = export.instructions
    for case in fixture.cases:
        yield _request(case, instructions, include_reference=export.include_reference)


def _request(case: Case, instructions: str, *, include_reference: bool) -> dict[str, Any]:
    record = RequestRecord(
        case_id=case.case_id,
        level=case.level,
        prompt=case.prompt,
        instructions=instructions,
        expected_top_level_heads=case.expected_top_level_heads,
        reference_expr=case.reference_expr if include_reference else msgspec.UNSET,
    )
    built: dict[str, Any] = msgspec.to_builtins(record)
    return built


def batch(fixture: Fixture, export: Export) -> dict[str, Any]:
    """All requests as one object (contract 1)."""
    return {
        "schema_version": REQUEST_BATCH,
        "tool": TOOL,
        "fixture_schema_version": FIXTURE,
        "fixture_path": fixture.shown,
        "case_count": len(fixture.cases),
        "include_reference": export.include_reference,
        "response_schema_version": RESPONSE_BATCH,
        "request_record_schema_version": REQUEST,
        "response_record_schema_version": RESPONSE,
        "response_contract": {
            "format": "json_or_jsonl",
            "required_fields": ["schema_version", "case_id"],
            "optional_fields": ["model", "provider", "latency_ms", "raw_response_id"],
            "preferred_output_field": OUTPUT_FIELDS[0],
            "accepted_output_fields": list(OUTPUT_FIELDS),
            "output_instructions": _DISCIPLINE,
        },
        "requests": list(requests(fixture, export)),
    }
