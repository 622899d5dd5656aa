"""Commands that read an archive and change nothing: list, show, summary, validate."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from itemproof.app.summary import summarise
from itemproof.archive.archive import Archive
from itemproof.archive.layout import Layout
from itemproof.archive.rederive import Rederiver
from itemproof.archive.validate import Validation, validate
from itemproof.cli.main import HELD, NOT_HELD
from itemproof.cli.options import archive_folder, archive_of, command, records_bytes, run_argument
from itemproof.cli.output import Page, Table, counted, error_lines, finding_document, note, progress, show
from itemproof.core.errors import ItemproofError
from itemproof.files.strict_json import dumps, loads
from itemproof.records.manifest import RunManifest, encode

__all__ = ["list_command", "show_command", "summary_command", "validate_command"]


@command("list")
@click.argument("what", type=click.Choice(["runs"]), default="runs")
@click.option("--ids", is_flag=True, help="Only the ids, one a line.")
def list_command(what: str, root: Path | None, *, ids: bool, as_json: bool) -> int:
    """List the runs of an archive; one whose manifest cannot be read is named beside them.

    Example: itemproof list
    """
    del what
    manifests, broken = _manifests(archive_of(root))
    rows = [
        {"run_id": one.run_id, "status": one.status, "model": one.model, "records": one.records} for one in manifests
    ]
    page: Page
    if ids:
        page = [one.run_id for one in manifests]
    elif rows:
        cells = [(one.run_id, one.status, one.model, f"{one.records:,}") for one in manifests]
        page = [Table(("run", "status", "model", "records"), cells, frozenset({3}))]
    else:
        page = [] if broken else ["no runs; `itemproof add` brings logs in"]
    unread = [
        {"run_id": run_id, "findings": [finding_document(finding) for finding in error.findings]}
        for run_id, error in broken
    ]
    show({"runs": rows, "broken": unread}, page, as_json=as_json)
    for run_id, error in () if as_json else broken:
        note(f"{run_id} cannot be listed:", *(f"  {line}" for line in error_lines(error)))
    return NOT_HELD if broken else HELD


def _manifests(archive: Archive) -> tuple[list[RunManifest], list[tuple[str, ItemproofError]]]:
    """The manifests of all runs, and why others cannot be read."""
    manifests, broken = [], []
    for run_id in archive.run_ids():
        try:
            manifests.append(archive.run(run_id).manifest)
        except ItemproofError as error:
            broken.append((run_id, error))
    return manifests, broken


@command("show")
@run_argument
def show_command(run: str, root: Path | None, *, as_json: bool) -> None:
    """Show what a run holds.

    Example: itemproof show llama-8b
    """
    manifest = archive_of(root).run(run).manifest
    document: dict[str, Any] = {**loads(encode(manifest)), "records": manifest.records, "status": manifest.status}
    show(document, _run_page(manifest), as_json=as_json)


def _run_page(manifest: RunManifest) -> Page:
    lines: list[str | Table] = [
        f"run      {manifest.run_id}",
        f"status   {manifest.status}" + (f" since {manifest.sealed_at}" if manifest.sealed_at else ""),
        f"model    {manifest.model}",
        f"created  {manifest.created_at}",
        f"records  {manifest.records:,}",
    ]
    if manifest.digest:
        lines.append(f"digest   {manifest.digest}")
    lines += [f"meta     {key} = {_short(value)}" for key, value in manifest.metadata.items()]
    cells = [
        (entry.id, entry.format, file.name, f"{file.records:,}", f"{file.scopes.get('run-local', 0):,}", file.raw_path)
        for entry in manifest.imports
        for file in entry.files
    ]
    if cells:
        header = ("import", "format", "file", "records", "run-local", "raw")
        lines += ["", Table(header, cells, frozenset({3, 4}))]
    if manifest.attachments:
        attached = [(one.name, f"{one.bytes:,}", one.path) for one in manifest.attachments]
        lines += ["", Table(("attachment", "bytes", "stored as"), attached, frozenset({1}))]
    return lines


def _short(value: Any) -> str:
    text = value if isinstance(value, str) else dumps(value).decode()
    return text if len(text) <= 100 else text[:99] + "…"


@command("summary")
@run_argument
@click.option("--benchmark", help="Only this benchmark.")
@click.option("--language", help="Only this language.")
@click.option("--variant", help="Only this wording.")
@click.option("--filter", "filter_", help="Only this filter.")
@click.option("--level", type=click.FloatRange(0.5, 0.9999), default=0.95, show_default=True, help="Of the intervals.")
def summary_command(
    run: str,
    benchmark: str | None,
    language: str | None,
    variant: str | None,
    filter_: str | None,
    level: float,
    root: Path | None,
    *,
    as_json: bool,
) -> None:
    """Accuracy and metric means of a run by benchmark, language, variant and filter, with intervals.

    Example: itemproof summary llama-8b
    """
    archive = archive_of(root)
    chosen = {"benchmark": benchmark, "language": language, "variant": variant, "filter": filter_}
    with progress("counting", records_bytes(archive, run)) as advance:
        summary = summarise(archive, run, **chosen, level=level, progress=advance)
    page = summary.page()
    heading = f"{summary.run_id} ({summary.model})"
    show(summary.to_dict(), [heading, "", Table(page.header, page.rows, page.right), *page.notes], as_json=as_json)


@command("validate")
@click.argument("runs", nargs=-1)
@click.option("--deep", is_flag=True, help="Also make the records again from the raw files, and compare.")
@click.option("--jobs", type=click.IntRange(min=1), help="Cores to use; all that there are unless given.")
def validate_command(runs: tuple[str, ...], jobs: int | None, root: Path | None, *, deep: bool, as_json: bool) -> int:
    """Check that an archive, or the RUNS named, is what its manifests say. Changes nothing, needs no lock.

    Example: itemproof validate --deep
    """
    folder = archive_folder(root)
    rederiver = Rederiver(Layout(folder)) if deep else None
    with progress("validating", _registered_bytes(folder)) as advance:
        validation = validate(folder, runs, jobs=jobs, progress=advance, renormalise=rederiver)
    document = {
        "ok": validation.ok,
        "checked": asdict(validation.checked),
        "findings": [finding_document(finding) for finding in validation.findings],
        "notes": [finding_document(finding) for finding in validation.notes],
    }
    show(document, _validation_page(validation), as_json=as_json)
    return HELD if validation.ok else NOT_HELD


def _registered_bytes(folder: Path) -> int:
    """About how much there is to read, for the bar; what cannot be looked at counts nothing."""
    found = 0
    with suppress(OSError):
        for path in folder.glob("runs/*/*/*"):
            with suppress(OSError):
                found += path.stat().st_size
    return found


def _validation_page(validation: Validation) -> Page:
    checked = validation.checked
    lines = [str(finding) for finding in validation.findings]
    lines += [f"note: {finding}" for finding in validation.notes]
    lines.append(
        f"checked {counted(checked.runs, 'run')}, {counted(checked.files, 'file')}, "
        f"{counted(checked.records, 'record')}, {counted(checked.attachments, 'attachment')}, "
        f"{counted(checked.bytes, 'byte')}"
    )
    if validation.ok:
        lines.append("intact: every byte is what was registered (not a statement that scores are right)")
    else:
        lines.append(f"not intact: {counted(len(validation.findings), 'finding')}")
    return lines
