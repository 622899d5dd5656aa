"""A comparison as CSV: one row an item, both sides beside each other, safe to open in a spreadsheet."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import BinaryIO, Final

import msgspec

from itemproof.files.csv_cells import CELL_LIMIT, CsvWriter, json_cell, text_cell
from itemproof.records.item import Item
from itemproof.records.record import FIELDS
from itemproof.report.cells import Parts, parts_of

__all__ = ["write_csv"]

#: Rows that a spreadsheet reads, its header included.
_ROW_LIMIT: Final = 1_048_576

_KEY: Final = ("benchmark", "language", "script", "question_id", "filter", "repeat_id")
#: What both sides show beside each other, in this order; the identity stands once.
_BESIDE: Final = (
    *("prediction", "target", "response", "input", "scores", "metrics", "warnings", "source"),
    *("run_id", "model", "variant_id", "rephrasing_model", "identity_scope", "schema_version"),
)
_KNOWN: Final = frozenset(FIELDS)


def write_csv(
    items: Iterable[Item], out: BinaryIO, *, metric: str | None, excel: bool, note: Callable[[str], None]
) -> int:
    """Each item stands on a row, under a header; their number is returned.

    The first columns are the identity, the outcome, and what each side's record says of its correctness; for a metric,
    `left_metric` and `right_metric` follow them. The other fields of both sides come next, and each producer's own
    fields as one JSON object.

    Args:
        items: In their order.
        out: Receives the bytes.
        metric: What was compared, or None for correctness.
        excel: Begins with a byte order mark.
        note: Hears what a reader of the file should know.
    """
    writer = CsvWriter(out, byte_order_mark=excel)
    sides = [f"{side}_{name}" for name in _BESIDE for side in ("left", "right")]
    measured = ["left_metric", "right_metric"] if metric is not None else []
    writer.row([*_KEY, "outcome", "left_correct", "right_correct", *measured, *sides, "left_extra", "right_extra"])
    rows = 1
    for item in items:
        writer.row(_row(item, with_metric=metric is not None))
        rows += 1
    if writer.long_cells:
        note(
            f"{writer.long_cells:,} cells are longer than the {CELL_LIMIT:,} characters that a spreadsheet keeps; it "
            "would cut them. The file has them whole, and so has a report in JSON Lines."
        )
    if rows > _ROW_LIMIT:
        note(f"{rows - 1:,} items and the header are more than the {_ROW_LIMIT:,} rows of a spreadsheet.")
    return rows - 1


def _row(item: Item, *, with_metric: bool) -> list[str]:
    left, right = parts_of(item.left), parts_of(item.right)
    measured = [str(msgspec.json.encode(value), "utf-8") if value is not None else "" for value in item.compared]
    return [
        *("" if part is None else text_cell(part) if isinstance(part, str) else str(part) for part in item.key),
        item.outcome,
        _cell(left, "correct"),
        _cell(right, "correct"),
        *(measured if with_metric else ()),
        *(_cell(side, name) for name in _BESIDE for side in (left, right)),
        _extra(left),
        _extra(right),
    ]


def _cell(side: Parts, name: str) -> str:
    return json_cell(memoryview(side[name])) if name in side else ""


def _extra(side: Parts) -> str:
    extra = {name: value for name, value in side.items() if name not in _KNOWN}
    return str(msgspec.json.encode(extra), "utf-8") if extra else ""
