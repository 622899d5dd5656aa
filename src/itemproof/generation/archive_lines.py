"""A result as JSON Lines, one self-contained line a case: what an archive keeps as the raw file of a scored run."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, BinaryIO, Final

from itemproof.files.paths import utf8_text
from itemproof.files.strict_json import dumps
from itemproof.generation.language import Language
from itemproof.generation.result import case_results
from itemproof.generation.scoring import Scored

__all__ = ["CASE_RESULT", "FILE_NAME", "lines", "write_lines"]

#: The schema version of a line; the adapter `generation-eval` reads it.
CASE_RESULT: Final = "itemproof-generation-eval-case/v1"
#: The raw file's name.
FILE_NAME: Final = "generation-eval.jsonl"
#: The filter of strict scores, so that they never pair with others.
STRICT: Final = "strict"


def lines(scored: Scored, language: Language, *, strict: bool) -> Iterator[dict[str, Any]]:
    """The line of each case, in the fixture's order; half a surrogate pair stands as its escape, and is named."""
    fixture = scored.fixture
    for case, found in zip(fixture.cases, case_results(scored, language), strict=True):
        extra = found.pop("itemproof")
        line = {
            "schema_version": CASE_RESULT,
            "benchmark": fixture.name,
            "question_id": case.case_id,
            **({"filter": STRICT} if strict else {}),
            **found,
            "expected_top_level_heads": list(case.expected_top_level_heads),
            "reference_expr": case.reference_expr,
            **extra,
        }
        written = {name: _escaped(value) for name, value in line.items()}
        escaped = [name for name, value in line.items() if isinstance(value, str) and written[name] != value]
        yield {**written, "escaped": escaped} if escaped else written


def _escaped(value: Any) -> Any:
    if isinstance(value, str):
        return utf8_text(value)
    if isinstance(value, list | tuple):
        return [_escaped(item) for item in value]
    if isinstance(value, dict):
        return {name: _escaped(item) for name, item in value.items()}
    return value


def write_lines(scored: Scored, language: Language, out: BinaryIO, *, strict: bool) -> None:
    """The lines stand in the file, in UTF-8."""
    out.writelines(dumps(line) + b"\n" for line in lines(scored, language, strict=strict))
