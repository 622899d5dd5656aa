"""How sure a group's numbers are: intervals, tests, and the unit that they rest on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np
import numpy.typing as npt

from itemproof.records.certainty import Delta, Interval, NonInferior, Resampled, SignFlip, Statistics, TwoSided
from itemproof.records.comparison import Accuracy, Means
from itemproof.stats.clustered import Clusters, cluster, clustered_mean
from itemproof.stats.display import SIZE_IN_POINTS, show
from itemproof.stats.estimate import LEVEL, Estimate, Undefined
from itemproof.stats.intervals import student, wilson
from itemproof.stats.mcnemar import mcnemar
from itemproof.stats.noninferiority import non_inferiority
from itemproof.stats.numeric import paired_numbers
from itemproof.stats.paired import PairedTable, newcombe, paired_se
from itemproof.stats.planning import detectable_difference, detectable_shift
from itemproof.stats.resampling import cluster_bootstrap, sign_flips

__all__ = ["PAIR", "QUESTION", "Asked", "accuracy_of", "means_of", "numeric_statistics", "statistics_of", "verdict_of"]

PAIR: Final = "pair"
QUESTION: Final = "question"

_NO_PAIRS: Final = Undefined("there are no pairs known on both sides")
_DEPENDENT: Final = Undefined("pairs of one question or cluster are not independent, which the test takes for granted")
_NUMBERS: Final = Undefined("the metric has numbers, not verdicts")


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What is asked of the statistics.

    Attributes:
        level: The confidence level.
        seed: Of all resampling.
        margin: The largest loss that would be accepted, or None.
        within: The margin within which a difference is called small, or None.
        cluster: The field whose values are the clusters, or None.
    """

    level: float = LEVEL
    seed: int = 0
    margin: float | None = None
    within: float | None = None
    cluster: str | None = None


@dataclass(slots=True)
class _Noted:
    """Collects the reasons for what is null."""

    why: dict[str, str] = field(default_factory=dict)

    def estimate(self, name: str, found: Estimate | Undefined) -> Estimate | None:
        if isinstance(found, Undefined):
            self.why[name] = found.reason
            return None
        return found

    def number(self, name: str, found: float | Undefined) -> float | None:
        if isinstance(found, Undefined):
            self.why[name] = found.reason
            return None
        return found


def accuracy_of(table: PairedTable) -> Accuracy:
    """The shares of a table; null without pairs."""
    if table.n == 0:
        return Accuracy(pairs=0, left=None, right=None, delta=None)
    return Accuracy(
        pairs=table.n,
        left=table.left_correct / table.n,
        right=table.right_correct / table.n,
        delta=table.net / table.n,
    )


def statistics_of(
    table: PairedTable,
    sides: tuple[npt.NDArray[np.int8], npt.NDArray[np.int8]] | None,
    labels: Sequence[str] | None,
    asked: Asked,
) -> Statistics:
    """The statistics of verdicts.

    Args:
        table: The pairs counted.
        sides: The verdicts of the pairs; needed where there are labels.
        labels: The cluster of each pair, or None where each pair stands alone.
        asked: Level, seed and margin.
    """
    noted = _Noted()
    if table.n == 0:
        for name in ("left", "right", "delta", "mcnemar", "flip_rate", "mde"):
            noted.why[name] = _NO_PAIRS.reason
        return _empty(noted, asked, PAIR if labels is None else asked.cluster or QUESTION)
    if labels is not None and sides is not None:
        return _clustered(table, sides, labels, asked, noted)
    left = noted.estimate("left", wilson(table.left_correct, table.n, level=asked.level))
    right = noted.estimate("right", wilson(table.right_correct, table.n, level=asked.level))
    delta = noted.estimate("delta", newcombe(table, level=asked.level))
    tested = mcnemar(table)
    answer = None
    if asked.margin is not None:
        found = non_inferiority(table, asked.margin, level=asked.level)
        if isinstance(found, Undefined):
            noted.why["non_inferiority"] = found.reason
        else:
            answer = NonInferior(margin=asked.margin, low=found.low, level=found.level, shown=found.shown, p=found.p)
    return Statistics(
        left=_interval(left),
        right=_interval(right),
        delta=_delta(delta, noted.number("se", paired_se(table))),
        mcnemar=None if isinstance(tested, Undefined) else TwoSided(p=tested.p, mid_p=tested.mid_p, n=tested.changed),
        flip_rate=table.changed / table.n,
        mde=noted.number("mde", detectable_shift(table, level=asked.level)),
        unit=PAIR,
        level=asked.level,
        clusters=None,
        sign_flips=None,
        bootstrap=None,
        non_inferiority=answer,
        why=noted.why,
    )


def _clustered(
    table: PairedTable,
    sides: tuple[npt.NDArray[np.int8], npt.NDArray[np.int8]],
    labels: Sequence[str],
    asked: Asked,
    noted: _Noted,
) -> Statistics:
    left, right = (cluster(side.astype(np.float64).tolist(), labels) for side in sides)
    change = cluster((sides[1].astype(np.float64) - sides[0]).tolist(), labels)
    found = noted.estimate("delta", clustered_mean(change, level=asked.level, bounds=(-1.0, 1.0)))
    noted.why["mcnemar"] = _DEPENDENT.reason
    return Statistics(
        left=_interval(noted.estimate("left", clustered_mean(left, level=asked.level, bounds=(0.0, 1.0)))),
        right=_interval(noted.estimate("right", clustered_mean(right, level=asked.level, bounds=(0.0, 1.0)))),
        delta=_delta(found, found.se if found else None),
        mcnemar=None,
        flip_rate=table.changed / table.n,
        mde=_detectable(found, asked, noted),
        unit=asked.cluster or QUESTION,
        level=asked.level,
        clusters=change.count,
        sign_flips=_sign_flips(change, asked, noted),
        bootstrap=_bootstrap(change, asked, noted),
        non_inferiority=_clustered_margin(change, asked, noted),
        why=noted.why,
    )


def means_of(left: Sequence[float], right: Sequence[float], *, higher_is_better: bool) -> Means:
    """The means of two lists in which the same place is the same item."""
    found = paired_numbers(left, right)
    if isinstance(found, Undefined):
        higher = sum(after > before for before, after in zip(left, right, strict=True))
        lower = sum(after < before for before, after in zip(left, right, strict=True))
        means: tuple[float | None, float | None, float | None] = (None, None, None)
    else:
        higher, lower, means = found.higher, found.lower, (found.left, found.right, found.difference)
    better, worse = (higher, lower) if higher_is_better else (lower, higher)
    return Means(
        pairs=len(left),
        left=means[0],
        right=means[1],
        delta=means[2],
        better=better,
        worse=worse,
        equal=len(left) - higher - lower,
        higher_is_better=higher_is_better,
    )


def numeric_statistics(
    left: Sequence[float], right: Sequence[float], labels: Sequence[str] | None, asked: Asked
) -> Statistics:
    """The statistics of a metric with numbers."""
    noted = _Noted()
    noted.why["mcnemar"] = _NUMBERS.reason
    if asked.margin is not None:
        noted.why["non_inferiority"] = _NUMBERS.reason
    change = [after - before for before, after in zip(left, right, strict=True)]
    intervals: list[Estimate | None]
    clusters = None if labels is None else cluster(change, labels)
    if labels is None:
        intervals = [
            noted.estimate(name, student(values, level=asked.level))
            for name, values in (("left", left), ("right", right), ("delta", change))
        ]
    else:
        intervals = [
            noted.estimate(name, clustered_mean(cluster(values, labels), level=asked.level))
            for name, values in (("left", left), ("right", right), ("delta", change))
        ]
    delta = intervals[2]
    return Statistics(
        left=_interval(intervals[0]),
        right=_interval(intervals[1]),
        delta=_delta(delta, delta.se if delta else None),
        mcnemar=None,
        flip_rate=sum(map(bool, change)) / len(change) if change else None,
        mde=_detectable(delta, asked, noted),
        unit=PAIR if labels is None else asked.cluster or QUESTION,
        level=asked.level,
        clusters=clusters.count if clusters else None,
        sign_flips=_sign_flips(clusters, asked, noted) if clusters else None,
        bootstrap=_bootstrap(clusters, asked, noted) if clusters else None,
        non_inferiority=None,
        why=noted.why,
    )


def verdict_of(delta: Delta, asked: Asked, *, higher_is_better: bool = True) -> str | None:
    """The word for a difference; None where there is no interval."""
    if delta.low is None or delta.high is None:
        return None
    if asked.within is not None and -asked.within < delta.low and delta.high < asked.within:
        return f"within {show(asked.within, SIZE_IN_POINTS)}"
    if delta.low > 0:
        return "better" if higher_is_better else "worse"
    if delta.high < 0:
        return "worse" if higher_is_better else "better"
    return "inconclusive"


def _interval(found: Estimate | None) -> Interval:
    if found is None:
        return Interval(low=None, high=None, method=None)
    return Interval(low=found.low, high=found.high, method=found.method)


def _delta(found: Estimate | None, se: float | None) -> Delta:
    if found is None:
        return Delta(low=None, high=None, se=se, method=None)
    return Delta(low=found.low, high=found.high, se=se, method=found.method)


def _detectable(found: Estimate | None, asked: Asked, noted: _Noted) -> float | None:
    if found is None or not found.se:
        noted.why["mde"] = "there is no standard error"
        return None
    return detectable_difference(found.se, level=asked.level)


def _sign_flips(change: Clusters, asked: Asked, noted: _Noted) -> SignFlip | None:
    found = sign_flips(change, seed=asked.seed)
    if isinstance(found, Undefined):
        noted.why["sign_flips"] = found.reason
        return None
    return SignFlip(p=found.p, resamples=found.resamples, seed=found.seed)


def _bootstrap(change: Clusters, asked: Asked, noted: _Noted) -> Resampled | None:
    if asked.cluster is None:
        return None
    found = noted.estimate("bootstrap", cluster_bootstrap(change, seed=asked.seed, level=asked.level))
    return Resampled(low=found.low, high=found.high, method=found.method) if found else None


def _clustered_margin(change: Clusters, asked: Asked, noted: _Noted) -> NonInferior | None:
    """The one-sided limit of the cluster-robust interval; Tango's test does not know clusters."""
    if asked.margin is None:
        return None
    found = clustered_mean(change, level=2 * asked.level - 1, bounds=(-1.0, 1.0))
    limit = noted.estimate("non_inferiority", found)
    if limit is None:
        return None
    return NonInferior(margin=asked.margin, low=limit.low, level=asked.level, shown=limit.low > -asked.margin, p=None)


def _empty(noted: _Noted, asked: Asked, unit: str) -> Statistics:
    nothing = _interval(None)
    return Statistics(
        left=nothing,
        right=nothing,
        delta=Delta(low=None, high=None, se=None, method=None),
        mcnemar=None,
        flip_rate=None,
        mde=None,
        unit=unit,
        level=asked.level,
        clusters=None,
        sign_flips=None,
        bootstrap=None,
        non_inferiority=None,
        why=noted.why,
    )
