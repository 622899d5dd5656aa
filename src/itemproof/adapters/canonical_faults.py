"""The rules of a canonical line, one by one, so that all its faults can be told at once."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import msgspec

from itemproof.adapters.base import FileContext, LineRefused
from itemproof.adapters.choices import Choices, check_indices, described
from itemproof.adapters.common_faults import CommonFaults
from itemproof.adapters.fields import BAD_ID, FieldReader, IdentityReader
from itemproof.core.findings import Code, Finding
from itemproof.core.where import Where
from itemproof.records.record import Record

__all__ = ["CanonicalFaults", "choice_faults", "question_id"]

NO_QUESTION_ID: Final = Code("C001", "a canonical line has no question_id")
BAD_TYPE: Final = Code("C002", "a field of a canonical line has another type than a record's")

#: What is due in the fields whose shape the line alone decides.
_DUE: Final[Mapping[str, str]] = {
    "schema_version": "the integer 1, or no such field",
    "identity_scope": '"stable" or "run-local"',
    "input": "an object",
    "correct": "true, false, or null where it is unknown",
    "scores": "an object",
    "metrics": "an object",
    "warnings": "a list of texts",
}

_TYPES: Final[Mapping[str, Any]] = {field.name: field.type for field in msgspec.structs.fields(Record)}


class CanonicalFaults:
    """Finds what is wrong with a line of one canonical file."""

    def __init__(self, context: FileContext) -> None:
        self._ids = context.options.ids
        self._common = CommonFaults(context, default_variant=None)
        self._fields = FieldReader(context, default_variant="", fallback_benchmark="")
        self._identities = IdentityReader(context)

    def of(self, line: Mapping[str, Any]) -> list[Finding]:
        """Every fault of the line: the common fields', the identity's, the shapes', then the choices'."""
        faults = self._common.of(line, {})
        try:
            self._read_identity(line)
        except LineRefused as refused:
            faults.extend(refused.findings)
        return faults + _shape_faults(line) + choice_faults(line)

    def _read_identity(self, line: Mapping[str, Any]) -> None:
        try:
            benchmark = self._fields.read({"benchmark": line.get("benchmark")}, {}).benchmark
        except LineRefused:
            benchmark = ""  # its fault is among the common ones
        if self._ids.fields_for(benchmark):
            self._identities.read(line, benchmark)
        else:
            question_id(line.get("question_id"), present="question_id" in line)


def question_id(found: Any, *, present: bool = True) -> str:
    """The question_id of a line; an integer becomes its decimal text, so that `1` and `"1"` are one identity.

    Raises:
        LineRefused: It is absent (C001), or can name no question (I002).
    """
    kind = type(found)
    if kind is str and found and not found.isspace():
        return str(found)
    if kind is int:
        return str(found)
    if not present:
        text = "found no question_id; supply it, or name the field that holds it with --id-field."
        raise LineRefused(Finding(NO_QUESTION_ID, text, Where(path="$.question_id")))
    text = f"found {described(found)}, expected a text that is not blank, or an integer."
    raise LineRefused(Finding(BAD_ID, text, Where(path="$.question_id")))


def _shape_faults(line: Mapping[str, Any]) -> list[Finding]:
    faults = []
    for name, due in _DUE.items():
        if name not in line or (name == "identity_scope" and line[name] is None):
            continue
        try:
            msgspec.convert(line[name], _TYPES[name])
        except msgspec.ValidationError:
            faults.append(_bad_type(name, line[name], due))
    return faults


def _bad_type(name: str, found: Any, due: str) -> Finding:
    if name == "warnings" and isinstance(found, list):
        at, found = next((at, value) for at, value in enumerate(found) if not isinstance(value, str))
        return Finding(BAD_TYPE, f"found {described(found)}, expected a text.", Where(path=f"$.warnings[{at}]"))
    return Finding(BAD_TYPE, f"found {described(found)}, expected {due}.", Where(path=f"$.{name}"))


def choice_faults(record: Mapping[str, Any]) -> list[Finding]:
    """Every disagreement between the choices of a record and its indices and score arrays (R020 to R023).

    Likelihoods stand for choices only where no request arguments are given: they are in the order of the requests.
    """
    faults: list[Finding] = []
    given, scores = record.get("input"), record.get("scores")
    given = given if isinstance(given, dict) else {}
    choices = Choices(given.get("choices"), "$.input.choices", faults)
    if isinstance(scores, dict) and choices.known:
        for name, found in scores.items():
            measures_choices = name.startswith("logprobs") or (name == "likelihoods" and "arguments" not in given)
            if measures_choices and isinstance(found, list):
                choices.length(found, f"$.scores.{name}")
    check_indices(record.get("target"), "$.target", choices)
    check_indices(record.get("prediction"), "$.prediction", choices)
    return faults
