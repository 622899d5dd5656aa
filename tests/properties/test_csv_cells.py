"""Whatever the values: a CSV reader gets back the cells, nothing begins a formula, and no number changes."""

from __future__ import annotations

import csv
import io
import json

from hypothesis import given, settings
from hypothesis import strategies as st

from itemproof.files.csv_cells import CsvWriter, json_cell, text_cell
from itemproof.files.strict_json import dumps

#: A busy machine is no fault of the cells.
no_hurry = settings(deadline=None)

TEXTS = st.text(st.characters(exclude_categories=["Cs"])) | st.text("=+-@\t\r\n\"', 0.1e")
NUMBERS = st.integers(-(10**40), 10**40) | st.floats(allow_nan=False, allow_infinity=False)
VALUES = st.recursive(
    st.none() | st.booleans() | NUMBERS | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=5,
)


def rows_of(data: bytes) -> list[list[str]]:
    return list(csv.reader(io.StringIO(data.decode("utf-8"), newline=""), strict=True))


@no_hurry
@given(st.lists(st.lists(TEXTS, min_size=2, max_size=4), max_size=4))
def test_a_reader_gets_back_every_cell(rows: list[list[str]]) -> None:
    out = io.BytesIO()
    writer = CsvWriter(out)
    for row in rows:
        writer.row(row)
    assert rows_of(out.getvalue()) == rows


@no_hurry
@given(TEXTS)
def test_a_text_cell_is_a_number_or_begins_no_formula_and_loses_nothing(text: str) -> None:
    cell = text_cell(text)
    if cell.startswith(("=", "+", "-", "@", "\t", "\r")):
        float(cell)
    assert cell in {text, f"'{text}"}


@no_hurry
@given(VALUES)
def test_the_cell_of_a_value_that_is_no_text_reads_back_as_the_value(value: object) -> None:
    cell = json_cell(dumps(value))
    if value is None:
        assert cell == ""
    elif isinstance(value, str):
        assert cell == text_cell(value)
    else:
        assert json.loads(cell) == value
        assert type(json.loads(cell)) is type(value)
