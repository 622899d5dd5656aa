"""What a run comes to: accuracy and metric means with intervals, the harness's groups above their members."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from typing import Any, Final

from itemproof.app.summary_groups import Figure, GroupRow, Groups, groups_of
from itemproof.app.summary_rows import MetricMean, Row, RowKey, aggregations_of, questions_of, row_of, tally, together
from itemproof.archive.archive import Archive
from itemproof.core.errors import InvalidInput
from itemproof.core.findings import Code, Finding, Findings
from itemproof.stats.display import NUMBER, PERCENT, count, interval, show
from itemproof.stats.estimate import LEVEL, Estimate, Undefined

__all__ = ["Page", "Summary", "summarise"]

NOT_THERE: Final = Code("U010", "a summary was asked for what the run does not hold")

#: How many names a message lists.
_NAMED: Final = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """A table for people.

    Attributes:
        header: A name for each column.
        rows: As many texts a row.
        right: The columns that are aligned to the right, from 0.
        notes: What must be read with it.
    """

    header: tuple[str, ...]
    rows: list[tuple[str, ...]]
    right: frozenset[int]
    notes: list[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """What a run comes to.

    Attributes:
        run_id: The run.
        model: Its model.
        level: The confidence level of the intervals.
        rows: In the order of their keys.
        groups: In the order of the results files.
        outline: All of these as they are shown, each with its depth: a group above its members.
    """

    run_id: str
    model: str
    level: float
    rows: list[Row]
    groups: list[GroupRow]
    outline: list[tuple[int, Row | GroupRow]]

    def to_dict(self) -> dict[str, Any]:
        """The stable document."""
        return {
            "run_id": self.run_id,
            "model": self.model,
            "level": self.level,
            "rows": [row.to_dict() for row in self.rows],
            "groups": [group.to_dict() for group in self.groups],
        }

    def page(self) -> Page:
        """The table, without the columns that would be blank, and the notes."""
        every = [_cells(depth, row) for depth, row in self.outline]
        kept = [at for at in range(len(_TITLES)) if at not in _MAY_GO or any(cells[at] for cells in every)]
        return Page(
            header=tuple(_TITLES[at].format(level=f"{self.level * 100:g}") for at in kept),
            rows=[tuple(cells[at] for at in kept) for cells in every],
            right=frozenset(place for place, at in enumerate(kept) if at in _RIGHT),
            notes=[*_row_notes(self.rows), *_group_notes(self.groups)],
        )


def summarise(  # noqa: PLR0913 (what the command chooses by is a parameter each)
    archive: Archive,
    run_id: str,
    *,
    benchmark: str | None = None,
    language: str | None = None,
    variant: str | None = None,
    filter: str | None = None,  # noqa: A002 (the field's name)
    level: float = LEVEL,
    progress: Callable[[int], None] = lambda _: None,
) -> Summary:
    """The summary of a run, or of what the options choose of it.

    The harness's groups are whole or not there: they stand in the summary unless a benchmark, language or variant is
    chosen.

    Args:
        archive: Where the run lies.
        run_id: The run.
        benchmark: Only its rows.
        language: Only its rows.
        variant: Only its rows.
        filter: Only its rows and groups.
        level: The confidence level.
        progress: Told how many bytes more are done.

    Raises:
        InvalidInput: There is no such run, it is damaged (A001, A030), or it holds nothing of what is chosen (U010).
        Unavailable: The disk refused.
        ValueError: The level is not between 0 and 1.
    """
    run = archive.run(run_id)
    tallies = [tally(run, file, progress=progress) for file in run.manifest.files]
    whole = together(tallies)
    chosen = {"benchmark": benchmark, "language": language, "variant_id": variant, "filter": filter}
    taken = _taken(whole, {name: value for name, value in chosen.items() if value is not None}, run_id)
    questions = questions_of(run, [key for key in taken if len(whole[key].repeats) > 1])
    otherwise = aggregations_of(run, tallies)
    rows = {
        key: row_of(key, whole[key], questions.get(key), level=level, aggregations=otherwise.get(key, {}))
        for key in taken
    }
    groups = groups_of(run, tallies) if benchmark is language is variant is None else Groups()
    groups.rows = [row for row in groups.rows if filter in (None, row.filter)]
    return Summary(
        run_id=run.id,
        model=run.manifest.model,
        level=level,
        rows=list(rows.values()),
        groups=groups.rows,
        outline=list(_outline(rows, groups)),
    )


def _taken(keys: Collection[RowKey], chosen: dict[str, str], run_id: str) -> list[RowKey]:
    """The keys that have what was chosen; that there are none is refused, unless nothing was chosen."""
    taken = [key for key in keys if all(getattr(key, name) == value for name, value in chosen.items())]
    if taken or not chosen:
        return taken
    faults = Findings()
    for name, value in chosen.items():
        there = sorted({str(getattr(key, name)) for key in keys if getattr(key, name) is not None})
        if value not in there:
            what = name.removesuffix("_id")
            has = f"It has {_listed(there)}." if there else f"Its records have no {what}."
            faults.add(Finding(NOT_THERE, f"The run {run_id} holds nothing of the {what} {value!r}. {has}"))
    if not faults:
        asked = ", ".join(f"{name.removesuffix('_id')} {value!r}" for name, value in chosen.items())
        faults.add(Finding(NOT_THERE, f"The run {run_id} holds no record that has all of {asked}. Ask for fewer."))
    raise InvalidInput(faults)


def _outline(rows: dict[RowKey, Row], groups: Groups) -> Iterator[tuple[int, Row | GroupRow]]:
    """Each group above its sub-groups and rows, each row once, and then the rows of no group."""
    left = dict(rows)
    opened: set[str] = set()

    def below(name: str, depth: int) -> Iterator[tuple[int, Row | GroupRow]]:
        if name not in groups.members:
            for key in groups.keys.get(name, ()):
                if key in left:
                    yield depth, left.pop(key)
        elif name not in opened:
            opened.add(name)
            heads = [row for row in groups.rows if row.group == name]
            yield from ((depth, row) for row in heads)
            for member in groups.members[name]:
                yield from below(member, depth + bool(heads))

    inner = {member for members in groups.members.values() for member in members}
    for name in sorted(groups.members, key=lambda group: group in inner):
        yield from below(name, 0)
    yield from ((0, row) for row in left.values())


_TITLES: Final = (
    *("benchmark", "language", "script", "variant", "filter", "records", "known", "accuracy", "{level} % interval"),
    *("over", "run-local", "metrics"),
)
_RIGHT: Final = frozenset({5, 6, 7, 8, 9, 10})
#: Language, script, known, over and run-local are left out where they would be blank throughout.
_MAY_GO: Final = frozenset({1, 2, 6, 9, 10})


def _cells(depth: int, row: Row | GroupRow) -> tuple[str, ...]:
    name = "  " * depth
    if isinstance(row, GroupRow):
        figures = [f"{metric} {_number(figure.value)}" for metric, figure in row.metrics.items()]
        share = "" if row.judged_by is None else _share(row.accuracy)
        name += f"{row.group} ({len(row.tasks)} tasks)"
        return (name, "", "", "", row.filter, count(row.records), "", share, "", "", "", ", ".join(figures))
    key, found = row.key, row.interval
    return (
        name + key.benchmark,
        key.language or "",
        key.script or "",
        key.variant_id,
        key.filter,
        count(row.records),
        count(row.known) if row.known < row.records else "",
        _share(row.accuracy),
        interval(found, PERCENT) if isinstance(found, Estimate) else "n/a",
        f"{count(found.clusters)} questions" if isinstance(found, Estimate) and found.clusters else "",
        count(row.run_local) if row.run_local else "",
        ", ".join(_mean(metric, found, row.records) for metric, found in row.metrics.items()),
    )


def _share(value: float | None) -> str:
    return "n/a" if value is None else show(value, PERCENT)


def _number(value: float | None) -> str:
    return "n/a" if value is None else show(value, NUMBER)


def _mean(name: str, metric: MetricMean, records: int) -> str:
    of = f" (n {count(metric.n)})" if 0 < metric.n < records else ""
    return f"{name} {_number(metric.mean)}{of}"


def _row_notes(rows: Collection[Row]) -> Iterator[str]:
    if not rows:
        yield "The run holds no records yet."
    reasons = Counter(row.interval.reason for row in rows if isinstance(row.interval, Undefined))
    yield from (f"n/a in {count(times)} of the rows: {reason}." for reason, times in reasons.items())
    otherwise = {
        (name, metric.aggregation): None
        for row in rows
        for name, metric in row.metrics.items()
        if metric.aggregation is not None
    }
    for name, aggregation in otherwise:
        by = f" (its aggregation is {aggregation})" if aggregation else ""
        yield f"{name} n/a: the harness does not average it{by}, so a mean would be another number than its own."
    if any(isinstance(row.interval, Estimate) and row.interval.clusters for row in rows):
        yield "Repeats of a question are not independent: such an interval is cluster-robust over the questions."
    if run_local := sum(row.run_local for row in rows):
        yield f"Run-local records: {count(run_local)}. They count here, and in no pairs."


_WEIGHTED: Final = {
    "size": "weighted by size",
    "task": "each task counting once",
    "either": "by size or by task, which comes to the same",
}


def _group_notes(rows: Collection[GroupRow]) -> Iterator[str]:
    """How each group came about, and why a number is missing; of which evaluation, where there are several."""
    several = len({row.source for row in rows}) > 1
    yield from (f"{row.group}, {row.filter}{f' ({row.source})' if several else ''}: {_told(row)}" for row in rows)


def _told(row: GroupRow) -> str:
    said: dict[str, list[str]] = {}
    for metric, figure in row.metrics.items():
        said.setdefault(_how(figure, row), []).append(metric)
    parts = [f"{', '.join(metrics)} {how}" for how, metrics in said.items()]
    pooled = [
        f"{len(names)} {what}"
        for names, what in ((row.languages, "languages"), (row.variants, "variants"))
        if len(names) > 1
    ]
    pools = f" It puts {' and '.join(pooled)} together, as the harness does." if pooled else ""
    return f"{'; '.join(parts)}.{pools}"


def _how(figure: Figure, row: GroupRow) -> str:
    if figure.weighting is None:
        missing = f" (missing: {_listed(figure.missing)})" if figure.missing else ""
        return f"n/a: {figure.why}{missing}"
    of = "" if figure.tasks == row.tasks else f" over {len(figure.tasks)} of the tasks"
    return f"{_WEIGHTED[figure.weighting]}{of}"


def _listed(names: Collection[str]) -> str:
    shown = ", ".join(list(names)[:_NAMED])
    return f"{shown} and {count(len(names) - _NAMED)} more" if len(names) > _NAMED else shown
