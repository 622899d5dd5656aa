"""The comparison of two tables as one value: every headline, and the contract's aggregate beside them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import msgspec
import numpy as np
import numpy.typing as npt

from itemproof.comparing.certainty import (
    Asked,
    accuracy_of,
    means_of,
    numeric_statistics,
    statistics_of,
    verdict_of,
)
from itemproof.comparing.outcomes import Judge, counts_of, paired_table, summed, texts_of, together
from itemproof.comparing.pairing import GroupPairs, Pairing
from itemproof.comparing.table import Headline
from itemproof.records.certainty import Statistics
from itemproof.records.comparison import CORRECT, Accuracy, Counts, Group, Means, Texts
from itemproof.stats.corrections import holm
from itemproof.stats.paired import PairedTable

__all__ = ["ClusterLabels", "Whole", "compare_tables"]

#: The clusters of a group's pairs, in the order of their rows.
ClusterLabels = Callable[[GroupPairs], Sequence[str]]

_Verdicts = tuple[npt.NDArray[np.int8], npt.NDArray[np.int8]]
_NOTHING = PairedTable(both_correct=0, correct_to_wrong=0, wrong_to_correct=0, both_wrong=0)


@dataclass(frozen=True, slots=True)
class Whole:
    """What two tables come to.

    Attributes:
        groups: A headline each, in order.
        counts: Over all of them.
        accuracy: The aggregate.
        statistics: Of the aggregate.
        documents: How the documents of all pairs agree.
        prompts: How the prompts of all pairs agree.
    """

    groups: list[Group]
    counts: Counts
    accuracy: Accuracy
    statistics: Statistics
    documents: Texts
    prompts: Texts


@dataclass(frozen=True, slots=True)
class _Part:
    """One group, and what the aggregate needs of it."""

    headline: Headline
    group: Group
    table: PairedTable | None
    sides: _Verdicts | None
    pairs: GroupPairs
    known: npt.NDArray[np.bool_]
    labels: Sequence[str] | None


def compare_tables(
    pairing: Pairing, judge: Judge, metric: str | None, asked: Asked, clusters: ClusterLabels | None = None
) -> Whole:
    """The whole comparison of a pairing.

    Several pairs of one question are not independent: where there are some, the unit is the question.

    Args:
        pairing: The tables joined.
        judge: Says what an item came to.
        metric: The chosen metric, or None for correctness.
        asked: Level, seed, margins and cluster field.
        clusters: The clusters of a group's pairs, where a field was chosen.
    """
    parts = [_part(pairing, headline, judge, metric, asked, clusters) for headline in pairing.groups]
    groups = _corrected([part.group for part in parts])
    tables = [part.table for part in parts if part.table is not None]
    whole = together(tables) if tables else _NOTHING
    return Whole(
        groups=groups,
        counts=summed((group.counts for group in groups), has_verdicts=len(tables) == len(parts)),
        accuracy=accuracy_of(whole),
        statistics=groups[0].statistics if len(groups) == 1 else _pooled(pairing, parts, whole, asked, clusters),
        documents=_all(group.documents for group in groups),
        prompts=_all(group.prompts for group in groups),
    )


def _pooled(
    pairing: Pairing, parts: Sequence[_Part], whole: PairedTable, asked: Asked, clusters: ClusterLabels | None
) -> Statistics:
    """The statistics of all verdicts together; a question of several languages or filters is one unit."""
    scored = [part for part in parts if part.sides is not None]
    benchmarks = [part.headline.benchmark for part in scored if len(part.pairs.left)]
    if len(set(benchmarks)) == len(benchmarks) and all(part.labels is None for part in scored):
        return statistics_of(whole, None, None, asked)
    labels: list[str] = []
    for part in scored:
        every = part.labels if part.labels is not None else list(pairing.labels(part.pairs))
        kept = _known(every, part.known)
        labels += kept if clusters else [f"{part.headline.benchmark}\0{label}" for label in kept]
    if not clusters and not _repeats(labels):
        return statistics_of(whole, None, None, asked)
    sides = [part.sides for part in scored if part.sides is not None]
    joined = (np.concatenate([left for left, _ in sides]), np.concatenate([right for _, right in sides]))
    return statistics_of(whole, joined, labels, asked)


def _part(
    pairing: Pairing,
    headline: Headline,
    judge: Judge,
    metric: str | None,
    asked: Asked,
    clusters: ClusterLabels | None,
) -> _Part:
    pairs = pairing.groups[headline]
    every = list(clusters(pairs)) if clusters else list(pairing.labels(pairs)) if len(pairs.contexts) > 1 else None
    table, sides, means = None, None, None
    if judge.is_numeric(headline):
        numbers = judge.numbers(pairs)
        known, left, right = numbers.known, numbers.left.tolist(), numbers.right.tolist()
        higher = judge.higher_is_better(headline)
        means = means_of(left, right, higher_is_better=higher)
        statistics = numeric_statistics(left, right, _unit(every, known, clusters), asked)
        verdict = verdict_of(statistics.delta, asked, higher_is_better=higher)
    else:
        verdicts = judge.verdicts(pairs)
        known, sides, table = verdicts.known, (verdicts.left, verdicts.right), paired_table(verdicts)
        statistics = statistics_of(table, sides, _unit(every, known, clusters), asked)
        verdict = verdict_of(statistics.delta, asked)
    group = _group(pairing, headline, metric, (int(known.sum()), table, means, statistics, verdict))
    return _Part(headline, group, table, sides, pairs, known, every)


def _group(
    pairing: Pairing,
    headline: Headline,
    metric: str | None,
    found: tuple[int, PairedTable | None, Means | None, Statistics, str | None],
) -> Group:
    known, table, means, statistics, verdict = found
    pairs = pairing.groups[headline]
    return Group(
        benchmark=headline.benchmark,
        language=headline.language,
        script=headline.script,
        filter=headline.filter,
        metric=metric or CORRECT,
        counts=counts_of(pairing, headline, known, table),
        accuracy=accuracy_of(table or _NOTHING),
        means=means,
        statistics=statistics,
        verdict=verdict,
        holm_p=None,
        documents=texts_of(pairing, pairs, "documents"),
        prompts=texts_of(pairing, pairs, "prompts"),
    )


def _known(labels: Sequence[str], known: npt.NDArray[np.bool_]) -> list[str]:
    return [label for label, is_known in zip(labels, known, strict=True) if is_known]


def _unit(
    labels: Sequence[str] | None, known: npt.NDArray[np.bool_], clusters: ClusterLabels | None
) -> list[str] | None:
    """The clusters of the known pairs; None where every pair is a question of its own."""
    if labels is None:
        return None
    kept = _known(labels, known)
    return kept if clusters or _repeats(kept) else None


def _repeats(labels: Sequence[str]) -> bool:
    return len(set(labels)) < len(labels)


def _corrected(groups: list[Group]) -> list[Group]:
    """The groups with Holm's p values, where several are tested."""
    tested = [at for at, group in enumerate(groups) if group.statistics.mcnemar is not None]
    if len(tested) < 2:
        return groups
    p_values = [one.statistics.mcnemar.p for one in groups if one.statistics.mcnemar is not None]
    for at, adjusted in zip(tested, holm(p_values), strict=True):
        groups[at] = msgspec.structs.replace(groups[at], holm_p=adjusted)
    return groups


def _all(parts: Iterable[Texts]) -> Texts:
    listed = list(parts)
    return Texts(
        identical=sum(part.identical for part in listed),
        different=sum(part.different for part in listed),
        unknown=sum(part.unknown for part in listed),
    )
