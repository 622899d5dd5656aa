"""The rows of a summary: records counted by benchmark, language, script, variant and filter, and never pooled over any.

The records are read once. They are read a second time only where questions were asked repeatedly: repeats of a question
are not independent, so the interval is then one over questions, and a sum for each question is needed.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

import msgspec

from itemproof.adapters.harness_results import combined_otherwise
from itemproof.archive.archive import Run
from itemproof.archive.stored import stored_records
from itemproof.records.manifest import FileEntry
from itemproof.stats.clustered import Clusters, clustered_mean
from itemproof.stats.estimate import Estimate, Undefined
from itemproof.stats.intervals import wilson
from itemproof.stats.moments import floats, total

__all__ = [
    "MetricMean",
    "MetricSum",
    "Questions",
    "Row",
    "RowKey",
    "Tally",
    "aggregations_of",
    "questions_of",
    "row_of",
    "tally",
    "together",
]

#: Numbers of a metric that wait to be added up, so that the sum is rounded seldom.
_WAITING: Final = 4096

_UNKNOWN: Final = "no record says whether it is correct"
_UNLINKED: Final = "repeats of run-local records cannot be told to be of one question"


class RowKey(NamedTuple):
    """What a row is about."""

    benchmark: str
    language: str | None
    script: str | None
    variant_id: str
    filter: str


class _Slim(msgspec.Struct, gc=False):
    """The parts of a record that are counted."""

    benchmark: str
    language: str | None
    script: str | None
    variant_id: str
    filter: str
    question_id: str
    repeat_id: int | str
    identity_scope: str
    correct: bool | None
    metrics: dict[str, Any]

    @property
    def key(self) -> RowKey:
        return RowKey(self.benchmark, self.language, self.script, self.variant_id, self.filter)


@dataclass(slots=True)
class MetricSum:
    """A metric's numbers so far, true and false as 1 and 0.

    Attributes:
        n: How many.
        sum: Of those added up; nan or infinite where they leave the range of a double.
        left_out: Values that are no number, such as a list, a text or null.
        waiting: Numbers that are not in `sum` yet.
    """

    n: int = 0
    sum: float = 0.0
    left_out: int = 0
    waiting: list[float] = field(default_factory=list)

    def settle(self) -> None:
        """Nothing waits any more."""
        self.sum = total([self.sum, *floats(self.waiting)])
        self.n += len(self.waiting)
        self.waiting.clear()

    @property
    def mean(self) -> float | None:
        """The mean; None where there is no number, or where they are too large."""
        mean = self.sum / self.n if self.n else math.nan
        return mean if math.isfinite(mean) else None


@dataclass(slots=True)
class Tally:
    """The records of one row so far.

    Attributes:
        records: All of them.
        known: Those whose correctness is known.
        correct: Those that are correct.
        run_local: Those without a persistent identity.
        repeats: The repeat ids seen, up to two: what matters is whether there are several.
        metrics: By name.
    """

    records: int = 0
    known: int = 0
    correct: int = 0
    run_local: int = 0
    repeats: set[int | str] = field(default_factory=set)
    metrics: dict[str, MetricSum] = field(default_factory=dict)

    def see(self, record: _Slim) -> None:
        """Counts a record."""
        self.records += 1
        if record.correct is not None:
            self.known += 1
            self.correct += record.correct
        if record.identity_scope != "stable":
            self.run_local += 1
        if len(self.repeats) < 2:
            self.repeats.add(record.repeat_id)
        for name, value in record.metrics.items():
            metric = self.metrics.get(name)
            if metric is None:
                metric = self.metrics[name] = MetricSum()
            if isinstance(value, int | float):
                metric.waiting.append(value)
                if len(metric.waiting) >= _WAITING:
                    metric.settle()
            else:
                metric.left_out += 1

    def add(self, other: Tally) -> None:
        """Adds another's records, which must be settled, to these."""
        self.records += other.records
        self.known += other.known
        self.correct += other.correct
        self.run_local += other.run_local
        self.repeats |= other.repeats
        for name, theirs in other.metrics.items():
            mine = self.metrics.setdefault(name, MetricSum())
            mine.n += theirs.n
            mine.sum = total([mine.sum, theirs.sum])
            mine.left_out += theirs.left_out


def _records(run: Run, file: FileEntry, progress: Callable[[int], None] = lambda _: None) -> Iterator[_Slim]:
    decode = msgspec.json.Decoder(_Slim).decode
    return stored_records(run.layout, file, decode, progress=progress)


def tally(run: Run, file: FileEntry, *, progress: Callable[[int], None] = lambda _: None) -> dict[RowKey, Tally]:
    """The records of one file by row.

    Raises:
        InvalidInput: The file is missing (A001), was changed (A002, A003), or holds something else (A030).
    """
    tallies: dict[RowKey, Tally] = {}
    for record in _records(run, file, progress):
        key = record.key
        found = tallies.get(key)
        if found is None:
            found = tallies[key] = Tally()
        found.see(record)
    for found in tallies.values():
        for metric in found.metrics.values():
            metric.settle()
    return tallies


def together(files: Iterable[dict[RowKey, Tally]]) -> dict[RowKey, Tally]:
    """The tallies of several files as one, in the order of the keys; null stands before every text."""
    whole: dict[RowKey, Tally] = {}
    for tallies in files:
        for key, found in tallies.items():
            whole.setdefault(key, Tally()).add(found)
    return dict(sorted(whole.items(), key=lambda item: [(part is not None, part or "") for part in item[0]]))


#: For each row, by question: how many of its repeats are known, and how many are correct.
Questions = dict[RowKey, dict[str, tuple[int, int]]]


def questions_of(run: Run, keys: Collection[RowKey]) -> Questions:
    """The questions of these rows; nothing is read where there are no rows.

    Raises:
        InvalidInput: As `tally`.
    """
    questions: Questions = {key: {} for key in keys}
    for file in run.manifest.files if keys else ():
        for record in _records(run, file):
            row = questions.get(record.key)
            if row is not None and record.correct is not None:
                known, correct = row.get(record.question_id, (0, 0))
                row[record.question_id] = (known + 1, correct + record.correct)
    return questions


@dataclass(frozen=True, slots=True)
class MetricMean:
    """A metric's mean over the records that have it as a number, true and false counting as 1 and 0.

    Attributes:
        n: Those records.
        mean: None where there are none, where the numbers leave the range of a double, or where the harness makes
            something else of them.
        left_out: Records that have something else under this name, such as a list, a text or null.
        aggregation: What the harness makes of them instead of the mean, `""` if that has no name; None for the mean.
    """

    n: int
    mean: float | None
    left_out: int
    aggregation: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One row.

    Attributes:
        key: What it is about.
        records: All its records.
        known: Those whose correctness is known.
        correct: Those that are correct.
        run_local: Those without a persistent identity.
        interval: The accuracy with its interval, or why there is none.
        unit: What the interval takes for independent: `record`, or `question` where questions have several repeats.
        metrics: By name, in order.
    """

    key: RowKey
    records: int
    known: int
    correct: int
    run_local: int
    interval: Estimate | Undefined
    unit: str
    metrics: dict[str, MetricMean]

    @property
    def accuracy(self) -> float | None:
        """Correct of known; None where nothing is known."""
        return self.correct / self.known if self.known else None

    def to_dict(self) -> dict[str, Any]:
        """The row with the keys of the stable document, and `run_local`, `unit`, `questions`, `method`, `why`."""
        found = self.interval if isinstance(self.interval, Estimate) else None
        return {
            **self.key._asdict(),
            "records": self.records,
            "known": self.known,
            "correct": self.correct,
            "accuracy": self.accuracy,
            "low": found.low if found else None,
            "high": found.high if found else None,
            "metrics": msgspec.to_builtins(self.metrics),
            "run_local": self.run_local,
            "unit": self.unit,
            "questions": found.clusters if found else None,
            "method": found.method if found else None,
            "why": self.interval.reason if isinstance(self.interval, Undefined) else None,
        }


def aggregations_of(run: Run, tallies: Sequence[Mapping[RowKey, Tally]]) -> dict[RowKey, dict[str, str]]:
    """The metrics of each row that the harness does not average, by what it does instead.

    Args:
        run: The run, whose imports know what their results files say.
        tallies: Those of its files, in the manifest's order.
    """
    found: dict[RowKey, dict[str, str]] = {}
    places = [(entry.facts, file.task) for entry in run.manifest.imports for file in entry.files]
    for (facts, task), keys in zip(places, tallies, strict=True):
        otherwise = combined_otherwise(facts, task)
        for key in keys if otherwise else ():
            found.setdefault(key, {}).update(otherwise)
    return found


def row_of(
    key: RowKey,
    found: Tally,
    questions: dict[str, tuple[int, int]] | None,
    *,
    level: float,
    aggregations: Mapping[str, str],
) -> Row:
    """The row of a tally; `questions` is None where each question has one record.

    Metrics of `aggregations`, which are not averaged, get no mean.

    Raises:
        ValueError: The level is not between 0 and 1.
    """
    unit, interval = _interval(found, questions, level)
    return Row(
        key=key,
        records=found.records,
        known=found.known,
        correct=found.correct,
        run_local=found.run_local,
        interval=interval,
        unit=unit,
        metrics={
            name: MetricMean(
                metric.n, None if name in aggregations else metric.mean, metric.left_out, aggregations.get(name)
            )
            for name, metric in sorted(found.metrics.items())
        },
    )


def _interval(
    found: Tally, questions: dict[str, tuple[int, int]] | None, level: float
) -> tuple[str, Estimate | Undefined]:
    if not found.known:
        return "record", Undefined(_UNKNOWN)
    if questions is not None and found.run_local:
        return "question", Undefined(_UNLINKED)
    if questions is None or len(questions) == found.known:
        return "record", wilson(found.correct, found.known, level=level)
    ordered = [questions[name] for name in sorted(questions)]
    clusters = Clusters(
        sums=tuple(float(correct) for _, correct in ordered), sizes=tuple(known for known, _ in ordered)
    )
    return "question", clustered_mean(clusters, level=level, bounds=(0.0, 1.0))
