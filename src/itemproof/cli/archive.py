"""Commands that make and change an archive: init, create-run, attach, seal, discard, recover."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import click

from itemproof.archive.archive import Archive
from itemproof.archive.attach import attach
from itemproof.archive.discard import discard
from itemproof.archive.recover import recover
from itemproof.archive.seal import DAMAGE, seal
from itemproof.cli.main import HELD, NOT_HELD
from itemproof.cli.options import (
    archive_of,
    command,
    lock_timeout,
    metadata_from,
    metadata_options,
    root_of,
    run_argument,
    text_of,
    warn_of_keys,
)
from itemproof.cli.output import counted, progress, show, show_error
from itemproof.core.errors import Refused

__all__ = ["attach_command", "create_run_command", "discard_command", "init_command", "recover_command", "seal_command"]


@command("init", short_help="Make an archive.")
@lock_timeout
def init_command(root: Path | None, lock_timeout_s: float, *, as_json: bool) -> None:
    """Make an archive in --root or here; in a restored archive, make its working folders again.

    Example: itemproof --root results init
    """
    archive = Archive.create(root_of(root) or Path(), lock_timeout_s=lock_timeout_s)
    document = {"root": str(archive.root), "archive_id": archive.marker.archive_id}
    show(document, [f"archive {archive.root}"], as_json=as_json)


@command("create-run")
@run_argument
@click.option("--model", required=True, help="The evaluated model.")
@metadata_options
@lock_timeout
def create_run_command(
    run: str,
    model: str,
    meta: tuple[str, ...],
    metadata_file: Path | None,
    root: Path | None,
    lock_timeout_s: float,
    *,
    as_json: bool,
) -> None:
    """Make an open run that `import` can fill.

    Example: itemproof create-run llama-8b --model meta-llama/Llama-3.1-8B --meta dataset_revision=abc123
    """
    metadata = metadata_from(meta, metadata_file)
    warn_of_keys(metadata, "run metadata")
    with archive_of(root).write(lock_timeout_s=lock_timeout_s, command="create-run") as writer:
        manifest = writer.create_run(run, model, metadata)
    document = {"run_id": manifest.run_id, "status": manifest.status, "model": manifest.model, "records": 0}
    show(document, [f"run {manifest.run_id} is open (model {manifest.model})"], as_json=as_json)


@command("attach")
@run_argument
@click.argument("paths", nargs=-1, required=True, type=click.Path(exists=True, dir_okay=False, path_type=Path))
@lock_timeout
def attach_command(
    run: str, paths: tuple[Path, ...], root: Path | None, lock_timeout_s: float, *, as_json: bool
) -> None:
    """Keep files beside an open run, byte for byte, without reading them.

    Example: itemproof attach llama-8b config.yaml server.log
    """
    archive = archive_of(root)
    for path in paths:
        warn_of_keys(text_of(path), f"the file {path}")
    total_bytes = 0
    with suppress(OSError):  # who cannot be looked at is named by the attaching itself
        total_bytes = sum(path.stat().st_size for path in paths)
    with progress("attaching", total_bytes) as advance:
        attached = attach(archive, run, paths, lock_timeout_s=lock_timeout_s, progress=advance)
    document = {
        "run_id": run,
        "attached": [{"name": one.name, "path": one.path, "bytes": one.bytes} for one in attached.added],
        "present": [one.path for one in attached.present],
    }
    lines = [f"attached {one.path} ({one.bytes:,} bytes)" for one in attached.added]
    lines += [f"already there: {one.path}" for one in attached.present]
    show(document, lines, as_json=as_json)


@command("seal")
@run_argument
@lock_timeout
def seal_command(run: str, root: Path | None, lock_timeout_s: float, *, as_json: bool) -> int:
    """Close a run for ever: its bytes are checked once more, and its digest is what others can pin.

    Example: itemproof seal llama-8b
    """
    archive = archive_of(root)
    manifest = archive.run(run).manifest
    warn_of_keys(manifest.metadata, "run metadata")
    try:
        with progress("sealing", sum(file.size_bytes for file in manifest.registered)) as advance:
            sealed = seal(archive, run, lock_timeout_s=lock_timeout_s, progress=advance)
    except Refused as error:
        if error.code not in DAMAGE:
            raise
        show_error(error, as_json=as_json, exit_code=NOT_HELD)
        return NOT_HELD
    document = {"run_id": run, "status": sealed.status, "records": sealed.records, "digest": sealed.digest}
    show(document, [f"sealed {run}: {counted(sealed.records, 'record')}, digest {sealed.digest}"], as_json=as_json)
    return HELD


@command("discard")
@run_argument
@click.option("--purge", is_flag=True, help="Erase the run, and what earlier discards of it kept.")
@lock_timeout
def discard_command(run: str, root: Path | None, lock_timeout_s: float, *, purge: bool, as_json: bool) -> None:
    """Take an open run out of the archive; it is kept in the working folder until it is purged.

    Example: itemproof discard failed-run
    """
    discarded = discard(archive_of(root), run, purge=purge, lock_timeout_s=lock_timeout_s)
    kept = str(discarded.kept_in) if discarded.kept_in is not None else None
    text = f"discarded {run}; kept in {kept}" if kept else f"erased {run} ({discarded.erased} in all)"
    show({"run_id": run, "kept_in": kept, "erased": discarded.erased}, [text], as_json=as_json)


@command("recover")
@lock_timeout
def recover_command(root: Path | None, lock_timeout_s: float, *, as_json: bool) -> None:
    """Finish or undo what a writer that died left behind; every writing command does it first, too.

    Example: itemproof recover
    """
    settled = recover(archive_of(root), lock_timeout_s=lock_timeout_s)
    rows = [
        {"run_id": one.run_id, "command": one.command, "began_at": one.began_at, "outcome": one.outcome}
        for one in settled
    ]
    lines = [f"{one.outcome}: {one.command} of {one.run_id}, begun {one.began_at}" for one in settled]
    show({"settled": rows}, lines or ["nothing was left behind"], as_json=as_json)
