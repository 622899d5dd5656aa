"""A cell shows its value exactly and starts no formula; a row is what RFC 4180 says."""

from __future__ import annotations

import io

import pytest

from itemproof.files.csv_cells import CELL_LIMIT, CsvWriter, json_cell, text_cell


@pytest.mark.parametrize(
    ("text", "cell"),
    [
        pytest.param("=1+1", "'=1+1", id="equals"),
        pytest.param("+cmd|' /C calc'!A0", "'+cmd|' /C calc'!A0", id="plus"),
        pytest.param("-2+3", "'-2+3", id="minus"),
        pytest.param("@SUM(A1)", "'@SUM(A1)", id="at"),
        pytest.param("\t=1", "'\t=1", id="tab"),
        pytest.param("\r=1", "'\r=1", id="carriage return"),
        pytest.param("-", "'-", id="a bare sign"),
        pytest.param("-inf", "'-inf", id="a number that JSON does not have"),
        pytest.param("-1,234", "'-1,234", id="a grouped number"),
        pytest.param("-1 ", "'-1 ", id="a number and a blank"),
        pytest.param("-1\n", "'-1\n", id="a number and a line end"),
        pytest.param("+٣", "'+٣", id="digits beyond ASCII"),
        pytest.param("--1", "'--1", id="two signs"),
    ],
)
def test_a_text_that_begins_like_a_formula_gets_an_apostrophe(text: str, cell: str) -> None:
    assert text_cell(text) == cell


@pytest.mark.parametrize("text", ["-3", "+5", "-0.25", "-.5", "+5.", "-1e-05", "+1.5E+10", "-" + "9" * 400])
def test_a_text_that_is_a_number_stays(text: str) -> None:
    assert text_cell(text) == text


@pytest.mark.parametrize("text", ["", "a", "1=1", " =1", "'=1", "a\tb", "\n=1", "Zürich", "\u2028", "\x00"])
def test_any_other_text_stays(text: str) -> None:
    assert text_cell(text) == text


@pytest.mark.parametrize(
    ("value", "cell"),
    [
        pytest.param(b"null", "", id="null"),
        pytest.param(b"true", "true", id="true"),
        pytest.param(b"false", "false", id="false"),
        pytest.param(b"-5", "-5", id="a negative number"),
        pytest.param(b"123456789012345678901234567890", "123456789012345678901234567890", id="a big integer"),
        pytest.param(b"0.30000000000000004", "0.30000000000000004", id="all digits of a float"),
        pytest.param(b"1e-07", "1e-07", id="an exponent as written"),
        pytest.param(b'""', "", id="an empty text"),
        pytest.param(b'"null"', "null", id="a text that reads null"),
        pytest.param(b'"=1\\u0041"', "'=1A", id="a text that begins like a formula"),
        pytest.param('"ü\\u2028"'.encode(), "ü\u2028", id="a text with an escape"),
        pytest.param(b'["=1",2]', '["=1",2]', id="a list"),
        pytest.param('{"-a":"ü"}'.encode(), '{"-a":"ü"}', id="an object"),
    ],
)
def test_a_json_value_becomes_a_cell(value: bytes, cell: str) -> None:
    assert json_cell(value) == cell
    assert json_cell(memoryview(value)) == cell


@pytest.mark.parametrize("value", [b'"a', b'"\xff"', b"[\xff]"], ids=["open text", "text not UTF-8", "list not UTF-8"])
def test_what_is_no_json_value_is_refused(value: bytes) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 (two libraries, two wordings)
        json_cell(value)


def written(*rows: list[str], byte_order_mark: bool = False) -> tuple[bytes, int]:
    out = io.BytesIO()
    writer = CsvWriter(out, byte_order_mark=byte_order_mark)
    for row in rows:
        writer.row(row)
    return out.getvalue(), writer.long_cells


def test_a_row_ends_in_cr_lf_and_quotes_only_what_needs_it() -> None:
    data, _ = written(["a", "b,c", 'say "x"', "l\nf", "c\rr", "", "ü"], ["1", "2"])
    assert data == 'a,"b,c","say ""x""","l\nf","c\rr",,ü\r\n1,2\r\n'.encode()


def test_a_byte_order_mark_stands_before_the_first_row_if_asked_for() -> None:
    assert written(["a"], byte_order_mark=True) == (b"\xef\xbb\xbfa\r\n", 0)
    assert written(byte_order_mark=True) == (b"\xef\xbb\xbf", 0)


@pytest.mark.parametrize(
    ("cells", "long"),
    [
        pytest.param(["x" * CELL_LIMIT], 0, id="at the limit"),
        pytest.param(["x" * (CELL_LIMIT + 1), "y" * 40_000, "z"], 2, id="beyond it"),
        pytest.param(["\U0001f600" * 16_383], 0, id="pairs of units below"),
        pytest.param(["\U0001f600" * 16_384], 1, id="pairs of units beyond"),
        pytest.param([], 0, id="no cell"),
    ],
)
def test_cells_that_a_spreadsheet_would_cut_are_counted(cells: list[str], long: int) -> None:
    assert written(["a"], cells)[1] == long
