"""Item reports keep every record to the byte, and a spreadsheet runs nothing of them."""

from __future__ import annotations

import csv
import io
import json
from typing import Any

import pytest

from builders import a_record
from itemproof.files.strict_json import dumps_line
from itemproof.records.item import Item, ItemKey
from itemproof.report.csv import write_csv
from itemproof.report.jsonl import write_jsonl


def an_item(
    left: Any, right: Any, *, outcome: str = "both_correct", question: str = "q1", language: Any = "en"
) -> Item:
    sides = [None if side is None else dumps_line(side).rstrip(b"\n") for side in (left, right)]
    return Item(ItemKey("rivers", language, None, question, "none", 0), outcome, (True, None), sides[0], sides[1])


def rows_of(*items: Item, metric: str | None = None, excel: bool = False) -> tuple[list[list[str]], bytes, list[str]]:
    out, notes = io.BytesIO(), list[str]()
    count = write_csv(items, out, metric=metric, excel=excel, note=notes.append)
    rows = list(csv.reader(io.StringIO(out.getvalue().decode("utf-8-sig"), newline="")))
    assert count == len(rows) - 1 == len(items)
    return rows, out.getvalue(), notes


def test_json_lines_hold_identity_outcome_and_both_records_to_the_byte() -> None:
    left = a_record(own={"z": 1, "a": 10**30}, response="\u2028\u0000<b>")
    out = io.BytesIO()
    assert write_jsonl([an_item(left, None, outcome="left_only"), an_item(left, left)], out) == 2
    first, second = out.getvalue().splitlines()
    head = (
        b'{"identity":{"benchmark":"rivers","language":"en","script":null,'
        b'"question_id":"q1","filter":"none","repeat_id":0}'
    )
    line = dumps_line(left).rstrip(b"\n")
    assert first == head + b',"outcome":"left_only","left":' + line + b',"right":null}'
    assert json.loads(second) == {**json.loads(head + b"}"), "outcome": "both_correct", "left": left, "right": left}


def test_no_item_is_an_empty_file() -> None:
    out = io.BytesIO()
    assert (write_jsonl([], out), out.getvalue()) == (0, b"")


def test_csv_begins_with_the_stable_columns() -> None:
    rows, data, notes = rows_of(an_item(a_record(correct=False), a_record(prediction=None)))
    assert ",".join(rows[0][:9]) == (
        "benchmark,language,script,question_id,filter,repeat_id,outcome,left_correct,right_correct"
    )
    assert rows[1][:9] == ["rivers", "en", "", "q1", "none", "0", "both_correct", "false", "true"]
    cells = dict(zip(rows[0], rows[1], strict=True))
    assert (cells["left_prediction"], cells["right_prediction"]) == ("Rhine", "")
    assert json.loads(cells["left_source"]) == {"path": "runs/run-1/raw/0001-log.jsonl", "line": 1}
    assert (data.startswith(b"benchmark"), data.count(b"\r\n"), notes) == (True, 2, [])


def test_every_field_of_both_sides_has_a_cell() -> None:
    rows, _, _ = rows_of(an_item(a_record(own=1), a_record()))
    named = {name.removeprefix("left_").removeprefix("right_") for name in rows[0]}
    assert set(a_record()) <= named
    cells = dict(zip(rows[0], rows[1], strict=True))
    assert (cells["left_extra"], cells["right_extra"]) == ('{"own":1}', "")


def test_a_missing_side_is_blank() -> None:
    rows, _, _ = rows_of(an_item(None, a_record(), outcome="right_only"))
    cells = dict(zip(rows[0], rows[1], strict=True))
    assert {cells[name] for name in rows[0] if name.startswith("left_")} == {""}


@pytest.mark.parametrize("text", ["=1+1", "+cmd", "-2+3", "@SUM(A1)", "\t=1", "\r=1"], ids=ascii)
def test_what_looks_like_a_formula_is_a_text_in_every_column(text: str) -> None:
    record = a_record(response=text, model=text, target=text)
    rows, _, _ = rows_of(an_item(record, record, question=text, language=text))
    cells = dict(zip(rows[0], rows[1], strict=True))
    for name in ("question_id", "language", "left_response", "right_response", "left_model", "right_target"):
        assert cells[name] == f"'{text}"


@pytest.mark.parametrize("text", ["-2", "+1.5e3", "12345678901234567890", "0.1"])
def test_complete_numbers_stay_as_they_are(text: str) -> None:
    rows, _, _ = rows_of(an_item(a_record(prediction=text, target=float(text)), None))
    cells = dict(zip(rows[0], rows[1], strict=True))
    assert cells["left_prediction"] == text


def test_a_metric_has_its_own_columns() -> None:
    rows, _, _ = rows_of(an_item(a_record(), a_record()), metric="bleu_acc")
    cells = dict(zip(rows[0], rows[1], strict=True))
    assert (cells["left_metric"], cells["right_metric"]) == ("true", "")


def test_a_long_cell_is_whole_and_counted() -> None:
    text = 'line\n"q",;' * 20_000
    csv.field_size_limit(10**7)
    rows, _, notes = rows_of(an_item(a_record(response=text), a_record()))
    cells = dict(zip(rows[0], rows[1], strict=True))
    assert cells["left_response"] == text
    assert notes[0].startswith("1 cells are longer than the 32,767")


def test_excel_is_told_of_the_encoding() -> None:
    _, data, _ = rows_of(an_item(a_record(response="漢字"), None), excel=True)
    assert data.startswith(b"\xef\xbb\xbfbenchmark")
