"""The harness's own groups, made again from the records of their tasks.

A results file does not say how a group was weighted. So both ways are computed, by the size of the tasks and with each
task counting once, and the one that gives the reported number is the harness's. Where neither does, there is no value.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final, NamedTuple

import msgspec

from itemproof.adapters.harness_results import facts_of, is_results, table_of
from itemproof.app.summary_rows import RowKey, Tally
from itemproof.archive.archive import Run
from itemproof.archive.layout import MISSING
from itemproof.core.errors import invalid
from itemproof.core.where import Where
from itemproof.files.atomic import disk_faults
from itemproof.records.manifest import FileEntry
from itemproof.stats.moments import total

__all__ = ["Figure", "GroupRow", "Groups", "groups_of"]

#: How far a group's number and the harness's may lie apart: summing in another order moves the last digits only.
_RELATIVE: Final = 1e-9
_ABSOLUTE: Final = 1e-12
#: A results file is much smaller; a larger JSON file is taken for none.
_RESULTS_BYTES: Final = 64 << 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """One metric of a group.

    Attributes:
        value: What the records give, weighted as the harness did; None where they do not give its number.
        reported: The harness's number.
        tasks: The tasks that the harness counted.
        weighting: `size`, `task` (each task counts once), or `either` where both give the number; None without a value.
        missing: Those of them of which the run holds no record of the filter.
        why: Why there is no value.
    """

    value: float | None
    reported: float
    tasks: tuple[str, ...]
    weighting: str | None = None
    missing: tuple[str, ...] = ()
    why: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupRow:
    """A group as the harness reports it, for one filter; it pools all languages and variants of its tasks.

    Attributes:
        group: Its name.
        filter: The filter.
        source: The results file that knows the group.
        tasks: The tasks below it, those of its sub-groups included.
        records: Their records in the run, of this filter.
        languages: The languages that these have.
        variants: The variants that these have.
        judged_by: The metric that says what is correct, where it is the same one in all of these.
        metrics: The figures by metric, in the order of the results file.
    """

    group: str
    filter: str
    source: str
    tasks: tuple[str, ...]
    records: int
    languages: tuple[str, ...]
    variants: tuple[str, ...]
    judged_by: str | None
    metrics: dict[str, Figure]

    @property
    def accuracy(self) -> float | None:
        """The value of the metric that says what is correct."""
        figure = self.metrics.get(self.judged_by) if self.judged_by else None
        return figure.value if figure else None

    def to_dict(self) -> dict[str, Any]:
        """The row as plain data, with its accuracy."""
        document: dict[str, Any] = msgspec.to_builtins(self)
        return {**document, "accuracy": self.accuracy}


@dataclass(slots=True, kw_only=True)
class Groups:
    """The groups of a run.

    Attributes:
        rows: In the order of the results files.
        members: The tasks and sub-groups of each group.
        keys: The rows to which the files of a task contributed.
    """

    rows: list[GroupRow] = field(default_factory=list)
    members: dict[str, list[str]] = field(default_factory=dict)
    keys: dict[str, list[RowKey]] = field(default_factory=dict)


class _Part(NamedTuple):
    """One file of a task."""

    entry: FileEntry
    tallies: Mapping[RowKey, Tally]


#: The files of each task, beside one results file.
_Tasks = dict[str, list[_Part]]


def groups_of(run: Run, tallies: Sequence[Mapping[RowKey, Tally]]) -> Groups:
    """The groups that the run's results files know and of which it holds a task.

    Args:
        run: The run.
        tallies: Those of its files, in the manifest's order.

    Raises:
        InvalidInput: A results file is missing (A001).
        Unavailable: A results file cannot be read.
    """
    by_results: dict[str, _Tasks] = {}
    for part in map(_Part, run.manifest.files, tallies):
        entry = part.entry
        if entry.task is not None and entry.results_path is not None:
            by_results.setdefault(entry.results_path, {}).setdefault(entry.task, []).append(part)
    groups = Groups()
    for source, tasks, results in _results_files(run, by_results):
        members: dict[str, list[str]] = facts_of(results).get("groups", {})
        for group, below in members.items():
            leaves = _leaves(group, members)
            if not tasks.keys().isdisjoint(leaves):
                groups.members[group] = below
                groups.rows += _rows(group, leaves, tasks, source=source, results=results)
        for task, parts in tasks.items():
            groups.keys.setdefault(task, []).extend(key for part in parts for key in part.tallies)
    return groups


def _results_files(run: Run, by_results: Mapping[str, _Tasks]) -> Iterator[tuple[str, _Tasks, Any]]:
    """The attached results files of some evaluations: name, tasks and content."""
    for attachment in run.manifest.attachments:
        tasks = by_results.get(attachment.path)
        if tasks is None or attachment.bytes > _RESULTS_BYTES:
            continue
        data = _attached(run, attachment.path)
        try:
            # the harness writes numbers that are none, which stand for nothing here
            results = json.loads(data, parse_constant=lambda _: None)
        except (ValueError, RecursionError):
            continue
        if is_results(results):
            yield attachment.name, tasks, results


def _attached(run: Run, stored: str) -> bytes:
    path = run.layout.stored(stored)
    with disk_faults(path):
        try:
            return path.read_bytes()
        except FileNotFoundError:
            text = (
                "This results file, with which the harness's groups are made again, is registered and not there. "
                "Bring it back from a copy of the archive."
            )
            raise invalid(MISSING, text, Where(file=stored)) from None


def _leaves(group: str, members: Mapping[str, list[str]]) -> tuple[str, ...]:
    """The tasks below a group in the order of its tree, each once, even if the tree is no tree."""
    found: dict[str, None] = {}
    seen, waiting = {group}, list(reversed(members[group]))
    while waiting:
        name = waiting.pop()
        if name not in members:
            found[name] = None
        elif name not in seen:
            seen.add(name)
            waiting.extend(reversed(members[name]))
    return tuple(found)


def _rows(group: str, leaves: tuple[str, ...], tasks: _Tasks, *, source: str, results: Any) -> Iterator[GroupRow]:
    """The rows of a group, one a filter of its table."""
    table = table_of(results, group)
    tables = {task: table_of(results, task) for task in leaves}
    for filter_ in dict.fromkeys(filter_ for _, filter_ in table):
        found = {task: _records_of(tasks.get(task, ()), filter_, tables[task]) for task in leaves}
        figures = {}
        for metric in (metric for metric, of_filter in table if of_filter == filter_):
            due = [task for task in leaves if (metric, filter_) in tables[task]] or leaves
            figures[metric] = _figure(metric, {task: found[task] for task in due}, table[metric, filter_])
        keys = [key for records in found.values() for key in records.keys]
        judges = {metric for records in found.values() for metric in records.judges}
        yield GroupRow(
            group=group,
            filter=filter_,
            source=source,
            tasks=leaves,
            records=sum(records.count for records in found.values()),
            languages=tuple(sorted({key.language for key in keys if key.language is not None})),
            variants=tuple(sorted({key.variant_id for key in keys})),
            judged_by=judges.pop() if len(judges) == 1 else None,
            metrics=figures,
        )


@dataclass(slots=True)
class _Records:
    """The records of one task and filter.

    Attributes:
        keys: Their rows.
        count: How many.
        judges: The metrics that say what is correct.
        sums: How many numbers of each metric, and their sum.
    """

    keys: list[RowKey] = field(default_factory=list)
    count: int = 0
    judges: set[str] = field(default_factory=set)
    sums: dict[str, tuple[int, float]] = field(default_factory=dict)

    def mean(self, metric: str) -> tuple[int, float] | None:
        """The weight of the task, which is all of its records, and the metric's mean; None where no record has one."""
        n, added = self.sums.get(metric, (0, 0.0))
        return (self.count, added / n) if n and math.isfinite(added) else None


def _records_of(parts: Sequence[_Part], filter_: str, table: Mapping[tuple[str, str], float]) -> _Records:
    """The task's records of a filter; old logs do not name it, so if the task has this one only, all are of it."""
    found = _Records()
    is_only = {name for _, name in table} == {filter_}
    for entry, tallies in parts:
        own = "none" if is_only and {key.filter for key in tallies} == {"none"} else filter_
        for key, tally in tallies.items():
            if key.filter != own:
                continue
            found.keys.append(key)
            found.count += tally.records
            found.judges.update(entry.metrics_used.get(key.benchmark, {}).get(own, ()))
            for name, metric in tally.metrics.items():
                n, added = found.sums.get(name, (0, 0.0))
                found.sums[name] = (n + metric.n, added + metric.sum)
    return found


def _figure(metric: str, tasks: Mapping[str, _Records], reported: float) -> Figure:
    """The figure of a metric over the tasks that the harness counted."""
    figure = partial(Figure, reported=reported, tasks=tuple(tasks))
    if missing := tuple(task for task, records in tasks.items() if not records.count):
        why = f"{len(tasks) - len(missing)} of {len(tasks)} tasks have records here"
        return figure(value=None, missing=missing, why=why)
    means = [records.mean(metric) for records in tasks.values()]
    there = [mean for mean in means if mean is not None]
    if len(there) < len(means):
        return figure(value=None, why=f"{len(there)} of {len(tasks)} tasks have numbers for it")
    by_size = total(weight * mean for weight, mean in there) / sum(weight for weight, _ in there)
    by_task = total(mean for _, mean in there) / len(there)
    fits = [
        (weighting, value)
        for weighting, value in (("size", by_size), ("task", by_task))
        if math.isclose(value, reported, rel_tol=_RELATIVE, abs_tol=_ABSOLUTE)
    ]
    if not fits:
        why = f"the records give {by_size!r} by size and {by_task!r} by task, the harness reported {reported!r}"
        return figure(value=None, why=why)
    weighting, value = fits[0]
    return figure(value=value, weighting=weighting if len(fits) == 1 else "either")
