"""Seeded resampling of whole clusters: bootstrap interval and sign-flip test, with the same figures on every machine.

The stream is that of `random.Random(seed).random()`, which Python keeps stable. numpy draws it in bulk: both have the
same Mersenne Twister and make doubles of it in the same way, so its state is handed over (a test compares the two).
Sums are put on a grid on which every addition is exact, because numpy's order of adding depends on the processor.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from itemproof.stats.clustered import Clusters, cluster_errors
from itemproof.stats.distributions import normal_limit
from itemproof.stats.estimate import LEVEL, TOO_LARGE, Estimate, Undefined, estimate
from itemproof.stats.moments import quantile

__all__ = ["SignFlips", "cluster_bootstrap", "sign_flips"]

#: How many numbers are drawn at once; bounds the memory, has no part in the result.
_BLOCK = 1 << 18

#: Below so many, percentiles say nothing.
_FEWEST = 100

_LARGEST = 1e300

_Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class SignFlips:
    """A permutation test of a mean of zero in which each cluster's sign is drawn anew.

    Attributes:
        p: Two-sided, the observed arrangement counted as one of the draws; so never zero.
        resamples: How many arrangements were drawn.
        seed: Of the stream.
        clusters: How many there are, those whose sum is zero included.
    """

    p: float
    resamples: int
    seed: int
    clusters: int


def cluster_bootstrap(
    clusters: Clusters, *, seed: int, resamples: int = 2_000, level: float = LEVEL
) -> Estimate | Undefined:
    """The mean over the items with the percentile interval of means over clusters drawn with replacement.

    Each resample draws as many clusters as there are, by `int(random() * C)`; its mean is the ratio of the drawn sums
    and sizes; percentiles are taken on a straight line between neighbours.

    Raises:
        ValueError: The level is not between 0 and 1, or there are fewer than 100 resamples.
    """
    normal_limit(level)  # refuses a level that is none
    if resamples < _FEWEST:
        raise ValueError(f"a bootstrap takes at least {_FEWEST} resamples, not {resamples}")
    if isinstance(mean := _resampled(clusters), Undefined):
        return mean
    if isinstance(errors := cluster_errors(clusters), Undefined):
        return errors
    means = sorted(_means(clusters, seed, resamples))
    tail = (1 - level) / 2
    return estimate(
        mean,
        (quantile(means, tail), quantile(means, 1 - tail)),
        n=clusters.n,
        level=level,
        method=f"cluster bootstrap, percentile, {resamples:,} resamples, seed {seed}",
        clusters=clusters.count,
    )


def sign_flips(clusters: Clusters, *, seed: int, resamples: int = 9_999) -> SignFlips | Undefined:
    """The p value of a mean of zero; a cluster keeps its sign where the stream gives 0.5 or more.

    Raises:
        ValueError: There is no resample.
    """
    if resamples < 1:
        raise ValueError(f"a permutation test takes at least one resample, not {resamples}")
    if isinstance(mean := _resampled(clusters), Undefined):
        return mean
    sums = _on_grid([part for part in clusters.sums if part])
    # two arrangements that are equal but for rounding are equal
    observed = abs(sums.sum()) - 1e-9 * np.abs(sums).sum()
    extreme = 0
    for draws in _draws(seed, len(sums), resamples):
        flipped = np.where(draws < 0.5, -sums, sums).sum(axis=1)
        extreme += int(np.count_nonzero(np.abs(flipped) >= observed))
    return SignFlips(p=(1 + extreme) / (1 + resamples), resamples=resamples, seed=seed, clusters=clusters.count)


def _resampled(clusters: Clusters) -> float | Undefined:
    """The mean, if sums of any clusters stay well within the range of a double."""
    if max(map(abs, clusters.sums), default=0.0) * clusters.n > _LARGEST:
        return Undefined(TOO_LARGE)
    return clusters.mean


def _means(clusters: Clusters, seed: int, resamples: int) -> list[float]:
    sums, sizes = _on_grid(clusters.sums), np.array(clusters.sizes, dtype=np.float64)
    means: list[float] = []
    for draws in _draws(seed, clusters.count, resamples):
        chosen = (draws * clusters.count).astype(np.intp)
        means += (sums[chosen].sum(axis=1) / sizes[chosen].sum(axis=1)).tolist()
    return means


def _draws(seed: int, width: int, rows: int) -> Iterator[_Floats]:
    """Blocks of the stream with `width` numbers a row, `rows` rows in all."""
    *words, position = random.Random(seed).getstate()[1]
    stream = np.random.RandomState(0)
    stream.set_state(("MT19937", np.array(words, dtype=np.uint32), position, 0, 0.0))
    height = max(1, _BLOCK // max(width, 1))
    for start in range(0, rows, height):
        yield stream.random_sample((min(height, rows - start), width))


def _on_grid(sums: tuple[float, ...] | list[float]) -> _Floats:
    """The sums as multiples of a power of two so coarse that any sum of as many of them is exact.

    Whole numbers stay as they are; others move by less than 1e-10 of the greatest for up to 10^5 of them.
    """
    values = np.array(sums, dtype=np.float64)
    most = float(np.abs(values).max(initial=0.0)) * len(values)
    unit = math.ldexp(1.0, max(math.frexp(most)[1] - 53, -1000))  # off the range where a double loses digits
    return np.rint(values / unit) * unit
