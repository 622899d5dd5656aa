"""Means over items that come in clusters (the wordings, repeats or filters of one question) and are not independent."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from itemproof.stats.distributions import t_limit
from itemproof.stats.estimate import LEVEL, TOO_LARGE, Estimate, Undefined, estimate
from itemproof.stats.intervals import student
from itemproof.stats.moments import floats, total

__all__ = [
    "ClusterErrors",
    "Clusters",
    "cluster",
    "cluster_errors",
    "clustered_mean",
    "difference_of_differences",
    "macro_mean",
]

_ONE_CLUSTER = "fewer than two clusters show no spread between clusters"


@dataclass(frozen=True, slots=True, kw_only=True)
class Clusters:
    """What the statistics need of clustered values: a sum and a size for each cluster, in the order of the labels."""

    sums: tuple[float, ...]
    sizes: tuple[int, ...]

    @property
    def count(self) -> int:
        """How many clusters."""
        return len(self.sums)

    @property
    def n(self) -> int:
        """How many items."""
        return sum(self.sizes)

    @property
    def mean(self) -> float | Undefined:
        """The mean over the items, each counting once."""
        if not self.sums:
            return Undefined("there are no values")
        value = total(self.sums) / self.n
        return value if math.isfinite(value) else Undefined(TOO_LARGE)


@dataclass(frozen=True, slots=True, kw_only=True)
class ClusterErrors:
    """Standard errors of a clustered mean.

    Attributes:
        cr0: Without a correction for few clusters.
        corrected: The same times the root of C / (C - 1).
    """

    cr0: float
    corrected: float


def cluster(values: Iterable[float], labels: Iterable[str]) -> Clusters:
    """The values gathered by their labels; neither the order of the items nor that of the sums shows in any result.

    Raises:
        ValueError: There are not as many labels as values.
    """
    groups: defaultdict[str, list[float]] = defaultdict(list)
    for value, label in zip(floats(values), labels, strict=True):
        groups[label].append(value)
    ordered = [groups[label] for label in sorted(groups)]
    return Clusters(sums=tuple(map(total, ordered)), sizes=tuple(map(len, ordered)))


def cluster_errors(clusters: Clusters) -> ClusterErrors | Undefined:
    """The cluster-robust standard errors of the mean over the items."""
    mean = clusters.mean
    if isinstance(mean, Undefined):
        return mean
    if clusters.count < 2:
        return Undefined(_ONE_CLUSTER)
    spread = math.hypot(*(part - size * mean for part, size in zip(clusters.sums, clusters.sizes, strict=True)))
    if not math.isfinite(spread):
        return Undefined(TOO_LARGE)
    if spread <= 2 * math.ulp(mean) * math.hypot(*clusters.sizes):  # no more than the rounding of the mean itself
        return Undefined("the clusters do not vary")
    cr0 = spread / clusters.n
    return ClusterErrors(cr0=cr0, corrected=cr0 * math.sqrt(clusters.count / (clusters.count - 1)))


def clustered_mean(
    clusters: Clusters, *, level: float = LEVEL, bounds: tuple[float, float] = (-math.inf, math.inf)
) -> Estimate | Undefined:
    """The mean over the items with a cluster-robust interval: C / (C - 1) correction, Student's t with C - 1.

    Args:
        clusters: At least two, or it is undefined.
        level: The confidence level.
        bounds: The range of what is estimated, such as -1 and 1; the interval is cut to it.

    Raises:
        ValueError: The level is not between 0 and 1.
    """
    mean, errors = clusters.mean, cluster_errors(clusters)
    if isinstance(mean, Undefined):
        return mean
    if isinstance(errors, Undefined):
        return errors
    df = clusters.count - 1
    half = t_limit(level, df) * errors.corrected
    return estimate(
        mean,
        (max(mean - half, bounds[0]), min(mean + half, bounds[1])),
        n=clusters.n,
        level=level,
        method=f"cluster-robust (CR0, C/(C-1)), t({df})",
        se=errors.corrected,
        clusters=clusters.count,
    )


def macro_mean(clusters: Clusters, *, level: float = LEVEL) -> Estimate | Undefined:
    """The mean of the clusters' own means, each cluster counting once: another question than the mean over items.

    Raises:
        ValueError: The level is not between 0 and 1.
    """
    means = [part / size for part, size in zip(clusters.sums, clusters.sizes, strict=True)]
    found = student(means, level=level)
    if isinstance(found, Undefined):
        return found
    return estimate(
        found.value,
        (found.low, found.high),
        n=clusters.n,
        level=level,
        method=f"mean of cluster means, {found.method}",
        se=found.se,
        clusters=clusters.count,
    )


def difference_of_differences(
    first: Sequence[float], second: Sequence[float], labels: Iterable[str], *, level: float = LEVEL
) -> Estimate | Undefined:
    """How much greater the mean change of the second is than that of the first, with a cluster-robust interval.

    Args:
        first: One change of a share for each item, each from -1 to 1.
        second: The same items' changes elsewhere, in the same order.
        labels: Each item's cluster, such as its question.
        level: The confidence level.

    Raises:
        ValueError: The lists are not equally long, or the level is not between 0 and 1.
    """
    changes = [after - before for before, after in zip(first, second, strict=True)]
    return clustered_mean(cluster(changes, labels), level=level, bounds=(-2.0, 2.0))
