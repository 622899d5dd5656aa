"""Whether an answer is right, by the producer's own metrics: which of them says so, and which values say anything."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from itemproof.adapters.base import FileContext, MetricUse, Tally
from itemproof.core.errors import invalid
from itemproof.core.findings import Code
from itemproof.core.where import Where

__all__ = ["Correctness", "MetricPlan", "binary"]

BAD_CORRECTNESS_METRIC: Final = Code("R006", "correctness_metric is neither a text nor an object of texts")

#: The types of a number, true and false among them.
_NUMBERS: Final = frozenset({float, int, bool})
#: What a number says; 0.0 and false are 0 here, 1.0 and true are 1.
_BINARY: Final = {0: False, 1: True}


def binary(value: Any) -> bool | None:
    """Whether a metric's value is right or wrong: true, false, 1, 0, 1.0 or 0.0; None for anything else."""
    return _BINARY.get(value) if type(value) in _NUMBERS else None


class Correctness:
    """Which metric says whether an answer is right, for each benchmark and filter of one file.

    Args:
        context: The file, with the metrics that an earlier pass found not to be binary.

    Raises:
        InvalidInput: The run's `correctness_metric` is neither a text nor an object of texts (R006).
    """

    def __init__(self, context: FileContext) -> None:
        self._not_binary = context.decisions.not_binary
        chosen = context.metadata.get("correctness_metric")
        by_benchmark = chosen if isinstance(chosen, dict) else {}
        if (chosen is not None and not isinstance(chosen, str | dict)) or not all(
            isinstance(name, str) for name in by_benchmark.values()
        ):
            text = f"found {chosen!r}, expected the name of a metric, or an object of names by benchmark."
            raise invalid(BAD_CORRECTNESS_METRIC, text, Where(path="$.metadata.correctness_metric"))
        self._everywhere = (chosen,) if isinstance(chosen, str) else ("acc", "exact_match")
        self._by_benchmark = {benchmark: (name,) for benchmark, name in by_benchmark.items()}

    def metrics_for(self, benchmark: str) -> tuple[str, ...]:
        """The metrics that may set `correct` for a benchmark."""
        return self._by_benchmark.get(benchmark, self._everywhere)

    def plan(self, benchmark: str, filter_: str, names: Sequence[str]) -> MetricPlan:
        """The plan for lines of a benchmark and filter that have these metrics."""
        judges = self.metrics_for(benchmark)
        metrics = []
        for name in names:
            use = (benchmark, filter_, name)
            metrics.append(_Metric(name=name, use=use, judges=name in judges, is_trusted=use not in self._not_binary))
        return MetricPlan(metrics)


@dataclass(slots=True, kw_only=True)
class _Metric:
    """One metric of a plan, with what its lines have amounted to."""

    name: str
    use: MetricUse
    judges: bool
    is_trusted: bool
    count: int = 0
    total: float = 0.0
    is_populated: bool = False


class MetricPlan:
    """Keeps, adds up and judges the metrics of lines that have the same ones; made anew for each tally.

    Args:
        metrics: In the order of the line.
    """

    def __init__(self, metrics: Sequence[_Metric]) -> None:
        self._metrics = metrics

    def fill(self, kept: dict[str, Any], values: Mapping[str, Any], tally: Tally) -> tuple[bool | None, bool]:
        """Fills `kept` with the line's metrics; says whether the answer is right, and whether two metrics contradict.

        A contradiction leaves the answer unknown. The tally learns which metrics set the verdict and which turned out
        not to be binary.
        """
        kept.clear()
        verdict: bool | None = None
        contradiction = False
        for metric in self._metrics:
            value = kept[metric.name] = values[metric.name]
            is_number = type(value) in _NUMBERS
            if is_number:
                try:
                    metric.total += value
                    metric.count += 1
                except OverflowError:  # an integer that no float can hold has no place in a mean
                    pass
            if not metric.judges or value is None:
                continue
            says = _BINARY.get(value) if is_number else None
            if says is None:
                tally.not_binary.add(metric.use)
            elif metric.is_trusted:
                if not metric.is_populated:
                    metric.is_populated = True
                    tally.populated.add(metric.use)
                contradiction = contradiction or (verdict is not None and verdict != says)
                verdict = says
        return None if contradiction else verdict, contradiction

    def settle(self, tally: Tally) -> None:
        """The tally has the sums of the lines since the plan was made."""
        for metric in self._metrics:
            if metric.count:
                count, total = tally.sums.get(metric.use, (0, 0.0))
                tally.sums[metric.use] = (count + metric.count, total + metric.total)
