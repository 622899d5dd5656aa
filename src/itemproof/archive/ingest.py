"""Files into a run: every file copied, normalised and checked, then one commit, or nothing.

Everything after the raw copy reads that copy. Faults of all files are collected before the batch is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Final

import msgspec

from itemproof.adapters.base import Adapter, FileContext
from itemproof.adapters.registry import detect, is_builtin
from itemproof.archive.archive import Archive
from itemproof.archive.attach import stage_attachments
from itemproof.archive.decisions import normalise_file, pieces_by_blocks
from itemproof.archive.duplicates import KeyedFile, Place, SlimRecord, count_duplicates, find_duplicates, keys_of
from itemproof.archive.normalise import Piece, Sink, Work
from itemproof.archive.raw import RawCopy, copy_raw
from itemproof.archive.request import Conclusion, Imported, ImportedFile, Request, SourceFile, Standing
from itemproof.archive.stored import stored_records
from itemproof.archive.transaction import Change, Staged
from itemproof.archive.workers import can_fork, pieces_by_many, pieces_by_one, usable_cores
from itemproof.core.clock import Clock, system_clock, utc_text
from itemproof.core.errors import InvalidInput, invalid
from itemproof.core.findings import SHOWN, Code, Finding, Findings
from itemproof.core.where import Where
from itemproof.files.jsonl import first_line, is_compressed
from itemproof.records.manifest import FileEntry, ImportEntry, RunManifest
from itemproof.records.record import Key

__all__ = ["import_files"]

TWICE: Final = Code("I003", "one identity stands in two records")
MIXED: Final = Code("W020", "the files of one import have different formats")
SAME_BYTES: Final = Code("W027", "a file's bytes are in the run already")
NOTHING_GIVEN: Final = Code("W021", "an import names no file")

#: Below this a file is done before workers would have started.
_WORTH_FORKING_BYTES: Final = 8 << 20


@dataclass(frozen=True, slots=True, kw_only=True)
class _Means:
    """How the work is done, apart from what it is."""

    jobs: int
    progress: Callable[[int], None]


def import_files(
    archive: Archive,
    request: Request,
    *,
    jobs: int | None = None,
    clock: Clock = system_clock,
    lock_timeout_s: float = 10.0,
    progress: Callable[[int], None] = lambda _: None,
) -> Imported:
    """The files' records stand in the run, committed at once; after any fault the archive is as it was.

    Args:
        archive: The archive.
        request: What to import.
        jobs: How many cores to use; None takes all that there are. The bytes are the same for every number.
        clock: For the entry's time stamp.
        lock_timeout_s: How long to wait for another writer.
        progress: Told how many bytes more are done; each byte counts once when copied and once when normalised.

    Raises:
        InvalidInput: A file breaks a rule; all findings are collected (contract, validation and missing values).
        Refused: The run is sealed, or another writer holds the archive.
        Unavailable: The disk did not take it.
    """
    means = _Means(jobs=jobs or usable_cores(), progress=progress)
    try:
        with (
            archive.write(lock_timeout_s=lock_timeout_s, clock=clock, command="import") as writer,
            writer.change(request.run_id, create=request.create) as change,
        ):
            return _imported(archive, change, request, means, utc_text(clock()))
    except InvalidInput as error:
        raise InvalidInput(error.findings, error.outcome or "Nothing was imported.") from error


def _imported(archive: Archive, change: Change, request: Request, means: _Means, timestamp: str) -> Imported:
    if not request.sources:
        raise invalid(NOTHING_GIVEN, "no file was named.")
    pairs = _import_each(change, request, means)
    files = [file for file, _ in pairs]
    _refuse_same_bytes(change, files)
    _refuse_mixed(files)
    _refuse_twice(archive, change, files, [staged for _, staged in pairs])
    conclusion = request.conclude(files, Standing(model=change.manifest.model, metadata=change.manifest.metadata))
    for file in files:
        file.raw.wait()
    entry = _committed(request, change, pairs, conclusion, timestamp)
    return Imported(run_id=request.run_id, entry=entry, files=files)


def _import_each(change: Change, request: Request, means: _Means) -> list[tuple[ImportedFile, tuple[Staged, Staged]]]:
    """Every file, staged and normalised; the faults of all of them are raised together."""
    findings = Findings()
    pairs = []
    for source in request.sources:
        try:
            file, staged = _import_file(change, request, source, means)
            findings.extend(file.normalised.findings)
            pairs.append((file, staged))
        except InvalidInput as error:
            findings.extend(error.findings)
    if findings:
        raise InvalidInput(findings)
    return pairs


def _import_file(
    change: Change, request: Request, source: SourceFile, means: _Means
) -> tuple[ImportedFile, tuple[Staged, Staged]]:
    staged = change.stage("raw", source.path.name)
    raw = copy_raw(source.path, staged.path, progress=means.progress)
    adapter, why = _adapter(request, source, raw)
    records = change.stage_records(staged)
    context = FileContext(
        run_id=request.run_id,
        model=change.manifest.model,
        metadata=change.manifest.metadata,
        name=source.path.name,
        task=source.task,
        raw_path=staged.stored,
        raw_sha256=raw.sha256,
        options=source.options,
        results=source.results,
    )
    work = Work(
        adapter=adapter,
        context=context,
        shown=str(source.path),
        raw=raw.path,
        max_line_bytes=request.max_line_bytes,
        check=not is_builtin(adapter),
    )
    normalised = normalise_file(
        work, records.path, lambda work, sink: _watched(_pieces(work, raw, means.jobs, sink), raw, means.progress)
    )
    file = ImportedFile(source=source, adapter=adapter, why=why, raw=raw, raw_path=staged.stored, normalised=normalised)
    return file, (staged, records)


def _adapter(request: Request, source: SourceFile, raw: RawCopy) -> tuple[Adapter, str]:
    if request.adapter is not None:
        return request.adapter, "as asked for"
    shown = str(source.path)
    number, line = first_line(raw.path, name=shown, max_line_bytes=request.max_line_bytes)
    return detect(line, where=Where(file=shown, line=number))


def _pieces(work: Work, raw: RawCopy, jobs: int, sink: Sink) -> Iterator[Piece]:
    """The pieces of a file: of a plain one by stretches, of a compressed one as it unfolds."""
    if is_compressed(raw.path, name=work.shown):
        yield from pieces_by_blocks(work, sink)
    elif jobs > 1 and raw.size_bytes >= _WORTH_FORKING_BYTES and can_fork():
        yield from pieces_by_many(work, raw.stretches, jobs, sink)
    else:
        yield from pieces_by_one(work, raw.stretches, sink)


def _refuse_same_bytes(change: Change, files: Sequence[ImportedFile]) -> None:
    """Refuses bytes that the run holds already; equal bytes may be another repeat or another filter of an old log."""
    held = {
        (file.raw_sha256, file.options.get("repeat_id"), file.options.get("filter")): f"{entry.id} as {file.raw_path}"
        for entry in change.manifest.imports
        for file in entry.files
    }
    findings = Findings()
    for file in files:
        place = (file.raw.sha256, file.source.options.repeat_id, file.source.options.filter)
        if place in held:
            text = (
                f"these bytes are in the run already, by {held[place]}. Nothing is counted twice: to read them with "
                "other options, make another run of them, or discard this one first."
            )
            findings.add(Finding(SAME_BYTES, text, Where(file=str(file.source.path))))
        held.setdefault(place, f"this import as {file.source.path}")
    if findings:
        raise InvalidInput(findings)


def _refuse_mixed(files: Sequence[ImportedFile]) -> None:
    first = files[0]
    for file in files:
        if file.adapter.name != first.adapter.name:
            text = (
                f"found the format {file.adapter.name} beside {first.adapter.name} in {first.source.path}; "
                "import each format on its own, or name one with --format."
            )
            raise invalid(MIXED, text, Where(file=str(file.source.path)))


def _refuse_twice(
    archive: Archive, change: Change, files: Sequence[ImportedFile], staged: Sequence[tuple[Staged, Staged]]
) -> None:
    """Refuses the batch if one identity stands in two records, be it of this batch or of an earlier import."""
    layout, decode = archive.layout, msgspec.json.Decoder(SlimRecord).decode
    keyed = [
        KeyedFile(
            layout.stored(file.records_path),
            keys_of(stored_records(layout, file, decode)),
        )
        for file in change.manifest.files
    ]
    keyed += [KeyedFile(pair[1].path, file.normalised.keys) for file, pair in zip(files, staged, strict=True)]
    shown = {file.raw_path: str(file.source.path) for file in files}
    findings = Findings()
    for key, places in find_duplicates(keyed):
        findings.add(_twice(key, places, shown))
        if len(findings) == SHOWN:
            break
    if findings:
        findings.count = max(findings.count, count_duplicates(keyed))
        raise InvalidInput(findings)


def _twice(key: Key, places: Sequence[Place], shown: Mapping[str, str]) -> Finding:
    *others, last = places
    other = others[-1]
    first = f"{shown.get(other.raw_path, other.raw_path)}:{other.raw_line}"
    text = (
        f"found the question {key.question_id!r} of {key.benchmark} (filter {key.filter}, variant {key.variant_id}, "
        f"repeat {key.repeat_id}) again; it stands in {first} already. One question may have one record a filter, "
        "variant and repeat: give deliberate repeats a repeat_id, else remove one."
    )
    return Finding(TWICE, text, Where(file=shown.get(last.raw_path, last.raw_path), line=last.raw_line))


def _committed(
    request: Request,
    change: Change,
    pairs: Sequence[tuple[ImportedFile, tuple[Staged, Staged]]],
    conclusion: Conclusion,
    timestamp: str,
) -> ImportEntry:
    """The import stands in the run's manifest, with its files and attachments."""
    manifest = change.manifest
    attached = stage_attachments(change, request.attachments)
    stored = {path: attachment.path for path, attachment in attached.of.items()}
    entry = _entry(
        request,
        manifest,
        pairs[0][0].adapter,
        [_file_entry(file, *staged, stored=stored) for file, staged in pairs],
        conclusion,
        timestamp,
    )
    change.commit(
        msgspec.structs.replace(
            manifest,
            metadata={**manifest.metadata, **conclusion.metadata},
            imports=[*manifest.imports, entry],
            attachments=[*manifest.attachments, *attached.added],
        )
    )
    return entry


def _entry(
    request: Request,
    manifest: RunManifest,
    adapter: Adapter,
    files: list[FileEntry],
    conclusion: Conclusion,
    timestamp: str,
) -> ImportEntry:
    options = request.sources[0].options
    return ImportEntry(
        id=f"import-{len(manifest.imports) + 1:04d}",
        timestamp=timestamp,
        format=adapter.name,
        normaliser_version=adapter.version,
        variant=request.variant,
        id_selection=list(options.ids.given),
        options=dict(request.options),
        facts=conclusion.facts,
        reproduced=conclusion.reproduced,
        notices=conclusion.notices,
        files=files,
        metadata=manifest.metadata,
    )


def _file_entry(file: ImportedFile, raw: Staged, records: Staged, *, stored: Mapping[Path, str]) -> FileEntry:
    done, tally = file.normalised, file.tally
    used: dict[str, dict[str, list[str]]] = {}
    for benchmark, filter_, metric in sorted(tally.populated):
        used.setdefault(benchmark, {}).setdefault(filter_, []).append(metric)
    return FileEntry(
        name=raw.name,
        raw_path=raw.stored,
        raw_bytes=file.raw.size_bytes,
        raw_sha256=file.raw.sha256,
        records_path=records.stored,
        records_bytes=done.size_bytes,
        records_sha256=done.sha256,
        longest_record_bytes=done.longest,
        lines=done.lines,
        records=done.records,
        scopes={"stable": tally.stable, "run-local": tally.run_local, "ambiguous": tally.ambiguous},
        warnings=dict(sorted(tally.warnings.items())),
        metrics_used=used,
        task=file.source.task,
        options=file.source.options.recorded(),
        results_path=None if file.source.results_path is None else stored[file.source.results_path],
    )


def _watched(pieces: Iterator[Piece], raw: RawCopy, progress: Callable[[int], None]) -> Iterator[Piece]:
    """The pieces, with each one's share of the raw bytes reported as it goes by."""
    due = chain((stretch.size_bytes for stretch in raw.stretches), iter(int, 1))
    for piece, size in zip(pieces, due, strict=False):
        yield piece
        progress(size)
