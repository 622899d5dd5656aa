"""The canonical format: lines that already are records, checked and given what the run and the file know.

A line that calls its identity run-local stays so. Its id may mean something else in the next run, so a run-local id
takes its place and a warning keeps the producer's; only a field that was asked for by name is another identity.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from operator import itemgetter
from typing import Any, Final

import msgspec

from itemproof.adapters.base import FileContext, LineRefused, Tally
from itemproof.adapters.canonical_faults import CanonicalFaults, choice_faults, question_id
from itemproof.adapters.common_faults import COMMON
from itemproof.adapters.fields import CommonFields, FieldReader, IdentityReader
from itemproof.adapters.naming import Naming, Note
from itemproof.core.findings import Findings
from itemproof.records import versions
from itemproof.records.record import FIELDS, Record, RecordDict

__all__ = ["CanonicalAdapter", "CanonicalNormaliser"]

#: What harness and paired lines are made of; they may have a question_id and a variant_id too.
_OF_OTHER_FORMATS: Final = frozenset(("doc", "resps", "filtered_resps", "original", "rephrased"))

#: Combinations of common fields that are remembered; a file rarely has more than a few.
_REMEMBERED: Final = 4096

_common_of: Final = itemgetter(*COMMON)


class CanonicalAdapter:
    """Lines that a producer wrote for this archive, each a record or the part of one that the run does not know."""

    name = "canonical"
    version = 1
    needs = "question_id and variant_id, or identity_scope, as a finished record has them"

    def recognises(self, line: Mapping[str, Any]) -> bool:
        """Whether the line has a record's identity and is no pair, nor, without a scope, a line of the harness."""
        if "identity_scope" in line:
            return not ("original" in line and "rephrased" in line)
        return "question_id" in line and "variant_id" in line and _OF_OTHER_FORMATS.isdisjoint(line)

    def normaliser(self, context: FileContext) -> CanonicalNormaliser:
        """A normaliser for one file."""
        return CanonicalNormaliser(context)

    def review(self, context: FileContext, tally: Tally) -> Findings:
        """Nothing: every fault of this format shows on its line."""
        del context, tally
        return Findings()


class CanonicalNormaliser:
    """Turns the lines of one canonical file into records.

    A line is laid over a record of defaults and held against the schema as a whole; only a line that breaks a rule is
    looked at field by field.
    """

    def __init__(self, context: FileContext) -> None:
        self._run_id = context.run_id
        self._model = context.model
        self._ids = context.options.ids
        self._fields = FieldReader(context, default_variant=None)
        self._identities = IdentityReader(context)
        self._naming = Naming(context)
        self._faults = CanonicalFaults(context)
        self._tally = Tally()
        self._known: dict[tuple[Any, ...], CommonFields] = {}
        self._source: dict[str, Any] = {"path": context.raw_path, "line": 0}
        self._blank: RecordDict = dict.fromkeys(FIELDS)
        self._blank |= {"schema_version": versions.RECORD, "input": {}, "scores": {}, "metrics": {}, "warnings": []}

    def records(self, line: dict[str, Any], number: int) -> Sequence[RecordDict]:
        """The record of a line.

        Raises:
            LineRefused: With every fault of the line (C001, C002, I002, R001 to R005, R020, R021, R023).
        """
        record = self._blank.copy()
        record.update(line)
        self._source["line"] = number
        record["source"] = self._source
        try:
            self._fill(record)
            note = self._name(record, line, number)
            msgspec.convert(record, Record)
            faults = choice_faults(record)
        except (LineRefused, msgspec.ValidationError, TypeError):
            # A TypeError is a list or an object among the common fields.
            faults = self._faults.of(line)
            if not faults:
                raise
        if faults:
            raise LineRefused(*faults)
        if note is not None:
            record["warnings"] = [*record["warnings"], note.text]
            self._tally.warnings[note.code.id] += 1
        if record["identity_scope"] == "stable":
            self._tally.stable += 1
        else:
            self._tally.run_local += 1
        return (record,)

    def take(self) -> Tally:
        """The tally since the last call."""
        tally, self._tally = self._tally, Tally()
        return tally

    def _fill(self, record: RecordDict) -> None:
        given = _common_of(record)
        common = self._known.get(given)
        if common is None:
            common = self._fields.read(record, {})
            if len(self._known) < _REMEMBERED:
                self._known[given] = common
        record["run_id"] = self._run_id
        record["model"] = self._model
        record["benchmark"] = common.benchmark
        record["language"] = common.language
        record["script"] = common.script
        record["variant_id"] = common.variant_id
        record["filter"] = common.filter
        # true and 1.0 equal 1; left where they are, the schema refuses them.
        if record["repeat_id"] != common.repeat_id:
            record["repeat_id"] = common.repeat_id

    def _name(self, record: RecordDict, line: Mapping[str, Any], number: int) -> Note | None:
        scope = record["identity_scope"]
        if self._ids.fields_for(record["benchmark"]):
            named = self._naming.of(self._identities.read(line, record["benchmark"]), number)
        else:
            found = question_id(record["question_id"])
            if scope != "run-local":
                record["question_id"] = found
                if scope is None:
                    record["identity_scope"] = "stable"
                return None
            named = self._naming.as_said(found, number)
        record["question_id"] = named.question_id
        if scope in (None, "stable", "run-local"):
            record["identity_scope"] = named.scope
        return named.note
