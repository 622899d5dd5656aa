"""Chooses among evaluations of one task by one model: they are never taken together, unless as numbered repeats.

None is chosen for being the latest unless the user says so: time stamps have no zone, and a later one may be a mistake.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from itemproof.adapters.harness_folder import Evaluation
from itemproof.adapters.harness_results import finite_number
from itemproof.core.errors import InvalidInput, invalid
from itemproof.core.findings import Code, Finding, Findings
from itemproof.core.where import Where

__all__ = ["LATEST", "choose"]

TWO_EVALUATIONS: Final = Code("H022", "a task was evaluated more than once")
NO_SUCH_STAMP: Final = Code("H023", "no evaluation has the time stamp that was asked for")

#: The value of `--timestamp` that takes the latest evaluation of each task.
LATEST: Final = "latest"


def choose(
    evaluations: Sequence[Evaluation], *, timestamp: str | None = None, as_repeats: bool = False
) -> list[Evaluation]:
    """One evaluation for each task and model, or all of them as numbered repeats; the order stays.

    Args:
        evaluations: As found.
        timestamp: `latest` for the latest of each task, or a time stamp, of which only the evaluations are kept.
        as_repeats: Whether evaluations of one task and model become repeats 0, 1, ... in the order of their time.

    Raises:
        InvalidInput: A task was evaluated more than once and nothing says what to take (H022), or no evaluation has the
            time stamp (H023).
        ValueError: Both a time stamp and repeats are asked for.
    """
    if timestamp is not None and as_repeats:
        raise ValueError("a time stamp chooses one evaluation; repeats keep all")
    kept = list(evaluations)
    if timestamp not in {None, LATEST}:
        kept = [evaluation for evaluation in kept if evaluation.timestamp == timestamp]
        if not kept:
            raise _no_such_stamp(timestamp, evaluations)
    chosen: dict[Path, Evaluation] = {}
    doubles = Findings()
    for group in _groups(kept):
        group.sort(key=_time)
        if len(group) == 1 or timestamp == LATEST:
            chosen[group[-1].samples] = group[-1]
        elif as_repeats:
            chosen |= {one.samples: replace(one, repeat_id=number) for number, one in enumerate(group)}
        else:
            doubles.add(_doubled(group))
    if doubles:
        raise InvalidInput(doubles, "Nothing was imported.")
    return [chosen[evaluation.samples] for evaluation in kept if evaluation.samples in chosen]


def _groups(evaluations: Sequence[Evaluation]) -> list[list[Evaluation]]:
    """The evaluations of one task by one model together; without a results file the folder stands for the model."""
    groups: dict[tuple[str, str], list[Evaluation]] = {}
    for evaluation in evaluations:
        model = evaluation.model if evaluation.model is not None else f"{evaluation.samples.parent}/"
        task = evaluation.task if evaluation.task is not None else f"{evaluation.samples}/"
        groups.setdefault((model, task), []).append(evaluation)
    return list(groups.values())


def _time(evaluation: Evaluation) -> tuple[str, float, str]:
    """The order of evaluations of one task: by local time stamp, then by the moment that the results file has."""
    date = None if evaluation.results_data is None else evaluation.results_data.get("date")
    return evaluation.timestamp or "", finite_number(date) or 0.0, str(evaluation.samples)


def _doubled(group: Sequence[Evaluation]) -> Finding:
    first = group[0]
    by = "" if first.model is None else f" by {first.model}"
    each = "; ".join(f"{one.timestamp or 'without a time stamp'} ({one.samples})" for one in group[:5])
    more = f"; and {len(group) - 5} more" if len(group) > 5 else ""
    text = (
        f"{first.task} was evaluated {len(group)} times{by}: {each}{more}. Take one with --timestamp latest or"
        f" --timestamp {first.timestamp or 'STAMP'}, or keep all as repeats with --as-repeats."
    )
    return Finding(TWO_EVALUATIONS, text, Where(file=str(first.samples.parent)))


def _no_such_stamp(timestamp: str | None, evaluations: Sequence[Evaluation]) -> InvalidInput:
    stamps = sorted({evaluation.timestamp for evaluation in evaluations if evaluation.timestamp is not None})
    there = f"there are {', '.join(stamps[:5])}" if stamps else "no file has one"
    return invalid(
        NO_SUCH_STAMP, f"no evaluation has the time stamp {timestamp}; {there}.", outcome="Nothing was imported."
    )
