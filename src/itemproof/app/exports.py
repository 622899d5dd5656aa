"""The records of one run as a file of their own: JSON Lines to the byte, or CSV for a spreadsheet."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, BinaryIO, Final, TypeVar

import msgspec

from itemproof.archive.archive import Archive, Run
from itemproof.archive.layout import is_stored
from itemproof.archive.stored import stored_records
from itemproof.core.errors import InvalidInput, invalid
from itemproof.core.findings import Code
from itemproof.core.where import Where
from itemproof.files.atomic import new_file
from itemproof.files.csv_cells import CELL_LIMIT, CsvWriter, json_cell, text_cell
from itemproof.files.paths import utf8_text
from itemproof.records.record import FIELDS

__all__ = ["FORMATS", "export"]

NO_FORMAT: Final = Code("X001", "no format is named and none can be told")
LATER: Final = Code("X002", "a format that this version does not write")
IN_ARCHIVE: Final = Code("X004", "an export was to be written among an archive's own files")
NOT_CSV: Final = Code("X003", "an option of CSV was given for another format")

#: The formats by name; each is also a suffix of a destination.
FORMATS: Final = ("jsonl", "csv")
_FORMATS_TO_COME: Final = ("parquet", "every-eval-ever")

#: Rows that a spreadsheet reads, its header included.
_ROW_LIMIT: Final = 1_048_576

_FIRST: Final = (
    *("benchmark", "language", "script", "question_id", "variant_id", "filter", "repeat_id", "identity_scope"),
    *("correct", "prediction", "target", "model"),
)
_LAST: Final = tuple(name for name in FIELDS if name not in {*_FIRST, "metrics"})

_KNOWN: Final = frozenset(FIELDS)

_RawObject = dict[str, msgspec.Raw]
#: The 21 fields, none missing, none read but the names of the metrics.
_Outline: Final[Any] = msgspec.defstruct(
    "_Outline", [(name, _RawObject if name == "metrics" else msgspec.Raw) for name in FIELDS]
)

Decoded = TypeVar("Decoded")


def _unheard(_: str) -> None:
    """Nobody listens."""


def export(
    archive: Archive,
    run_id: str,
    destination: Path,
    *,
    format: str | None = None,  # noqa: A002 (the option's name)
    excel: bool = False,
    note: Callable[[str], None] = _unheard,
    progress: Callable[[int], None] = lambda _: None,
) -> int:
    """The destination holds every record of the run, in the order of import; their number is returned.

    `jsonl` is the stored records byte for byte. `csv` has one row a record: what identifies and judges it, a column
    `metrics.NAME` for each metric of the run by name, the other fields in the contract's order, and in `extra` the
    producer's own fields as one JSON object. Its cells are those of `files.csv_cells`: null and a missing metric are
    both blank.

    Args:
        archive: Where the run lies.
        run_id: The run.
        destination: A new file.
        format: One of `FORMATS`; None goes by the destination's suffix.
        excel: Begins the CSV with a byte order mark.
        note: Hears what the reader of the file should know.
        progress: Told how many bytes more are done.

    Raises:
        InvalidInput: There is no such run, no such format (X001 to X003), or the run is damaged (A001, A003, A030).
        Refused: The destination exists (D005).
        Unavailable: The disk refused; nothing is left.
    """
    chosen = _format(destination, format)
    if excel and chosen != "csv":
        text = f"--excel marks CSV for Excel, and this export is {chosen}. Leave it out, or export csv."
        raise invalid(NOT_CSV, text, Where(file=utf8_text(str(destination))))
    if is_stored(destination.absolute()):
        text = "An archive keeps its own files there, and nothing else may lie among them. Name a place outside."
        raise invalid(IN_ARCHIVE, text, Where(file=utf8_text(str(destination))))
    run = archive.run(run_id)
    try:
        with new_file(destination) as out:
            if chosen == "csv":
                _write_csv(run, CsvWriter(out, byte_order_mark=excel), note, progress)
            else:
                _write_jsonl(run, out, progress)
    except InvalidInput as error:
        raise InvalidInput(error.findings, "Nothing was exported.") from error
    return run.manifest.records


def _format(destination: Path, given: str | None) -> str:
    named = destination.suffix.lower().removeprefix(".") if given is None else given
    if named in FORMATS:
        return named
    where = Where(file=utf8_text(str(destination)))
    if named in _FORMATS_TO_COME:
        raise invalid(LATER, f"This version of itemproof does not write {named} yet; it writes jsonl and csv.", where)
    if given is not None:
        raise invalid(NO_FORMAT, f"{utf8_text(given)!r} is no format of an export. Ask for jsonl or csv.", where)
    text = "The name ends neither in .jsonl nor in .csv. Give it one of these ends, or say --format jsonl or csv."
    raise invalid(NO_FORMAT, text, where)


def _write_jsonl(run: Run, out: BinaryIO, progress: Callable[[int], None]) -> None:
    for file in run.manifest.files:
        out.writelines(stored_records(run.layout, file, bytes, progress=progress))


def _write_csv(run: Run, writer: CsvWriter, note: Callable[[str], None], progress: Callable[[int], None]) -> None:
    metrics = _metric_names(run)
    writer.row([*_FIRST, *(text_cell(f"metrics.{name}") for name in metrics), *_LAST, "extra"])
    cells = _Cells(metrics)
    for file in run.manifest.files:
        for row in stored_records(run.layout, file, cells.of, progress=progress):
            writer.row(row)
    if writer.long_cells:
        note(
            f"{writer.long_cells:,} cells are longer than the {CELL_LIMIT:,} characters that a spreadsheet keeps; "
            "it would cut them. The file has them whole."
        )
    if run.manifest.records >= _ROW_LIMIT:
        note(f"{run.manifest.records:,} records and the header are more than the {_ROW_LIMIT:,} rows of a spreadsheet.")


def _metric_names(run: Run) -> list[str]:
    """Every metric of the run, by name; afterwards all records are known to have their 21 fields."""
    decode = msgspec.json.Decoder(_Outline).decode
    names: set[str] = set()
    for file in run.manifest.files:
        for outline in stored_records(run.layout, file, decode):
            names.update(outline.metrics)
    return sorted(names)


class _Cells:
    """The row of a record line.

    Args:
        metrics: The metrics that have a column.
    """

    def __init__(self, metrics: list[str]) -> None:
        self._metrics = metrics
        self._decode = msgspec.json.Decoder(_RawObject).decode

    def of(self, line: bytes) -> list[str]:
        record = self._decode(line)
        metrics = self._decode(record["metrics"])
        extra = {name: value for name, value in record.items() if name not in _KNOWN}
        return [
            *(json_cell(memoryview(record[name])) for name in _FIRST),
            *(json_cell(memoryview(metrics[name])) if name in metrics else "" for name in self._metrics),
            *(json_cell(memoryview(record[name])) for name in _LAST),
            str(msgspec.json.encode(extra), "utf-8") if extra else "",
        ]
