"""What differs between the ways in which two sides were run: told before any number."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final

from itemproof.core.errors import InvalidInput
from itemproof.core.findings import Code, Finding, Findings
from itemproof.core.where import Where
from itemproof.records.comparison import Difference
from itemproof.records.manifest import RunManifest

__all__ = ["differences", "provenance_warnings", "refuse_conflicts"]

OTHER_REVISION: Final = Code("I021", "two sides are known to be of different revisions of a dataset")
OTHER_CONTRACT: Final = Code("I022", "a strict run is compared with one of another bank or protocol, or with none")

#: Facts that differ between any two runs, or of the folder and not of the evaluation.
_NOT_TOLD: Final = frozenset({"date", "git_hash_of_working_directory", "groups", "tasks", "seeds"})
#: Facts of a task that say how it went, not how it was asked.
_NOT_OF_A_TASK: Final = frozenset({"task_hash", "groups", "filters", "dataset_revision", "version"})
#: Run metadata that has a place of its own.
_OWN: Final = frozenset({"dataset_revision", "task_versions", "benchmark_contract"})


def differences(left: RunManifest, right: RunManifest, benchmarks: Collection[str]) -> list[Difference]:
    """Everything known on a side that the other has otherwise or not at all, of the runs and of these benchmarks.

    Facts of the results files are compared where both sides have some.
    """
    found = [("model", left.model, right.model)]
    for values in (_metadata, _facts):
        mine, theirs = values(left), values(right)
        if values is _facts and not (mine and theirs):
            continue
        found += _side_by_side(mine, theirs)
    for name in ("dataset_revision", "version"):
        mine, theirs = (_by_benchmark(side, name, benchmarks) for side in (left, right))
        found += [(f"{name} of {key}", *pair) for key, *pair in _side_by_side(mine, theirs)]
    for benchmark in sorted(benchmarks):
        mine, theirs = _task(left, benchmark), _task(right, benchmark)
        if mine and theirs:
            found += [(f"{name} of {benchmark}", *pair) for name, *pair in _side_by_side(mine, theirs)]
    return [Difference(key=key, left=one, right=other) for key, one, other in found if one != other]


def provenance_warnings(left: RunManifest, right: RunManifest, benchmarks: Collection[str]) -> list[str]:
    """What must be known before the numbers of two runs are held against each other."""
    said = []
    for name, word in (("dataset_revision", "dataset revision"), ("version", "task version")):
        mine, theirs = (_by_benchmark(side, name, benchmarks) for side in (left, right))
        for benchmark, one, other in _side_by_side(mine, theirs):
            if one is None or other is None:
                side, value = ("left", one) if other is None else ("right", other)
                said.append(f"{benchmark}: the {word} is known on the {side} side only ({value}).")
            elif one != other:
                said.append(f"{benchmark}: the {word}s differ: {one} and {other}.")
    for name in ("producer", "metric_definitions", "correctness_metric"):
        one, other = left.metadata.get(name), right.metadata.get(name)
        if one != other:
            said.append(f"{name.replace('_', ' ')}: {_shown(one)} on the left, {_shown(other)} on the right.")
    for benchmark in sorted(benchmarks):
        one, other = _metrics_used(left, benchmark), _metrics_used(right, benchmark)
        if one and other and one != other:
            said.append(f"{benchmark}: correctness comes from {_shown(one)} on the left, {_shown(other)} on the right.")
    return said


def refuse_conflicts(left: RunManifest, right: RunManifest, benchmarks: Collection[str]) -> None:
    """The two sides may be compared: no known dataset revisions contradict each other, and strict runs fit.

    Raises:
        InvalidInput: Two known dataset revisions of a benchmark differ (I021), or a strict run meets one of another
            bank or protocol (I022).
    """
    findings = Findings()
    mine, theirs = (_by_benchmark(side, "dataset_revision", benchmarks) for side in (left, right))
    for benchmark, one, other in _side_by_side(mine, theirs):
        if one is not None and other is not None and one != other:
            text = (
                f"{benchmark} is known to be of the dataset revision {one} on the left and {other} on the right: the "
                "questions may not be the same. Compare runs of one revision, or choose other benchmarks with "
                "--benchmark."
            )
            findings.add(Finding(OTHER_REVISION, text, Where(path="$.metadata.dataset_revision")))
    one, other = _contract(left), _contract(right)
    if one != other:
        text = (
            f"the left run has the contract {_shown(one)}, the right one {_shown(other)}. A strict run is compared "
            "only with a strict run of the same item bank and protocol."
        )
        findings.add(Finding(OTHER_CONTRACT, text, Where(path="$.metadata.benchmark_contract")))
    if findings:
        raise InvalidInput(findings, "Nothing was compared.")


def _contract(run: RunManifest) -> Any:
    """What a strict run must share: everything but the panel of models."""
    contract = run.metadata.get("benchmark_contract")
    if not isinstance(contract, Mapping):
        return contract
    return {name: value for name, value in contract.items() if "panel" not in name}


def _side_by_side(left: Mapping[str, Any], right: Mapping[str, Any]) -> list[tuple[str, Any, Any]]:
    names = [*left, *(name for name in right if name not in left)]
    return [(name, left.get(name), right.get(name)) for name in names]


def _metadata(run: RunManifest) -> dict[str, Any]:
    return {name: value for name, value in run.metadata.items() if name not in _OWN}


def _facts(run: RunManifest) -> dict[str, Any]:
    """The facts of the whole run; of several imports what they agree on."""
    facts: dict[str, Any] = {}
    for entry in run.imports:
        for name, value in entry.facts.items():
            if name not in _NOT_TOLD:
                facts[name] = value if facts.get(name, value) == value else "several"
    return facts


def _names(run: RunManifest) -> dict[str, list[Mapping[str, Any]]]:
    """The facts of the tasks behind each benchmark."""
    named: dict[str, list[Mapping[str, Any]]] = {}
    for entry in run.imports:
        tasks = entry.facts.get("tasks", {})
        for file in entry.files:
            facts = tasks.get(file.task)
            if facts:
                benchmark = file.options.get("benchmark") or file.task
                named.setdefault(str(benchmark), []).append(facts)
    return named


def _task(run: RunManifest, benchmark: str) -> dict[str, Any]:
    found: Sequence[Mapping[str, Any]] = _names(run).get(benchmark, ())
    return {name: value for name, value in found[0].items() if name not in _NOT_OF_A_TASK} if found else {}


def _by_benchmark(run: RunManifest, name: str, benchmarks: Collection[str]) -> dict[str, str]:
    """A version or revision of each benchmark as text: from the run's metadata, else from the results file."""
    given = run.metadata.get("task_versions" if name == "version" else name)
    tasks = _names(run)
    found: dict[str, str] = {}
    for benchmark in sorted(benchmarks):
        value = given.get(benchmark) if isinstance(given, Mapping) else given
        if value is None:
            value = next((facts[name] for facts in tasks.get(benchmark, []) if facts.get(name) is not None), None)
        if value is not None:
            found[benchmark] = str(value)
    return found


def _metrics_used(run: RunManifest, benchmark: str) -> list[str]:
    used = [file.metrics_used.get(benchmark, {}) for file in run.files]
    return sorted({metric for filters in used for metrics in filters.values() for metric in metrics})


def _shown(value: Any) -> str:
    if value is None:
        return "nothing"
    if isinstance(value, str):
        return value
    if isinstance(value, Mapping):
        return " ".join(_shown(part) for part in value.values()) or "nothing"
    return ", ".join(map(_shown, value)) if isinstance(value, list) else str(value)
