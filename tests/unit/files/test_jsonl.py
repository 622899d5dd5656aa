"""JSON Lines: framing, line numbers, and every fault with its line."""

from __future__ import annotations

import gzip
import io
import json
from pathlib import Path
from typing import Any

import pytest

from itemproof.core.errors import InvalidInput
from itemproof.core.findings import Finding, Findings
from itemproof.files import jsonl
from itemproof.files.jsonl import (
    Block,
    first_line,
    is_compressed,
    parse_block,
    raw_lines,
    read_block,
    read_blocks,
    read_objects,
)
from shared import SHARED, needs_shared

BOM = b"\xef\xbb\xbf"


def parse(data: bytes, first: int = 1, **options: int) -> tuple[list[tuple[int, Any]], list[Finding]]:
    findings = Findings()
    lines = list(parse_block(Block(data, first), findings=findings, file="x.jsonl", **options))
    return lines, findings.kept


def places(findings: list[Finding]) -> list[tuple[str, int | None, str | None]]:
    return [(found.code.id, found.where.line, found.where.path) for found in findings]


def a_file(folder: Path, data: bytes, name: str = "x.jsonl") -> Path:
    path = folder / name
    path.write_bytes(data)
    return path


GOOD = [
    pytest.param(b'{"a":1}\n{"a":2}\n', [(1, {"a": 1}), (2, {"a": 2})], id="plain"),
    pytest.param(b'{"a":1}\n{"a":2}', [(1, {"a": 1}), (2, {"a": 2})], id="no last line end"),
    pytest.param(b'{"a":"x\\r\\ny"}\r\n\r\n   \r\n{"a":2}', [(1, {"a": "x\r\ny"}), (4, {"a": 2})], id="CRLF, blanks"),
    pytest.param(BOM + b'{"a":1}\n', [(1, {"a": 1})], id="byte order mark"),
    pytest.param(BOM + b'\n{"a":1}\n', [(2, {"a": 1})], id="byte order mark on a blank line"),
    pytest.param(
        '{"a":"1\u20282\u00853\u2029"}\n{}\n'.encode(), [(1, {"a": "1\u20282\u00853\u2029"}), (2, {})], id="separators"
    ),
    pytest.param(b'{"a":18446744073709551616}\n{"a":1}\n', [(1, {"a": 2**64}), (2, {"a": 1})], id="a large integer"),
]


@pytest.mark.parametrize(("text", "due"), GOOD)
def test_good_lines_are_given_with_their_numbers(text: bytes, due: list[tuple[int, object]]) -> None:
    assert parse(text) == (due, [])


@pytest.mark.parametrize(("text", "due"), GOOD)
@pytest.mark.parametrize("size_bytes", [1, 7], ids=["lines", "short batches"])
def test_lines_do_not_depend_on_the_sizes_of_blocks_and_batches(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: bytes, due: list[tuple[int, object]], size_bytes: int
) -> None:
    monkeypatch.setattr(jsonl, "_BLOCK_BYTES", size_bytes)
    monkeypatch.setattr(jsonl, "_BATCH_BYTES", size_bytes)
    pieces = [text[at : at + size_bytes] for at in range(0, len(text), size_bytes)]

    def in_pieces(path: Path, *, name: str) -> object:
        return iter(pieces)

    monkeypatch.setattr(jsonl, "text_blocks", in_pieces)
    assert list(read_objects(a_file(tmp_path, text))) == due


@pytest.mark.parametrize("text", [b"\n\n", b"", BOM, b" \t\r\n "], ids=["line ends", "nothing", "mark", "blanks"])
def test_blank_lines_are_neither_objects_nor_faults(text: bytes) -> None:
    assert parse(text) == ([], [])


@pytest.mark.parametrize(
    ("text", "due"),
    [
        pytest.param(b'{"a":1}\n' + BOM + b'{"a":2}\n', [("J008", 2, "$")], id="a later byte order mark"),
        pytest.param(b'{"a":1}\r{"a":2}\r', [("J001", 1, "$")], id="CR alone ends no line"),
        pytest.param(b'{"a":1}\n\x0c\n', [("J001", 2, "$")], id="a form feed is no blank"),
        pytest.param('{"a":1}\n\u00a0\n'.encode(), [("J001", 2, "$")], id="a no-break space is no blank"),
        pytest.param(b'{}\n[1]\n"x"\n5\nnull\n', [("J011", n, None) for n in (2, 3, 4, 5)], id="no objects"),
        pytest.param(
            b'{"a":NaN}\n{"a":1,"a":2}\n{}\n\n{"a"\n',
            [("J003", 1, "$.a"), ("J002", 2, "$.a"), ("J001", 5, "$")],
            id="several lines",
        ),
        pytest.param('{"a":1}\n'.encode("utf-16"), [("J012", None, None)], id="UTF-16"),
        pytest.param('{"a":1}\n'.encode("utf-16-le"), [("J012", None, None)], id="UTF-16 without a mark"),
        pytest.param('{"a":1}\n'.encode("utf-32-be"), [("J012", None, None)], id="UTF-32"),
        pytest.param(b'[\n  {"a":1},\n  {"a":2}\n]\n', [("J013", None, None)], id="an array"),
        pytest.param(BOM + b'{\n  "a": 1\n}\n', [("J013", None, None)], id="one object over lines"),
    ],
)
def test_faults_are_all_named_with_their_lines(text: bytes, due: list[tuple[str, int | None, str | None]]) -> None:
    assert places(parse(text)[1]) == due


def test_the_good_lines_beside_a_faulty_one_are_given() -> None:
    assert [number for number, _ in parse(b'{"a":1}\n{"a":NaN}\n{"a":3}\n')[0]] == [1, 3]


@pytest.mark.parametrize(
    "tail", [b'{"a":"caf\xc3', b'{"a":"caf', b'{"a":'], ids=["in a character", "in a text", "in a value"]
)
def test_a_torn_last_line_is_said_to_look_cut_off(tail: bytes) -> None:
    _, (found,) = parse(b'{"a":1}\n' + tail)
    assert found.where.line == 2
    assert found.text.endswith("the file may have been cut off here.")


@pytest.mark.parametrize("text", [b'{"a":\n{"b":1}', b'{"b":1}\n{"a":\n'], ids=["not last", "with a line end"])
def test_another_torn_line_is_not_said_to_be_cut_off(text: bytes) -> None:
    _, (found,) = parse(text)
    assert "cut off" not in found.text


def test_a_block_counts_on_from_its_first_line() -> None:
    assert parse(b'{"a":1}\n\n{"a":2}\n', 41) == ([(41, {"a": 1}), (43, {"a": 2})], [])


def test_a_later_block_may_begin_with_neither_a_mark_nor_the_look_of_a_document() -> None:
    assert places(parse(BOM + b"{}\n[\n", 2)[1]) == [("J008", 2, "$"), ("J001", 3, "$")]


def test_a_line_at_the_limit_is_read_and_one_above_it_refused() -> None:
    assert parse(b'{"a":123}\r\n{}\n', max_line_bytes=9) == ([(1, {"a": 123}), (2, {})], [])
    assert places(parse(b'{"a":1234}\n{}\n', max_line_bytes=9)[1]) == [("J010", 1, None)]
    lines, findings = parse(b'{"a":1234}\n{}\n{"a":NaN}\n', max_line_bytes=9)
    assert (lines, places(findings)) == ([(2, {})], [("J010", 1, None), ("J003", 3, "$.a")])


def test_an_endless_line_is_refused_before_it_is_held(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    given = []

    def endless(path: Path, *, name: str) -> object:
        yield b'{"a":1}\n{"b":"'
        while True:
            given.append(100)
            yield b"x" * 100

    monkeypatch.setattr(jsonl, "text_blocks", endless)
    blocks = read_blocks(tmp_path, name="x.jsonl", max_line_bytes=250)
    assert next(blocks) == Block(b'{"a":1}\n', 1)
    with pytest.raises(InvalidInput) as caught:
        next(blocks)
    assert (places(caught.value.findings.kept), len(given)) == ([("J010", 2, None)], 3)


def test_a_stretch_of_an_open_file_is_a_block() -> None:
    assert read_block(io.BytesIO(b"{}\n{}\n[]\n"), 3, 3, 2) == Block(b"{}\n", 2)


def test_a_stretch_that_is_gone_is_said() -> None:
    with pytest.raises(InvalidInput) as caught:
        read_block(io.BytesIO(b"{}\n"), 0, 6, 1)
    assert places(caught.value.findings.kept) == [("J015", 1, None)]


@pytest.mark.parametrize(
    ("data", "due"),
    [
        pytest.param(BOM + b"\r\n \n", [("J014", None, None)], id="no record"),
        pytest.param(b"", [("J014", None, None)], id="empty"),
        pytest.param(b"\n[1]\n", [("J013", None, None)], id="an array"),
        pytest.param(b'{"a":NaN}\n', [("J003", 1, "$.a")], id="a fault and nothing else"),
    ],
)
def test_a_whole_file_is_refused_alike_by_its_first_line_and_all_lines(
    tmp_path: Path, data: bytes, due: list[tuple[str, int | None, str | None]]
) -> None:
    path = a_file(tmp_path, data)
    for read in (first_line, lambda path: list(read_objects(path))):
        with pytest.raises(InvalidInput) as caught:
            read(path)
        assert places(caught.value.findings.kept) == due


def test_the_first_good_line_is_found_behind_a_faulty_one(tmp_path: Path) -> None:
    assert first_line(a_file(tmp_path, b'{"a":NaN}\n{"b":1}\n')) == (2, {"b": 1})


def test_the_first_line_is_found_behind_blank_ones_whatever_follows(tmp_path: Path) -> None:
    assert first_line(a_file(tmp_path, BOM + b'\n \r\n{"a":1}\n{"a":NaN}\n')) == (3, {"a": 1})


def test_lines_of_a_compressed_file_count_in_its_text(tmp_path: Path) -> None:
    path = a_file(tmp_path, gzip.compress(b'{"a":1}\n') + gzip.compress(b'\n{"a":2}'), "x.jsonl.gz")
    assert list(read_objects(path)) == [(1, {"a": 1}), (3, {"a": 2})]
    assert is_compressed(path)


def test_a_plain_file_is_no_compressed_one(tmp_path: Path) -> None:
    assert not is_compressed(a_file(tmp_path, b"{}\n"))


def test_raw_lines_are_numbered_blank_or_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jsonl, "_BLOCK_BYTES", 1)
    assert list(raw_lines(a_file(tmp_path, b"{}\r\n\n[1\n{"))) == [(1, b"{}\r"), (2, b""), (3, b"[1"), (4, b"{")]


@needs_shared
@pytest.mark.shared
def test_real_logs_read_as_the_standard_library_reads_them() -> None:
    paths = sorted((SHARED / "data" / "lm-eval" / "real").rglob("samples_*.jsonl"))
    assert paths
    for path in paths:
        due = [json.loads(text) for text in path.read_bytes().split(b"\n") if text.strip()]
        assert [value for _, value in read_objects(path)] == due, path
