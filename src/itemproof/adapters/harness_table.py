"""The harness's own table, made again from the imported lines, and what a log lacks of the run it is of."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Final

from itemproof.adapters.base import Tally
from itemproof.adapters.harness_results import is_averaged, table_of

__all__ = ["notices", "reproduce"]

#: How far the two means may lie apart: summing in another order moves the last digits only.
_RELATIVE: Final = 1e-9
_ABSOLUTE: Final = 1e-12
#: No count of documents is larger; a number that is has another meaning, or none.
_MOST: Final = 1 << 53

_Means = dict[tuple[str, str], tuple[int, float]]


def reproduce(tallies: Mapping[str, Tally], results: Any) -> dict[str, Any]:
    """How much of the harness's own table the lines give.

    Every metric that the harness averages is compared; one that no line has as a number is not, and is not counted. Two
    means agree within a relative 1e-9.

    Args:
        tallies: What the lines of each task came to.
        results: The parsed results file.

    Returns:
        `agree`, how many values are reproduced, and `differ`, the others in the table's order: `task, metric, filter`,
        `lines` (the mean of the lines), `table` (the reported value), `counted` (how many lines have it).
    """
    agree, differ = 0, []
    for task, tally in tallies.items():
        table, ours = table_of(results, task), _means(tally)
        for (metric, filter_), reported in table.items():
            found = _found(ours, table, metric, filter_) if is_averaged(results, task, metric) else None
            if found is None:
                continue
            count, mean = found
            if math.isclose(mean, reported, rel_tol=_RELATIVE, abs_tol=_ABSOLUTE):
                agree += 1
            else:
                place = {"task": task, "metric": metric, "filter": filter_}
                differ.append({**place, "lines": mean, "table": reported, "counted": count})
    return {"agree": agree, "differ": differ}


def _means(tally: Tally) -> _Means:
    """How many lines have each metric and their mean, by metric and filter, where a double can hold the mean."""
    sums: _Means = {}
    for (_, filter_, metric), (count, total) in tally.sums.items():
        before = sums.get((metric, filter_), (0, 0.0))
        sums[metric, filter_] = (before[0] + count, before[1] + total)
    means = {key: (count, total / count) for key, (count, total) in sums.items() if count}
    return {key: (count, mean) for key, (count, mean) in means.items() if math.isfinite(mean)}


def _found(ours: _Means, table: Mapping[tuple[str, str], float], metric: str, filter_: str) -> tuple[int, float] | None:
    """Our mean for a value of the table; lines before 0.4.7 do not name their filter, so a single one stands for it."""
    if (metric, filter_) in ours:
        return ours[metric, filter_]
    named = [key for key in table if key[0] == metric]
    unnamed = [key for key in ours if key[0] == metric]
    return ours[metric, "none"] if len(named) == 1 and unnamed == [(metric, "none")] else None


def notices(task: str, tally: Tally, digest: str | None, facts: Mapping[str, Any]) -> list[str]:
    """What to say of a task's log beside its results file: how much of it is there, and whether it is the run's.

    Args:
        task: The task.
        tally: What its lines came to.
        digest: SHA-256 of all the lines' joined hashes in order; None where a line carries none.
        facts: The facts of the results file, of `facts_of`.
    """
    known = facts.get("tasks", {}).get(task, {})
    counts = known.get("n_samples", {})
    original, effective = _whole(counts.get("original")), _whole(counts.get("effective"))
    filters = max(1, len(known.get("filters", ())))
    lines = tally.stable + tally.run_local
    said = []
    if effective is not None and lines < effective * filters:
        each = "" if filters == 1 else f" ({effective:,} documents, {filters} filters)"
        said.append(f"{task}: {lines:,} of {effective * filters:,} lines{each}: the log was cut after the run.")
    elif known.get("task_hash") is not None and digest is not None and digest != known["task_hash"]:
        said.append(
            f"{task}: the documents, prompts, targets or their order are not those of the results file (task_hashes):"
            " the log was edited, reordered or joined after the harness wrote it."
        )
    if original is not None and effective is not None and effective < original:
        said.append(f"{task}: {effective:,} of {original:,} documents: the run was limited.")
    return said


def _whole(value: Any) -> int | None:
    return value if type(value) is int and 0 <= value <= _MOST else None
