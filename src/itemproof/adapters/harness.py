"""The sample logs of lm-evaluation-harness, 0.4.0 to 0.4.13: one line gives one record.

A line is one document under one filter. Its hashes are made again; its likelihoods become numbers in the order of the
requests, and no answer is ever inferred from them. This runs once for each line of an import: one record is filled anew
for every line rather than built, and whatever the lines of a file share is worked out once.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from itemproof.adapters.base import FileContext, LineRefused, Tally
from itemproof.adapters.choices import described
from itemproof.adapters.correctness import Correctness, MetricPlan
from itemproof.adapters.fields import (
    BAD_TEXT,
    CONFLICT,
    CommonFields,
    FieldReader,
    Identity,
    IdentityReader,
    line_refused,
    looked_up,
)
from itemproof.adapters.harness_hashes import HarnessHashes
from itemproof.adapters.harness_metrics import PMI, Layout, Layouts, harness_version, pmi_is_doubtful
from itemproof.adapters.harness_positions import refuse_doubles, see_position
from itemproof.adapters.harness_requests import answers_of, arguments_of, fast_answers
from itemproof.adapters.harness_results import filters_of
from itemproof.adapters.naming import Naming
from itemproof.core.findings import Code, Finding, Findings
from itemproof.records.record import FIELDS, RecordDict
from itemproof.records.versions import RECORD

__all__ = ["HarnessAdapter", "HarnessNormaliser"]

EDITED: Final = Code("H010", "a line was edited or cut after the harness wrote it")
DOUBTFUL_PMI: Final = Code("H011", "a metric that some harness versions computed wrongly")
NOT_FINITE: Final = Code("H012", "a likelihood is no finite number")
CONTRADICTION: Final = Code("H013", "two metrics contradict each other")
SHARED_DOCUMENT: Final = Code("H014", "two documents are the same")
NOT_KEPT: Final = Code("H015", "a key of a line has the name of a field that is made of other keys")

_REMEMBERED: Final = 256
_COMMON: Final = ("variant_id", "benchmark", "script", "language", "rephrasing_model", "filter", "repeat_id")
_RUN_LOCAL: Final = Identity(None)


class HarnessAdapter:
    """Reads the lines that lm-evaluation-harness logs with `--log_samples`."""

    name = "harness"
    version = 1
    needs = "an object doc, and resps or filtered_resps, as lm-evaluation-harness logs samples"

    def recognises(self, line: Mapping[str, Any]) -> bool:
        """Whether the line has a document and responses, and is no finished record and no pair."""
        has_answers = line.get("doc") is not None and ("resps" in line or "filtered_resps" in line)
        return has_answers and "identity_scope" not in line and not ("original" in line and "rephrased" in line)

    def normaliser(self, context: FileContext) -> HarnessNormaliser:
        """A normaliser for one file."""
        return HarnessNormaliser(context)

    def review(self, context: FileContext, tally: Tally) -> Findings:
        """The lines of documents that occur twice although no line names its filter (H004)."""
        return refuse_doubles(tally, filters_of(context.results, context.task or ""))


class HarnessNormaliser:
    """Turns the lines of one file into records, filling the same record again for each line.

    Args:
        context: The file.

    Raises:
        InvalidInput: The run's `correctness_metric` is malformed (R006).
    """

    def __init__(self, context: FileContext) -> None:
        self._context = context
        self._tally = Tally()
        self._layouts = Layouts(context)
        self._hashes = HarnessHashes()
        self._fields = FieldReader(context, default_variant="original", fallback_benchmark=context.task)
        self._identities = IdentityReader(context, content_field="doc_hash")
        self._naming = Naming(context)
        self._correctness = Correctness(context)
        ids = context.options.ids
        self._by_name = bool(ids.everywhere or ids.by_benchmark)
        self._auto = ids.auto
        self._version = harness_version(context)
        self._doubtful_pmi = pmi_is_doubtful(self._version)
        self._by_filter: dict[str | None, CommonFields] = {}
        self._common: CommonFields | None = None
        self._plan = MetricPlan(())
        self._plans: dict[tuple[int, str, str], MetricPlan] = {}
        #: The layouts that plans were made for, which must live as long as their ids are keys.
        self._kept: list[Layout] = []
        self._layout: Layout | None = None
        self._input: dict[str, Any] = {}
        self._scores: dict[str, Any] = {}
        self._metrics: dict[str, Any] = {}
        self._response: dict[str, Any] = {}
        self._source: dict[str, Any] = {"path": context.raw_path, "line": 0}
        self._record: RecordDict = dict.fromkeys(FIELDS)
        self._record |= {"schema_version": RECORD, "run_id": context.run_id, "model": context.model}
        self._record |= {"input": self._input, "scores": self._scores, "metrics": self._metrics}
        self._record |= {"response": self._response, "source": self._source}
        self._records = (self._record,)

    def records(self, line: dict[str, Any], number: int) -> Sequence[RecordDict]:
        """The one record of a line; valid until the next call.

        Raises:
            LineRefused: The line breaks a rule; all of its faults are listed.
        """
        try:
            return self._filled(line, number)
        except LineRefused as refused:
            # The record may be half filled: the next line prepares it anew.
            self._common = None
            raise LineRefused(*(self._faults(line) or refused.findings)) from None

    def take(self) -> Tally:
        """The tally since the last call."""
        tally, self._tally = self._tally, Tally()
        for (_, benchmark, _), plan in self._plans.items():
            tally.benchmarks.add(benchmark)
            plan.settle(tally)
        self._plans, self._kept, self._common = {}, [], None
        return tally

    def _filled(self, line: dict[str, Any], number: int) -> Sequence[RecordDict]:
        record, tally = self._record, self._tally
        doc: Any = line.get("doc")
        layout = self._layouts.of(line, doc)
        given, filter_ = line.get("arguments"), line.get("filter")
        arguments = None if given is None else arguments_of(given)
        common = self._by_filter.get(filter_) if layout.is_plain and type(filter_) is str else None
        if common is None:
            common = self._common_fields(line, doc, layout)
        record["warnings"] = _supplied_warnings(line) if "warnings" in line else []
        joined, doc_hash, wrong = self._hashes.check(line, arguments)
        question_id = looked_up(line, doc, layout.id_places) if layout.id_places and not self._by_name else None
        if filter_ is None:
            fields = (common.benchmark, common.language, common.script, common.variant_id, common.repeat_id)
            see_position(tally, line.get("doc_id"), fields, number)
        if layout is not self._layout or common is not self._common:
            self._change(layout, common)
        if question_id is not None:
            record["question_id"] = question_id
            record["identity_scope"] = "stable"
            tally.stable += 1
        else:
            self._fill_identity(self._identity(line, common, doc_hash), number)
        self._source["line"] = number
        record["target"] = line.get("target")
        self._fill_input(line, doc, arguments, layout)
        self._fill_answers(line, arguments, layout)
        values = line if layout.listed is None or type(layout.listed) is list else line["metrics"]
        record["correct"], contradiction = self._plan.fill(self._metrics, values, tally)
        if joined is None:
            tally.unhashed += 1
        else:
            tally.hashes.append(joined)
        if wrong or contradiction or layout.has_pmi or layout.lost:
            self._warn_of(wrong, layout, contradiction=contradiction)
        for key in layout.extras:
            record[key] = line[key]
        return self._records

    def _change(self, layout: Layout, common: CommonFields) -> None:
        """The record is ready for a line of another layout, or with other common fields."""
        record, last = self._record, self._layout
        if layout is not last:
            for key in last.extras if last is not None else ():
                record.pop(key, None)  # a refused line never came to fill it
            self._input.clear()
            self._response.clear()
            self._layout = layout
        for name in _COMMON:
            record[name] = getattr(common, name)
        self._common = common
        place = (id(layout), common.benchmark, common.filter)
        if place not in self._plans:
            self._plans[place] = self._correctness.plan(common.benchmark, common.filter, layout.metrics)
            self._kept.append(layout)
        self._plan = self._plans[place]

    def _faults(self, line: dict[str, Any]) -> list[Finding]:
        """Every fault of the line that shows without the lines before it."""
        findings: list[Finding] = []
        doc = line.get("doc")
        layouts: list[Layout] = []
        common: list[CommonFields] = []
        steps: tuple[Callable[[], object], ...] = (
            lambda: layouts.append(self._layouts.of(line, doc)),
            lambda: arguments_of(line["arguments"]) if line.get("arguments") is not None else None,
            lambda: common.append(self._fields.read(line, doc if type(doc) is dict else {})),
            lambda: _supplied_warnings(line) if "warnings" in line else None,
            lambda: self._check_scope(line, layouts[0], common[0].benchmark) if layouts and common else None,
            lambda: self._identities.read(line, common[0].benchmark if common else ""),
        )
        for step in steps:
            try:
                step()
            except LineRefused as refused:
                findings.extend(refused.findings)
        return findings

    def _common_fields(self, line: dict[str, Any], doc: Any, layout: Layout) -> CommonFields:
        """The common fields; the same object for lines that say nothing but their filter."""
        filter_ = line.get("filter")
        if not layout.is_plain or not (filter_ is None or type(filter_) is str):
            read = self._fields.read(line, doc if type(doc) is dict else {})
            self._check_scope(line, layout, read.benchmark)
            return read
        common = self._by_filter.get(filter_)
        if common is None:
            common = self._fields.read(line, {})
            if len(self._by_filter) < _REMEMBERED:
                self._by_filter[filter_] = common
        return common

    def _check_scope(self, line: dict[str, Any], layout: Layout, benchmark: str) -> None:
        """Refuses a line that calls its identity run-local, but for one whose id field was asked for by name (R002)."""
        scope = line.get("identity_scope") if layout.has_scope else None
        if scope is None or scope == "stable":
            return
        if scope == "run-local" and self._context.options.ids.fields_for(benchmark):
            return
        text = (
            f"found {described(scope)}, but the format harness takes the scope from the line's id; import the file "
            "with --format canonical, or with --id-field doc_id if every line of it is run-local."
        )
        raise line_refused(CONFLICT, "$.identity_scope", text)

    def _identity(self, line: dict[str, Any], common: CommonFields, doc_hash: str | None) -> Identity:
        if self._by_name:
            return self._identities.read(line, common.benchmark, doc_hash)
        return _RUN_LOCAL if doc_hash is None or not self._auto else Identity(doc_hash, is_content=True)

    def _fill_identity(self, identity: Identity, number: int) -> None:
        record, tally = self._record, self._tally
        if identity.is_content:
            key = (record["benchmark"], record["filter"], record["repeat_id"], identity.question_id or "")
            if key in self._context.decisions.ambiguous:
                self._warn(SHARED_DOCUMENT, "another line has the same document, so its digest names neither of them")
                tally.ambiguous += 1
                identity = _RUN_LOCAL
            else:
                tally.content_lines.append(number)
        if identity.question_id is not None:
            record["question_id"] = identity.question_id
            record["identity_scope"] = "stable"
            tally.stable += 1
            return
        named = self._naming.of(identity, number)
        record["question_id"] = named.question_id
        record["identity_scope"] = named.scope
        tally.run_local += 1
        if named.note is not None:
            self._warn(*named.note)

    def _fill_input(self, line: dict[str, Any], doc: Any, arguments: list[list[Any]] | None, layout: Layout) -> None:
        fields = self._input
        for key in layout.asked:
            fields[key] = line[key]
        fields["document"] = doc
        if arguments is not None:
            fields["arguments"] = arguments
        else:
            fields.pop("arguments", None)

    def _fill_answers(self, line: dict[str, Any], arguments: list[list[Any]] | None, layout: Layout) -> None:
        record, response, scores = self._record, self._response, self._scores
        for key in layout.responses:
            response[key] = line[key]
        filtered = line.get("filtered_resps")
        likely = fast_answers(arguments, filtered)
        if likely is not None:
            scores["likelihoods"], scores["greedy"] = likely
            record["prediction"] = None
            return
        answers = answers_of(arguments, line.get("resps"), filtered)
        record["prediction"] = answers.prediction
        scores.clear()
        if answers.likelihoods:
            scores["likelihoods"] = answers.likelihoods
        if answers.greedy:
            scores["greedy"] = answers.greedy
        if answers.not_finite:
            found = ", ".join(dict.fromkeys(answers.not_finite))
            self._warn(NOT_FINITE, f"a likelihood is {found[:80]}, no finite number; its score is null")

    def _warn_of(self, wrong_hashes: str, layout: Layout, *, contradiction: bool) -> None:
        if contradiction:
            named = " and ".join(self._correctness.metrics_for(self._record["benchmark"]))
            self._warn(CONTRADICTION, f"{named} contradict each other; whether the answer is right is unknown")
        if wrong_hashes:
            self._warn(EDITED, f"{wrong_hashes} cannot be made again: edited or cut after the harness wrote it")
        if layout.has_pmi and self._doubtful_pmi:
            version = "this log names no version" if self._version is None else f"this log is of {self._version}"
            text = f"{PMI} and every accuracy beside it are wrong in logs of lm-eval 0.4.5 to 0.4.8; {version}"
            self._warn(DOUBTFUL_PMI, text)
        for key in layout.lost:
            self._warn(NOT_KEPT, f"the line's own {key!r} stays in the raw file: the record makes it of other keys")

    def _warn(self, code: Code, text: str) -> None:
        self._record["warnings"].append(text)
        self._tally.warnings[code.id] += 1


def _supplied_warnings(line: dict[str, Any]) -> list[str]:
    """A copy of the warnings that a line came with; none where it has null.

    Raises:
        LineRefused: They are no list of texts (R001).
    """
    supplied = line["warnings"]
    if supplied is None:
        return []
    if type(supplied) is list and all(type(text) is str for text in supplied):
        return [*supplied]
    raise line_refused(BAD_TEXT, "$.warnings", "expected a list of texts.")
