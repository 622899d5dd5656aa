"""Log files and folders into a run: what belongs together is found, options are applied, facts of the runs are kept."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from itemproof.adapters.base import Adapter, Options
from itemproof.adapters.harness_choice import choose
from itemproof.adapters.harness_folder import Discovery, Evaluation, discover, passed_over
from itemproof.adapters.harness_pattern import NamePattern, name_pattern
from itemproof.adapters.registry import adapter
from itemproof.app.conclusion import conclude
from itemproof.archive.archive import Archive
from itemproof.archive.ingest import import_files
from itemproof.archive.layout import is_stored
from itemproof.archive.request import Imported, Request, SourceFile
from itemproof.archive.transaction import NewRun
from itemproof.core.clock import Clock, system_clock
from itemproof.core.errors import InvalidInput, invalid
from itemproof.core.findings import Code
from itemproof.core.where import Where
from itemproof.files.jsonl import MAX_LINE_BYTES
from itemproof.records.identity import parse_id_selection

__all__ = [
    "AUTO_FORMAT",
    "NOTHING_IMPORTED",
    "NO_MODEL",
    "Choices",
    "Found",
    "Means",
    "chosen",
    "discover_some",
    "find",
    "found_of",
    "import_found",
    "model_named",
    "nameless",
]

NOTHING_FOUND: Final = Code("W022", "no log was found")
NO_MODEL: Final = Code("W023", "nothing names the model")
BLANK: Final = Code("W025", "an option is blank")
SEVERAL_MODELS: Final = Code("W024", "the logs of one import are of several models")

NOTHING_IMPORTED: Final = "Nothing was imported."
#: The value of `--format` that decides by each file's first record.
AUTO_FORMAT: Final = "auto"


@dataclass(frozen=True, slots=True, kw_only=True)
class Choices:
    """What the user said about the logs.

    Attributes:
        format: An adapter's name, or `auto`.
        id_field: The values of `--id-field`.
        variant: Overrides the lines' own.
        benchmark: For lines that name none.
        language: For lines that name none.
        script: For lines that name none.
        filter: For lines that name none.
        name_pattern: Asserts what the parts of a task's name mean.
        timestamp: `latest` or a time stamp, where a task was evaluated more than once.
        as_repeats: Keeps those evaluations as numbered repeats.
        max_line_bytes: Longer lines are refused.

    Raises:
        InvalidInput: A text is blank (W025).
    """

    format: str = AUTO_FORMAT
    id_field: tuple[str, ...] = ()
    variant: str | None = None
    benchmark: str | None = None
    language: str | None = None
    script: str | None = None
    filter: str | None = None
    name_pattern: str | None = None
    timestamp: str | None = None
    as_repeats: bool = False
    max_line_bytes: int = MAX_LINE_BYTES

    def __post_init__(self) -> None:
        names = ("format", "variant", "benchmark", "language", "script", "filter", "name_pattern", "timestamp")
        for name in names:
            value = getattr(self, name)
            if value is not None and not value.strip():
                raise invalid(BLANK, f"--{name.replace('_', '-')} is blank; leave it out, or say what it is.")

    def recorded(self) -> dict[str, Any]:
        """The choices that were made, by name, for the manifest; format, variant and id fields stand there anyway."""
        names = ("benchmark", "language", "script", "filter", "name_pattern", "timestamp", "as_repeats")
        return {name: value for name in names if (value := getattr(self, name)) not in (None, False)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Means:
    """How the work is done, apart from what it is."""

    jobs: int | None = None
    clock: Clock = system_clock
    lock_timeout_s: float = 10.0
    progress: Callable[[int], None] = field(default=lambda _: None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """The evaluations to import.

    Attributes:
        evaluations: One for each task and model, or numbered repeats of it.
        left_out: Files in folders that are no logs.
        notices: What there is to say about what was found.
    """

    evaluations: Sequence[Evaluation]
    left_out: Sequence[Path]
    notices: Sequence[str]


def find(paths: Sequence[Path], choices: Choices) -> Found:
    """The evaluations below some paths.

    Raises:
        InvalidInput: A path leads nowhere, a log has a form that is not read, a task was evaluated more than once
            without a choice, or there is no log at all (W022).
        Unavailable: A folder or file cannot be read.
    """
    discovery = discover_some(paths)
    if discovery.refused:
        raise InvalidInput(discovery.refused, NOTHING_IMPORTED)
    return found_of(discovery, chosen(discovery.evaluations, choices))


def discover_some(paths: Sequence[Path]) -> Discovery:
    """What lies below some paths, of which at least something is a log; the copies in an archive are none.

    Raises:
        InvalidInput: A path leads nowhere, or there is no log at all (W022).
        Unavailable: A folder or file cannot be read.
    """
    discovery = discover(paths)
    given = set(paths)
    discovery.evaluations = [
        one for one in discovery.evaluations if one.samples in given or not is_stored(one.samples.absolute())
    ]
    if not discovery.evaluations and not discovery.refused:
        raise _nothing_found(paths, discovery)
    return discovery


def chosen(evaluations: Sequence[Evaluation], choices: Choices) -> list[Evaluation]:
    """One evaluation for each task and model, or numbered repeats, as the user chose.

    Raises:
        InvalidInput: A task was evaluated more than once without a choice (H022), or none has the time stamp (H023).
    """
    return choose(evaluations, timestamp=choices.timestamp, as_repeats=choices.as_repeats)


def found_of(discovery: Discovery, evaluations: Sequence[Evaluation]) -> Found:
    """Some evaluations of a discovery, with what there is to say of it."""
    return Found(evaluations=evaluations, left_out=discovery.left_out, notices=discovery.notices)


def _nothing_found(paths: Sequence[Path], discovery: Discovery) -> InvalidInput:
    places = ", ".join(map(str, paths))
    if discovery.results and not discovery.left_out:
        text = (
            f"{places} is the results file of an evaluation, which holds no answers; name the samples_*.jsonl beside "
            "it, or the folder, and it is read with them."
        )
        return invalid(NOTHING_FOUND, text, outcome=NOTHING_IMPORTED)
    text = (
        f"found no log in {places} ({len(discovery.left_out):,} other files). In a folder a log is a samples_*.jsonl "
        "of lm-evaluation-harness (--log_samples); name files of other formats one by one."
    )
    return invalid(NOTHING_FOUND, text, outcome=NOTHING_IMPORTED)


def model_named(found: Found) -> str:
    """The one model that the results files name.

    Raises:
        InvalidInput: None names one (W023), or they name several (W024).
    """
    models = sorted({one.model for one in found.evaluations if one.model is not None})
    if len(models) == 1:
        return models[0]
    if models:
        text = (
            f"found {len(models)} models: {', '.join(models)}. A run holds one; `itemproof add` makes a run for each."
        )
        raise invalid(SEVERAL_MODELS, text, outcome=NOTHING_IMPORTED)
    raise nameless(found.evaluations)


def nameless(evaluations: Sequence[Evaluation]) -> InvalidInput:
    """That nothing names the model of some evaluations (W023), with the results files beside them that do not.

    Raises:
        Unavailable: The disk did not give one.
    """
    first = evaluations[0]
    seen = passed_over(first)
    found = f"beside it {'; '.join(seen)}" if seen else "no results file lies beside it"
    text = f"{found}, so nothing names the model; name it with --model."
    return invalid(NO_MODEL, text, Where(file=str(first.samples)), outcome=NOTHING_IMPORTED)


def import_found(
    archive: Archive, run_id: str, found: Found, choices: Choices, *, create: NewRun | None, means: Means
) -> Imported:
    """The evaluations' records stand in the run, with the results files beside them; all of them or none.

    Raises:
        InvalidInput: A file breaks a rule, or contradicts the run.
        Refused: The run is sealed, exists although it was to be created, or another writer holds the archive.
        Unavailable: The disk did not take it.
    """
    format_: Adapter | None = None if choices.format == AUTO_FORMAT else adapter(choices.format)
    pattern = None if choices.name_pattern is None else name_pattern(choices.name_pattern)
    request = Request(
        run_id=run_id,
        sources=[_source(one, choices, pattern) for one in found.evaluations],
        create=create,
        adapter=format_,
        attachments=list(dict.fromkeys(one.results for one in found.evaluations if one.results is not None)),
        options=choices.recorded(),
        variant=choices.variant,
        conclude=lambda files, run: conclude(files, run, notices=found.notices),
        max_line_bytes=choices.max_line_bytes,
    )
    return import_files(
        archive,
        request,
        jobs=means.jobs,
        clock=means.clock,
        lock_timeout_s=means.lock_timeout_s,
        progress=means.progress,
    )


def _source(evaluation: Evaluation, choices: Choices, pattern: NamePattern | None) -> SourceFile:
    asserted: Mapping[str, str] = {}
    if pattern is not None:
        asserted = pattern.read(evaluation.task or evaluation.samples.name)
    options = Options(
        ids=parse_id_selection(choices.id_field),
        variant=choices.variant or asserted.get("variant"),
        benchmark=choices.benchmark or asserted.get("benchmark"),
        language=choices.language or asserted.get("language"),
        script=choices.script or asserted.get("script"),
        filter=choices.filter,
        repeat_id=evaluation.repeat_id,
    )
    return SourceFile(
        path=evaluation.samples,
        options=options,
        task=evaluation.task,
        results=evaluation.results_data,
        results_path=evaluation.results,
    )
