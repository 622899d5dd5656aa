"""What the files of an import say together: the run's facts, the harness's own table made again, contradictions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, TypeAlias

from itemproof.adapters.harness_results import facts_of, model_of
from itemproof.adapters.harness_table import notices as task_notices
from itemproof.adapters.harness_table import reproduce
from itemproof.archive.request import Conclusion, ImportedFile, Standing
from itemproof.core.errors import InvalidInput
from itemproof.core.findings import Code, Finding, Findings
from itemproof.core.key_like import key_like_paths
from itemproof.core.where import Where
from itemproof.files.paths import utf8_text

__all__ = ["conclude"]

CONTRADICTED: Final = Code("H030", "a benchmark of the run has another dataset revision or task version")

_PRODUCER: Final = "lm-evaluation-harness"
#: The run's metadata by benchmark, and the fact of a task that goes there.
_BY_BENCHMARK: Final = {"dataset_revision": "dataset_revision", "task_versions": "version"}

#: The files of one results file, and its facts.
_Part: TypeAlias = tuple[list[ImportedFile], dict[str, Any]]


def conclude(files: Sequence[ImportedFile], run: Standing, *, notices: Sequence[str] = ()) -> Conclusion:
    """The facts of every results file, how far each table was reproduced, and what goes into the run's metadata.

    Raises:
        InvalidInput: The run knows a benchmark by another dataset revision or task version, or two results files
            name different ones for a task (H030).
    """
    facts: dict[str, Any] = {}
    parts: list[_Part] = []
    said = list(notices)
    reproduced: dict[str, Any] = {"agree": 0, "differ": []}
    for results, members in _by_results(files):
        of_run = facts_of(results)
        facts |= _merged(facts, of_run)
        parts.append((members, of_run))
        part = reproduce({member.source.task or "": member.tally for member in members}, results)
        reproduced["agree"] += part["agree"]
        reproduced["differ"] += part["differ"]
        said += _other_model(model_of(results), run.model)
        said += _keys(results, members)
        for member in members:
            said += task_notices(member.source.task or "", member.tally, member.normalised.task_hash, of_run)
    _refuse_contradiction(parts, run.metadata)
    return Conclusion(
        facts=facts,
        metadata=_metadata(parts, facts, run.metadata),
        reproduced=reproduced if facts else None,
        notices=said,
    )


def _by_results(files: Sequence[ImportedFile]) -> Iterator[tuple[Mapping[str, Any], list[ImportedFile]]]:
    """The files of each results file."""
    groups: dict[Any, list[ImportedFile]] = {}
    for file in files:
        if file.source.results is not None:
            groups.setdefault(file.source.results_path, []).append(file)
    for members in groups.values():
        results = members[0].source.results
        if results is not None:
            yield results, members


def _merged(facts: Mapping[str, Any], more: Mapping[str, Any]) -> dict[str, Any]:
    """The facts with those of another results file: of the run the first stay, of the tasks all."""
    tasks = {**facts.get("tasks", {}), **more.get("tasks", {})}
    groups = {**facts.get("groups", {}), **more.get("groups", {})}
    named = {key: value for key, value in (("tasks", tasks), ("groups", groups)) if value}
    return {**more, **facts, **named}


def _other_model(found: str | None, due: str) -> list[str]:
    if found is None or found == due:
        return []
    return [f"the results file names the model {found!r}, the run has {due!r}."]


def _keys(results: Mapping[str, Any], members: Sequence[ImportedFile]) -> Iterator[str]:
    path = utf8_text(str(members[0].source.results_path))
    for place in key_like_paths(results):
        yield f"{path} {place} looks like a key or token; once the run is sealed it cannot be removed."


def _values(parts: Sequence[_Part], name: str) -> Iterator[tuple[ImportedFile, Any]]:
    """What the results file of each file says under a name of its task."""
    for members, facts in parts:
        for file in members:
            value = facts.get("tasks", {}).get(file.source.task, {}).get(name)
            if isinstance(value, str | int | float):
                yield file, value


def _known(parts: Sequence[_Part], name: str) -> dict[str, set[Any]]:
    """What the tasks of each benchmark say under a name."""
    known: dict[str, set[Any]] = {}
    for file, value in _values(parts, name):
        for benchmark in file.tally.benchmarks:
            known.setdefault(benchmark, set()).add(value)
    return known


def _refuse_contradiction(parts: Sequence[_Part], metadata: Mapping[str, Any]) -> None:
    findings = Findings()
    for key, fact in _BY_BENCHMARK.items():
        of_task: dict[str | None, Any] = {}
        for file, value in _values(parts, fact):
            first = of_task.setdefault(file.source.task, value)
            if str(first) != str(value):
                text = (
                    f"found {fact} {first!r} and {value!r} of {file.source.task}; "
                    "results of different versions belong in different runs."
                )
                findings.add(Finding(CONTRADICTED, text, Where(file=utf8_text(str(file.source.results_path)))))
        before = metadata.get(key)
        for benchmark, values in _known(parts, fact).items():
            due = before.get(benchmark) if isinstance(before, dict) else before
            for value in values:
                if due is not None and str(value) != str(due):
                    text = (
                        f"found {fact} {value!r} of {benchmark}, but the run has {due!r}; "
                        "results of different versions belong in different runs."
                    )
                    findings.add(Finding(CONTRADICTED, text, Where(path=f"$.metadata.{key}")))
    if findings:
        raise InvalidInput(findings, "Nothing was imported.")


def _metadata(parts: Sequence[_Part], facts: Mapping[str, Any], metadata: Mapping[str, Any]) -> dict[str, Any]:
    """What the run learns: nothing that it has already, and of a benchmark only what all its tasks agree on."""
    learnt: dict[str, Any] = {}
    for key, fact in _BY_BENCHMARK.items():
        before = metadata.get(key)
        if before is not None and not isinstance(before, dict):
            continue
        agreed = {name: next(iter(values)) for name, values in _known(parts, fact).items() if len(values) == 1}
        if agreed:
            learnt[key] = {**agreed, **(before or {})}
    version = facts.get("lm_eval_version")
    if facts and "producer" not in metadata:
        learnt["producer"] = {"name": _PRODUCER, **({"version": version} if version is not None else {})}
    if "seeds" in facts and "seeds" not in metadata:
        learnt["seeds"] = facts["seeds"]
    return learnt
