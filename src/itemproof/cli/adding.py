"""Commands that bring logs in: add, import."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import wraps
from pathlib import Path
from typing import Any

import click

from itemproof.app.adding import Added, Gathered, add, gather, open_or_create
from itemproof.app.imports import Choices, Means, find, import_found, model_named
from itemproof.app.way_out import Candidate, WayOut, measure
from itemproof.archive.archive import Archive
from itemproof.archive.request import Imported, ImportedFile
from itemproof.archive.transaction import NewRun
from itemproof.cli.main import HELD, NOT_HELD
from itemproof.cli.options import (
    archive_of,
    command,
    lock_timeout,
    max_line_bytes,
    metadata_from,
    metadata_options,
    root_of,
    run_argument,
    warn_of_keys,
)
from itemproof.cli.output import counted, error_lines, finding_document, note, progress, show
from itemproof.core.findings import title_of

__all__ = ["add_command", "import_command"]

_PATHS = click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=Path))
_JOBS = click.option("--jobs", type=click.IntRange(min=1), help="Cores to use; all that there are unless given.")


def _choices(function: Callable[..., Any]) -> Callable[..., Any]:
    """The options that shape records; they reach the command as one `choices`."""
    options = (
        click.option("--format", "format_", default="auto", show_default=True, help="A format's name, or auto."),
        click.option(
            "--id-field",
            multiple=True,
            metavar="PATH",
            help="Field that names a question (several join), BENCHMARK=PATH for one benchmark, or auto.",
        ),
        click.option("--variant", help="The wording of every line, over what the lines say."),
        click.option("--benchmark", help="For lines that name none."),
        click.option("--language", help="For lines that name none."),
        click.option("--script", help="For lines that name none."),
        click.option("--filter", "filter_", help="For lines that name none."),
        click.option("--name-pattern", metavar="PATTERN", help='Parts of a task name: "{benchmark}_{language}".'),
        click.option("--timestamp", metavar="latest|TS", help="Which evaluation, where a task has several."),
        click.option("--as-repeats", is_flag=True, help="Keep several evaluations of a task as numbered repeats."),
        max_line_bytes,
    )

    @wraps(function)
    def gathered(**given: Any) -> Any:
        names = ("id_field", "variant", "benchmark", "language", "script", "name_pattern", "timestamp", "as_repeats")
        settings: dict[str, Any] = {name: given.pop(name) for name in (*names, "max_line_bytes")}
        settings |= {"format": given.pop("format_"), "filter": given.pop("filter_")}
        if settings["timestamp"] is not None and settings["as_repeats"]:
            raise click.UsageError("--timestamp takes one evaluation, --as-repeats keeps all: give one of them.")
        return function(choices=Choices(**settings), **given)

    wrapped: Callable[..., Any] = gathered
    for option in reversed(options):
        wrapped = option(wrapped)
    return wrapped


@command("add")
@_PATHS
@click.option("--model", help="The model of logs beside which no results file names one.")
@click.option("--keep-going", is_flag=True, help="Import the other models' logs when one is refused.")
@_choices
@_JOBS
@lock_timeout
def add_command(
    paths: tuple[Path, ...],
    model: str | None,
    choices: Choices,
    jobs: int | None,
    root: Path | None,
    lock_timeout_s: float,
    *,
    keep_going: bool,
    as_json: bool,
) -> int:
    """Find evaluation logs below PATHS, make a run for each model, and import them.

    The archive is made where there is none. The same logs again change nothing.

    Example: itemproof add out/
    """
    means = Means(jobs=jobs, lock_timeout_s=lock_timeout_s)
    gathered = gather(paths, choices, model=model, keep_going=keep_going)
    total = sum(one.samples.stat().st_size for _, part in gathered.parts for one in part.evaluations)
    archive, is_new = open_or_create(root_of(root), means)
    try:
        with progress("importing", 2 * total) as advance:
            added = add(archive, gathered, choices, keep_going=keep_going, means=replace(means, progress=advance))
    except BaseException:
        if is_new:
            archive.withdraw()
        raise
    if is_new:
        archive.withdraw()
    if is_new and added.imported:
        note(f"made an archive in {archive.root}")
    for text in (*gathered.notices, *added.notices):
        note(f"note: {text}")
    show(_added_document(added, gathered), list(_added_page(archive, added, gathered, choices)), as_json=as_json)
    return NOT_HELD if added.failed else HELD


def _added_document(added: Added, gathered: Gathered) -> dict[str, Any]:
    return {
        "runs": [_document(imported) for imported in added.imported],
        "present": added.present,
        "failed": [
            {"model": model, "findings": [finding_document(finding) for finding in error.findings]}
            for model, error in added.failed
        ],
        "not_tried": added.not_tried,
        "left_out": len(gathered.left_out),
    }


def _added_page(archive: Archive, added: Added, gathered: Gathered, choices: Choices) -> Iterator[str]:
    for imported in added.imported:
        yield from _page(archive, imported, choices)
    for run_id in added.present:
        yield f"{run_id}: holds these logs already; nothing was changed"
    for model, error in added.failed:
        yield f"{model or 'logs without a model, or of a form that is not read'}: refused, with all logs of it"
        yield from (f"  {line}" for line in error_lines(error))
    if added.not_tried:
        yield f"not tried after that: {', '.join(added.not_tried)} (--keep-going tries all)"
    if gathered.left_out:
        yield f"{counted(len(gathered.left_out), 'other file')} left out"


@command("import")
@run_argument
@_PATHS
@click.option("--create", is_flag=True, help="Make the run in the same transaction.")
@click.option("--model", help="The evaluated model, with --create; else the results file beside the logs names it.")
@metadata_options
@_choices
@_JOBS
@lock_timeout
def import_command(
    run: str,
    paths: tuple[Path, ...],
    model: str | None,
    meta: tuple[str, ...],
    metadata_file: Path | None,
    choices: Choices,
    jobs: int | None,
    root: Path | None,
    lock_timeout_s: float,
    *,
    create: bool,
    as_json: bool,
) -> int:
    """Import log files or folders into RUN: all of them or none.

    Example: itemproof import llama-8b out/llama --create
    """
    if not create and (model is not None or meta or metadata_file is not None):
        raise click.UsageError("--model, --meta and --metadata describe a new run: add --create.")
    archive = archive_of(root)
    metadata = metadata_from(meta, metadata_file)
    warn_of_keys(metadata, "run metadata")
    found = find(paths, choices)
    new = NewRun(model=model or model_named(found), metadata=metadata) if create else None
    with progress("importing", 2 * sum(one.samples.stat().st_size for one in found.evaluations)) as advance:
        means = Means(jobs=jobs, lock_timeout_s=lock_timeout_s, progress=advance)
        imported = import_found(archive, run, found, choices, create=new, means=means)
    for text in found.notices:
        note(f"note: {text}")
    show(_document(imported), list(_page(archive, imported, choices)), as_json=as_json)
    return HELD


def _document(imported: Imported) -> dict[str, Any]:
    entry = imported.entry
    return {
        "run_id": imported.run_id,
        "records": sum(file.records for file in entry.files),
        "warnings": sum(sum(file.warnings.values()) for file in entry.files),
        "notices": entry.notices,
        "imports": [
            {
                "id": entry.id,
                "file": file.name,
                "format": entry.format,
                "records": file.records,
                "run_local": file.scopes["run-local"],
                "ambiguous": file.scopes["ambiguous"],
            }
            for file in entry.files
        ],
        "reproduced": entry.reproduced or {"agree": 0, "differ": []},
    }


def _page(archive: Archive, imported: Imported, choices: Choices) -> Iterator[str]:
    entry = imported.entry
    records = sum(file.records for file in entry.files)
    why = imported.files[0].why
    made = f"{counted(records, 'record')} of {counted(len(entry.files), 'file')}"
    yield f"{imported.run_id}: {made} ({entry.format}: {why})"
    for file in imported.files:
        yield from _file_lines(archive, file, choices)
    yield from _reproduced(entry.reproduced)
    warnings: dict[str, int] = {}
    for one in entry.files:
        for code, count in one.warnings.items():
            warnings[code] = warnings.get(code, 0) + count
    for code, count in sorted(warnings.items()):
        yield f"  warning {code} on {counted(count, 'record')}: {title_of(code)}"
    yield from (f"  note: {text}" for text in entry.notices)


def _file_lines(archive: Archive, file: ImportedFile, choices: Choices) -> Iterator[str]:
    tally = file.tally
    if not tally.run_local:
        return
    name = file.source.task or file.source.path.name
    if tally.run_local < file.normalised.records:
        yield f"  {name}: {tally.run_local:,} of {file.normalised.records:,} records are run-local."
        return
    is_log = not choices.id_field and file.adapter.name == "harness"
    way = measure(archive.root / file.raw_path, name=file.source.path.name) if is_log else None
    if way is not None and way.lines:
        yield from _way_out(name, way)
        return
    yield f"  {name}: {counted(tally.run_local, 'record')} run-local: counted in summaries, not in pairs."
    if not choices.id_field:
        yield "    To pair: write a question_id into each line, or name the field that holds one with --id-field."


def _way_out(name: str, way: WayOut) -> Iterator[str]:
    by = counted(way.documents, "doc") + (f" x {way.filters} filters" if way.filters > 1 else "")
    yield f"  {name}   {by}   run-local: these docs carry no id. They count in summaries, not in pairs."
    ways = [*([way.nearly] if way.nearly else []), *way.candidates]
    names = [f"--id-field {one.field} ({_measured(one, way)})" for one in ways[:3]]
    if names:
        yield f"    To pair: import into a new run with {' or '.join(names)}. Nothing is lost."
        if way.nearly:
            yield "    By doc_hash, documents that are equal stay run-local: nothing tells their questions apart."
    else:
        yield "    No field of theirs is there and unique on every line; write an id into the logs to pair them."


def _measured(one: Candidate, way: WayOut) -> str:
    """How much of a file a field would name, as far as that was measured."""
    if one.unique < way.lines:
        of = "" if way.is_whole else "the first "
        lines = " lines" if way.filters > 1 else ""
        found = f"{one.unique:,} of {of}{way.lines:,}{lines} unique"
    elif way.is_whole:
        found = f"unique {way.documents:,} of {way.documents:,}"
    else:
        found = f"unique in the first {way.documents:,}"
    return f"verified, {found}" if one.field == "doc_hash" else found


def _reproduced(reproduced: dict[str, Any] | None) -> Iterator[str]:
    if reproduced is None:
        return
    agree, differ = reproduced["agree"], reproduced["differ"]
    if agree or differ:
        others = reproduced.get("unchecked", 0)
        aside = f" ({counted(others, 'other value')} no mean of lines, so not checked)" if others else ""
        yield f"  harness's own table reproduced: {agree} of {counted(agree + len(differ), 'mean')}{aside}"
    for one in differ:
        yield (
            f"    {one['task']} {one['metric']},{one['filter']}: "
            f"the lines give {one['lines']:.6g}, the table says {one['table']:.6g}"
        )
