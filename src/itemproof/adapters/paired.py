"""The paired format: one line has a question and its rephrasing, and makes two records.

`pred_acc` names a choice; a wording is right when it names the wording's own answer key, and unknown when either is.
No metric sets `correct`. A `choices` list beside the two wordings belongs to neither for certain: it is kept with the
producer's other fields, and neither counts choices nor proves an order.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from itemproof.adapters.base import FileContext, LineRefused, Tally
from itemproof.adapters.choices import described
from itemproof.adapters.common_faults import CommonFaults
from itemproof.adapters.fields import CommonFields, FieldReader, IdentityReader
from itemproof.adapters.naming import Named, Naming, Note
from itemproof.adapters.paired_keys import AnswerKey, answer_keys
from itemproof.adapters.paired_line import BAD_NAME, check_line, read_wordings, rephrased_variant
from itemproof.adapters.paired_wording import ORIGINAL, REPHRASED, Wording, check_context
from itemproof.core.errors import invalid
from itemproof.core.findings import Code, Finding, Findings
from itemproof.core.where import Where
from itemproof.records import versions
from itemproof.records.record import FIELDS, RecordDict

__all__ = ["PairedAdapter", "PairedNormaliser"]

BAD_ASSERTION: Final = Code("P006", "shared_answer_key in the run's metadata is neither true nor false")
OTHER_VERDICT: Final = Code("P012", "the producer's own verdict differs from the one derived from the answer key")

_NOT_EXTRA: Final = frozenset((*FIELDS, ORIGINAL, REPHRASED))
_EMPTY: Final[Mapping[str, Any]] = {}


class PairedAdapter:
    """Lines with an `original` and a `rephrased` object that share an identity and a context."""

    name = "paired"
    version = 1
    needs = "an original and a rephrased object"

    def recognises(self, line: Mapping[str, Any]) -> bool:
        """Whether the line has both objects."""
        return isinstance(line.get(ORIGINAL), dict) and isinstance(line.get(REPHRASED), dict)

    def normaliser(self, context: FileContext) -> PairedNormaliser:
        """A normaliser for one file.

        Raises:
            InvalidInput: `--variant` names the original (P004), or `shared_answer_key` is no truth value (P006).
        """
        return PairedNormaliser(context)

    def review(self, context: FileContext, tally: Tally) -> Findings:
        """Nothing: every fault of this format shows on its line."""
        del context, tally
        return Findings()


class PairedNormaliser:
    """Turns the lines of one paired file into records; `--variant` names the rephrasings."""

    def __init__(self, context: FileContext) -> None:
        if context.options.variant == ORIGINAL:
            raise invalid(BAD_NAME, "--variant names the rephrasings of a paired file, so it cannot be original.")
        asserted = context.metadata.get("shared_answer_key")
        if asserted is not None and not isinstance(asserted, bool):
            text = f"found {described(asserted)}, expected true or false."
            raise invalid(BAD_ASSERTION, text, Where(path="$.metadata.shared_answer_key"))
        self._asserted = asserted is True
        self._context = context
        self._fields = FieldReader(context, default_variant=REPHRASED)
        self._common_faults = CommonFaults(context, default_variant=REPHRASED)
        self._identities = IdentityReader(context)
        self._naming = Naming(context)
        self._tally = Tally()

    def records(self, line: dict[str, Any], number: int) -> Sequence[RecordDict]:
        """The records of the original and of the rephrasing, in this order.

        Raises:
            LineRefused: With every fault of the line (I002, P001 to P005, R001 to R005, R020 to R023).
        """
        faults: list[Finding] = []
        common = self._read_common(line, faults)
        named = self._read_name(line, number, common, faults)
        warnings = check_line(line, faults)
        wordings = read_wordings(line, faults)
        if common is None or named is None or wordings is None:
            raise LineRefused(*faults)
        original, rephrased = wordings
        for wording in wordings:
            check_context(line[wording.name], wording.path, common, faults)
        keys = answer_keys(line.get("correct_index"), wordings, faults, asserted=self._asserted)
        variant = rephrased_variant(line.get("variant_id"), wordings, self._context.options.variant, faults)
        if faults:
            raise LineRefused(*faults)
        extras = {name: value for name, value in line.items() if name not in _NOT_EXTRA}
        shared = _Shared(number, common, named, warnings, extras)
        return (
            self._record(shared, original, keys[0], (ORIGINAL, None)),
            self._record(shared, rephrased, keys[1], (variant, rephrased.rephrasing_model or common.rephrasing_model)),
        )

    def take(self) -> Tally:
        """The tally since the last call."""
        tally, self._tally = self._tally, Tally()
        return tally

    def _read_common(self, line: Mapping[str, Any], faults: list[Finding]) -> CommonFields | None:
        doc = line.get("doc")
        doc = doc if isinstance(doc, dict) else _EMPTY
        try:
            return self._fields.read(line, doc)
        except LineRefused as refused:
            faults.extend(self._common_faults.of(line, doc) or refused.findings)
            return None

    def _read_name(
        self, line: Mapping[str, Any], number: int, common: CommonFields | None, faults: list[Finding]
    ) -> Named | None:
        benchmark = "" if common is None else common.benchmark
        try:
            identity = self._identities.read(line, benchmark)
        except LineRefused as refused:
            faults.extend(refused.findings)
            return None
        if line.get("identity_scope") == "run-local" and not self._context.options.ids.fields_for(benchmark):
            return self._naming.as_said(identity.question_id, number)
        return self._naming.of(identity, number)

    def _record(self, shared: _Shared, wording: Wording, key: AnswerKey, name: tuple[str, str | None]) -> RecordDict:
        index, key_note = key
        correct = None if index is None or wording.chosen is None else wording.chosen == index
        notes = [note for note in (shared.named.note, key_note, _verdict_note(wording, correct)) if note is not None]
        self._count(shared.named, notes)
        common = shared.common
        return {
            "schema_version": versions.RECORD,
            "run_id": self._context.run_id,
            "question_id": shared.named.question_id,
            "variant_id": name[0],
            "benchmark": common.benchmark,
            "script": common.script,
            "language": common.language,
            "model": self._context.model,
            "rephrasing_model": name[1],
            "filter": common.filter,
            "repeat_id": common.repeat_id,
            "identity_scope": shared.named.scope,
            "input": wording.input,
            "target": None if index is None else {"index": index},
            "prediction": wording.prediction,
            "correct": correct,
            "scores": wording.scores,
            "metrics": wording.metrics,
            "response": wording.response,
            "source": {"path": self._context.raw_path, "line": shared.number},
            "warnings": [*shared.warnings, *wording.warnings, *(note.text for note in notes)],
            **shared.extras,
        }

    def _count(self, named: Named, notes: list[Note]) -> None:
        if named.scope == "stable":
            self._tally.stable += 1
        else:
            self._tally.run_local += 1
        self._tally.warnings.update(note.code.id for note in notes)


@dataclass(frozen=True, slots=True)
class _Shared:
    """What both records of a line have in common."""

    number: int
    common: CommonFields
    named: Named
    warnings: list[str]
    extras: dict[str, Any]


def _verdict_note(wording: Wording, correct: bool | None) -> Note | None:
    said = wording.metrics.get("correct")
    if not isinstance(said, bool) or said is correct:
        return None
    text = "the producer's own verdict is kept in metrics; correct compares pred_acc with correct_index, and differs"
    return Note(OTHER_VERDICT, text)
