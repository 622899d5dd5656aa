"""Commands that write files for other programs: export, convert."""

from __future__ import annotations

from pathlib import Path

import click

from itemproof.app.exports import FORMATS, export
from itemproof.cli.options import archive_of, command, max_line_bytes, records_bytes, run_argument
from itemproof.cli.output import counted, note, progress, show
from itemproof.files.convert import convert

__all__ = ["convert_command", "export_command"]

_OUTPUT = click.option(
    "-o", "--output", "destination", required=True, type=click.Path(path_type=Path), help="A file that does not exist."
)


@command("export")
@run_argument
@_OUTPUT
@click.option("--format", "format_", type=click.Choice(FORMATS), help="Else by the suffix of the file.")
@click.option("--excel", is_flag=True, help="Mark CSV so that Excel reads it as UTF-8.")
def export_command(
    run: str, destination: Path, format_: str | None, root: Path | None, *, excel: bool, as_json: bool
) -> None:
    """Write the records of RUN as JSON Lines or CSV.

    Example: itemproof export llama-8b -o llama-8b.csv
    """
    archive = archive_of(root)
    with progress("exporting", records_bytes(archive, run)) as advance:
        records = export(archive, run, destination, format=format_, excel=excel, note=note, progress=advance)
    document = {"run_id": run, "file": str(destination), "records": records}
    show(document, [f"wrote {counted(records, 'record')} to {destination}"], as_json=as_json)


@command("convert")
@click.argument("source", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@max_line_bytes
@_OUTPUT
def convert_command(source: Path, destination: Path, max_line_bytes: int, root: Path | None, *, as_json: bool) -> None:
    """Make JSON Lines of SOURCE, a file that holds one JSON array. Values stay as they are written.

    Example: itemproof convert samples.jsonl -o lines.jsonl
    """
    del root
    with progress("converting", source.stat().st_size) as advance:
        lines = convert(source, destination, max_line_bytes=max_line_bytes, progress=advance)
    document = {"file": str(destination), "lines": lines}
    show(document, [f"wrote {counted(lines, 'line')} to {destination}"], as_json=as_json)
