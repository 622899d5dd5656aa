"""The results of generation-eval, a line a case: a metric for each stage, and right when no stage failed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal

import msgspec

from itemproof.adapters.base import FileContext, LineRefused, Tally
from itemproof.adapters.common_faults import CommonFaults
from itemproof.adapters.fields import CommonFields, FieldReader, IdentityReader
from itemproof.adapters.naming import Named, Naming, Note
from itemproof.core.findings import Code, Finding, Findings
from itemproof.core.where import Where
from itemproof.records import versions
from itemproof.records.record import RecordDict

__all__ = ["GenerationEvalAdapter", "GenerationEvalNormaliser"]

BAD_LINE: Final = Code("G020", "a line is no result of generation-eval")
ESCAPED: Final = Code("G021", "an output held half of a surrogate pair and is kept as its escape")

_VERSION: Final = "itemproof-generation-eval-case/v1"
_VARIANT: Final = "original"
#: The metric that sets `correct`.
_PASSED: Final = "passed"
#: The stages, each a metric of 1 or 0.
_STAGES: Final = ("parse_ok", "canonicalize_ok", "validate_ok", "expected_top_level_head_ok")
#: What the records carry on as it stands, behind the fields that every record has.
_KEPT: Final = (
    "level",
    "failure_categories",
    "hallucinated_heads",
    "preflight_decision",
    "parse_error",
    "diagnostics",
)


class _Line(msgspec.Struct, kw_only=True):
    """What a line must have; identity and run are read as in every format."""

    schema_version: Literal["itemproof-generation-eval-case/v1"]
    case_id: str
    level: str
    prompt: str
    output: str | None
    parse_ok: bool
    canonicalize_ok: bool
    validate_ok: bool
    expected_top_level_head_ok: bool
    hallucinated_heads: list[str]
    failure_categories: list[str]
    preflight_decision: str | None
    canonical: str | None
    parse_error: str | None
    expected_top_level_heads: list[str]
    reference_expr: str
    exact_match: bool
    diagnostics: list[dict[str, Any]]
    escaped: list[str] = []


class GenerationEvalAdapter:
    """Lines that `itemproof generation-eval` wrote."""

    name = "generation-eval"
    version = 1
    needs = f"the schema_version {_VERSION}"

    def recognises(self, line: Mapping[str, Any]) -> bool:
        """Whether the line says that it is one."""
        return line.get("schema_version") == _VERSION

    def normaliser(self, context: FileContext) -> GenerationEvalNormaliser:
        """A normaliser for one file."""
        return GenerationEvalNormaliser(context)

    def review(self, context: FileContext, tally: Tally) -> Findings:
        """Nothing: every fault of this format shows on its line."""
        del context, tally
        return Findings()


class GenerationEvalNormaliser:
    """Turns the lines of one file into records."""

    def __init__(self, context: FileContext) -> None:
        self._context = context
        self._fields = FieldReader(context, default_variant=_VARIANT)
        self._faults = CommonFaults(context, default_variant=_VARIANT)
        self._identities = IdentityReader(context)
        self._naming = Naming(context)
        self._tally = Tally()

    def records(self, line: dict[str, Any], number: int) -> Sequence[RecordDict]:
        """The record of a line.

        Raises:
            LineRefused: The line is no result (G020), or breaks a rule of every format (I002, R001 to R005).
        """
        try:
            result = msgspec.convert(line, _Line)
        except msgspec.ValidationError as error:
            text, _, path = str(error).partition(" - at `")
            text = f"{text}; take the line as itemproof wrote it."
            raise LineRefused(Finding(BAD_LINE, text, Where(path=path.rstrip("`") or "$"))) from None
        try:
            common = self._fields.read(line, {})
        except LineRefused:
            raise LineRefused(*self._faults.of(line, {})) from None
        named = self._naming.of(self._identities.read(line, common.benchmark), number)
        notes = [note for note in (named.note, _note(result)) if note is not None]
        self._count(common, named, notes)
        record: RecordDict = {
            "schema_version": versions.RECORD,
            "run_id": self._context.run_id,
            "question_id": named.question_id,
            "variant_id": common.variant_id,
            "benchmark": common.benchmark,
            "script": common.script,
            "language": common.language,
            "model": self._context.model,
            "rephrasing_model": common.rephrasing_model,
            "filter": common.filter,
            "repeat_id": common.repeat_id,
            "identity_scope": named.scope,
            **_answer(result),
            "source": {"path": self._context.raw_path, "line": number},
            "warnings": [note.text for note in notes],
        }
        return (record | {name: line[name] for name in _KEPT},)

    def _count(self, common: CommonFields, named: Named, notes: Sequence[Note]) -> None:
        tally = self._tally
        tally.populated.add((common.benchmark, common.filter, _PASSED))
        tally.benchmarks.add(common.benchmark)
        tally.warnings.update(note.code.id for note in notes)
        if named.scope == "stable":
            tally.stable += 1
        else:
            tally.run_local += 1

    def take(self) -> Tally:
        """The tally since the last call."""
        tally, self._tally = self._tally, Tally()
        return tally


def _answer(result: _Line) -> dict[str, Any]:
    """What was asked and answered, and how well: the record's fields from input to response."""
    passed = not result.failure_categories
    return {
        "input": {
            "prompt": result.prompt,
            "document": {"level": result.level, "expected_top_level_heads": result.expected_top_level_heads},
        },
        "target": result.reference_expr,
        "prediction": result.canonical,
        "correct": passed,
        "scores": {},
        "metrics": _metrics(result, passed=passed),
        "response": result.output,
    }


def _metrics(result: _Line, *, passed: bool) -> dict[str, int]:
    return {
        _PASSED: int(passed),
        "has_output": int(result.output is not None),
        **{stage: int(getattr(result, stage)) for stage in _STAGES},
        "no_hallucinated_operator": int(not result.hallucinated_heads),
        "exact_canonical_match": int(result.exact_match),
    }


def _note(result: _Line) -> Note | None:
    if not result.escaped:
        return None
    text = "the output held half of a surrogate pair, which no UTF-8 can hold; it is kept as its six-character escape"
    return Note(ESCAPED, text)
