"""The records of one run as a file of their own: JSON Lines to the byte, or CSV for a spreadsheet."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, BinaryIO, Final, TypeVar

import msgspec

from itemproof.archive.archive import Archive, Run
from itemproof.archive.layout import MISSING
from itemproof.archive.rules.record_schema import NO_RECORD
from itemproof.archive.seal import OTHER_BYTES
from itemproof.core.errors import invalid
from itemproof.core.findings import Code
from itemproof.core.where import Where
from itemproof.files.atomic import disk_faults, new_file
from itemproof.files.csv_cells import CELL_LIMIT, CsvWriter, json_cell, text_cell
from itemproof.files.paths import utf8_text
from itemproof.records.manifest import FileEntry
from itemproof.records.record import FIELDS

__all__ = ["FORMATS", "export", "stored_records"]

NO_FORMAT: Final = Code("X001", "no format is named and none can be told")
LATER: Final = Code("X002", "a format that this version does not write")
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

    Raises:
        InvalidInput: There is no such run, no such format (X001 to X003), or the run is damaged (A001, A003, A030).
        Refused: The destination exists (D005).
        Unavailable: The disk refused; nothing is left.
    """
    chosen = _format(destination, format)
    if excel and chosen != "csv":
        text = f"--excel marks CSV for Excel, and this export is {chosen}. Leave it out, or export csv."
        raise invalid(NOT_CSV, text, Where(file=utf8_text(str(destination))))
    run = archive.run(run_id)
    with new_file(destination) as out:
        if chosen == "csv":
            _write_csv(run, CsvWriter(out, byte_order_mark=excel), note)
        else:
            _write_jsonl(run, out)
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


def stored_records(run: Run, file: FileEntry, decode: Callable[[bytes], Decoded]) -> Iterator[Decoded]:
    """What `decode` makes of each record line of the file, in order.

    Raises:
        InvalidInput: The file is missing (A001), or a line is not what `decode` expects (A030).
        Unavailable: The disk refused.
    """
    path, number = run.layout.stored(file.records_path), 0
    with disk_faults(path), _opened(path, file.records_path) as lines:
        try:
            for number, line in enumerate(lines, start=1):  # noqa: B007 (the message below names the line)
                yield decode(line)
        except (msgspec.MsgspecError, UnicodeDecodeError) as error:
            text = f"{error}. It was changed after the import: `itemproof validate` says what else was."
            raise invalid(NO_RECORD, text, Where(file=file.records_path, line=number)) from error


def _opened(path: Path, stored: str) -> BinaryIO:
    try:
        return path.open("rb")
    except FileNotFoundError:
        text = "It is registered and not there. Bring it back from a copy of the archive."
        raise invalid(MISSING, text, Where(file=stored)) from None


def _checked(run: Run, file: FileEntry, decode: Callable[[bytes], Decoded]) -> Iterator[Decoded]:
    """As `stored_records`; when it ends, the bytes were those that the manifest registered."""
    digest = hashlib.sha256()

    def digested(line: bytes) -> Decoded:
        digest.update(line)
        return decode(line)

    yield from stored_records(run, file, digested)
    if digest.hexdigest() != file.records_sha256:
        text = "Its bytes are not those of the import. `itemproof validate` says what else was changed."
        raise invalid(OTHER_BYTES, text, Where(file=file.records_path), outcome="Nothing was exported.")


def _write_jsonl(run: Run, out: BinaryIO) -> None:
    for file in run.manifest.files:
        out.writelines(_checked(run, file, bytes))


def _write_csv(run: Run, writer: CsvWriter, note: Callable[[str], None]) -> None:
    metrics = _metric_names(run)
    writer.row([*_FIRST, *(text_cell(f"metrics.{name}") for name in metrics), *_LAST, "extra"])
    cells = _Cells(metrics)
    for file in run.manifest.files:
        for row in _checked(run, file, cells.of):
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
        for outline in _checked(run, file, decode):
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
