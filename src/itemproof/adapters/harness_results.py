"""The facts of a harness results file: what was run, how, and on what.

Results files differ from version to version and may be cut or odd. Nothing here fails on them: a part that is absent,
null, empty, "N/A" or not finite is a fact that is not known, and has no key in what comes out.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import Any, Final

__all__ = [
    "combined_otherwise",
    "facts_of",
    "filters_of",
    "finite_number",
    "is_averaged",
    "is_results",
    "metric_name",
    "model_of",
    "table_of",
    "tasks_of",
]

#: Where each fact of the whole run stands: its key, and the keys that lead to it in the results file.
_RUN_FACTS: Final = {
    "model_name": ("model_name",),
    "model_source": ("model_source",),
    "model_args": ("config", "model_args"),
    "model_revision": ("config", "model_revision"),
    "model_sha": ("config", "model_sha"),
    "model_dtype": ("config", "model_dtype"),
    "lm_eval_version": ("lm_eval_version",),
    "transformers_version": ("transformers_version",),
    "git_hash_of_working_directory": ("git_hash",),
    "date": ("date",),
    "chat_template_sha": ("chat_template_sha",),
    "system_instruction_sha": ("system_instruction_sha",),
    "fewshot_as_multiturn": ("fewshot_as_multiturn",),
    "limit": ("config", "limit"),
    "gen_kwargs": ("config", "gen_kwargs"),
    "batch_size": ("config", "batch_size"),
}
_SEEDS: Final = {
    "random": "random_seed",
    "numpy": "numpy_seed",
    "torch": "torch_seed",
    "fewshot": "fewshot_seed",
}
#: Where each fact of a task stands in its configuration.
_TASK_FACTS: Final = {
    "dataset_path": ("dataset_path",),
    "dataset_name": ("dataset_name",),
    "dataset_revision": ("dataset_kwargs", "revision"),
    "output_type": ("output_type",),
    "generation_kwargs": ("generation_kwargs",),
    "repeats": ("repeats",),
}
#: Metrics whose mean is the harness's default when a task names no aggregation.
_MEAN_BY_DEFAULT: Final = frozenset({"acc", "acc_norm", "acc_bytes", "acc_mutual_info", "exact_match"})
#: The aggregations that give the mean of the numbers that there are.
_MEANS: Final = frozenset({"mean", "nanmean"})
#: The model arguments that may name the model, the most telling first.
_MODEL_ARGUMENTS: Final = ("peft", "delta", "pretrained", "model", "path", "engine")
_DEFINED: Final = re.compile(r"\s*(?:def|<function)\s+([A-Za-z_]\w*)")


def facts_of(results: Any) -> dict[str, Any]:
    """What a parsed results file says of the run, with `seeds`, `groups` (members by group), `tasks` (facts by task).

    The date is in Unix seconds. `git_hash_of_working_directory` is of the folder the run was started in, which need not
    hold the harness. Nothing of the host is taken over.
    """
    facts = _found(results, _RUN_FACTS)
    seeds = _found(_at(results, "config"), {name: (key,) for name, key in _SEEDS.items()})
    if seeds:
        facts["seeds"] = seeds
    groups = {
        group: [task for task in members if isinstance(task, str)]
        for group, members in _object(results, "group_subtasks").items()
        if isinstance(members, list) and members
    }
    if groups:
        facts["groups"] = groups
    tasks = [task for task in tasks_of(results) if task not in groups]
    if tasks:
        facts["tasks"] = {task: _task_facts(results, task, groups) for task in tasks}
    return facts


def is_results(data: Any) -> bool:
    """Whether parsed JSON has the shape of a results file of any version."""
    return isinstance(_at(data, "results"), Mapping) and any(key in data for key in ("configs", "config", "versions"))


def model_of(results: Any) -> str | None:
    """The model's name: as recorded since 0.4.3, else as its arguments name it."""
    name = _known(_at(results, "model_name"))
    if isinstance(name, str):
        return name
    arguments = _at(results, "config", "model_args")
    if isinstance(arguments, str):
        arguments = dict(part.split("=", 1) for part in arguments.split(",") if "=" in part)
    named = (_known(_at(arguments, key)) for key in _MODEL_ARGUMENTS)
    return next((value for value in named if isinstance(value, str)), None)


def tasks_of(results: Any) -> list[str]:
    """The tasks and groups that a results file names, in its order."""
    named = [*_object(results, "configs"), *_object(results, "results")]
    return list(dict.fromkeys(named))


def _task_facts(results: Any, task: str, groups: Mapping[str, list[str]]) -> dict[str, Any]:
    config = _at(results, "configs", task)
    facts = _found(results, {"version": ("versions", task), "n_shot": ("n-shot", task)})
    if facts.get("version") == "Yaml":
        del facts["version"]
    facts |= _found(config, _TASK_FACTS)
    split = _known(_at(config, "test_split")) or _known(_at(config, "validation_split"))
    counts = _found(_at(results, "n-samples", task), {"original": ("original",), "effective": ("effective",)})
    named: dict[str, Any] = {
        "dataset_split": split,
        "filters": filters_of(results, task),
        "metrics": _metrics(results, task),
        "n_samples": counts,
        "task_hash": _known(_at(results, "task_hashes", task)),
        "groups": [group for group, members in groups.items() if task in members],
    }
    return facts | {name: value for name, value in named.items() if value}


def _metrics(results: Any, task: str) -> list[dict[str, Any]]:
    """The task's metrics as configured: name, and aggregation and direction where they are known."""
    listed = _at(results, "configs", task, "metric_list")
    metrics = []
    for entry in listed if isinstance(listed, list) else []:
        name = metric_name(_at(entry, "metric"))
        if name is None:
            continue
        metric: dict[str, Any] = {"name": name}
        aggregation = metric_name(_at(entry, "aggregation"))
        if aggregation is not None:
            metric["aggregation"] = aggregation
        for better in (_at(entry, "higher_is_better"), _at(results, "higher_is_better", task, name)):
            if isinstance(better, bool):
                metric["higher_is_better"] = better
                break
        metrics.append(metric)
    return metrics


def filters_of(results: Any, task: str) -> list[str]:
    """The names of the task's filters in the order in which their lines were logged; empty where none is named."""
    listed = _at(results, "configs", task, "filter_list")
    names = [_at(entry, "name") for entry in listed] if isinstance(listed, list) else []
    return [name for name in names if isinstance(name, str)]


def metric_name(text: Any) -> str | None:
    """The name of a metric or aggregation, which some versions write as a function's source; None if it has none."""
    if not isinstance(text, str) or not text:
        return None
    defined = _DEFINED.match(text)
    return text if defined is None else defined[1]


def is_averaged(results: Any, task: str, metric: str) -> bool:
    """Whether the harness reports the mean of a metric: it does of one that the task's configuration does not list.

    Without a list, as in tasks that are written in Python, nothing is known and the answer is no.
    """
    listed = _at(results, "configs", task, "metric_list")
    if not isinstance(listed, list):
        return False
    for entry in listed:
        if metric_name(_at(entry, "metric")) == metric:
            aggregation = _at(entry, "aggregation")
            return _is_mean(metric, aggregation if aggregation is None else metric_name(aggregation) or "")
    return True


def _is_mean(metric: str, aggregation: str | None) -> bool:
    """Whether an aggregation of a metric is the mean; None is the harness's default for it."""
    return metric in _MEAN_BY_DEFAULT if aggregation is None else aggregation in _MEANS


def table_of(results: Any, task: str) -> dict[tuple[str, str], float]:
    """The numbers that the harness reports for a task, by metric and filter; standard errors left out.

    A number that no double can hold is none.
    """
    table: dict[tuple[str, str], float] = {}
    for key, value in _object(results, "results", task).items():
        metric, comma, filter_ = key.partition(",")
        number = finite_number(value)
        if comma and not metric.endswith("_stderr") and number is not None:
            table[metric, filter_] = number
    return table


def finite_number(value: Any) -> float | None:
    """The number as a double; None for anything else, truth values and numbers beyond a double's range among it."""
    if not isinstance(value, int | float) or isinstance(value, bool):
        return None
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if math.isfinite(number) else None


def combined_otherwise(facts: Mapping[str, Any], task: str | None) -> dict[str, str]:
    """The metrics of a task that the harness does not average, each with the name of what it does, or `""`.

    Args:
        facts: As `facts_of` gives them; what is not as it gives them is not known.
        task: The task.
    """
    listed = None if task is None else _at(facts, "tasks", task, "metrics")
    found = {}
    for metric in listed if isinstance(listed, list) else []:
        name, aggregation = _at(metric, "name"), _at(metric, "aggregation")
        if isinstance(name, str) and not _is_mean(name, aggregation):
            found[name] = aggregation if isinstance(aggregation, str) else ""
    return found


def _found(source: Any, places: Mapping[str, tuple[str, ...]]) -> dict[str, Any]:
    """What is known at each place."""
    found = {name: _known(_at(source, *path)) for name, path in places.items()}
    return {name: value for name, value in found.items() if value is not None}


def _known(value: Any) -> Any:
    """The value, or None where it stands for none."""
    if value in ("", "N/A") or (isinstance(value, float) and not math.isfinite(value)):
        return None
    return value


def _at(source: Any, *path: str) -> Any:
    for key in path:
        if not isinstance(source, Mapping):
            return None
        source = source.get(key)
    return source


def _object(source: Any, *path: str) -> Mapping[str, Any]:
    found = _at(source, *path)
    return found if isinstance(found, Mapping) else {}
