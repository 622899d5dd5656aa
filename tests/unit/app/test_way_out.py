"""What could name the questions of a log without ids is measured, never guessed."""

from __future__ import annotations

import gzip
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from harness_lines import text_line
from itemproof.app import way_out
from itemproof.app.way_out import Candidate, measure
from itemproof.files.jsonl import read_blocks


def log_of(folder: Path, *lines: dict[str, Any]) -> Path:
    """A log of these lines."""
    path = folder / "log.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path


def test_a_verified_digest_comes_first_and_then_the_fields_by_name(tmp_path: Path) -> None:
    lines = [text_line(n, doc={"uid": f"u{n}", "idx": n, "level": n, "subject": "sums"}) for n in range(3)]

    found = measure(log_of(tmp_path, *lines), name="log")

    assert found.candidates == (Candidate("doc_hash", 3), Candidate("doc.idx", 3), Candidate("doc.uid", 3))
    assert (found.lines, found.documents, found.filters, found.is_whole) == (3, 3, 1, True)


def test_a_field_that_is_missing_repeated_or_blank_somewhere_is_no_way_out(tmp_path: Path) -> None:
    docs = [
        {"idx": 1, "key": "a", "uid": "x", "qid": [1], "guid": "g"},
        {"idx": 1, "key": " ", "qid": [2], "guid": "h"},
        {"idx": 2, "key": "c", "uid": "z", "qid": [3], "guid": None},
    ]

    found = measure(log_of(tmp_path, *(text_line(n, doc=doc) for n, doc in enumerate(docs))), name="log")

    assert [one.field for one in found.candidates] == ["doc_hash"]


def test_an_edited_document_has_no_verified_digest(tmp_path: Path) -> None:
    lines = [text_line(0), {**text_line(1), "doc": {"question": "another"}}]

    assert measure(log_of(tmp_path, *lines), name="log").candidates == ()


def test_each_filter_is_counted_by_itself(tmp_path: Path) -> None:
    lines = [text_line(n, filter=name) for name in ("strict", "loose") for n in range(4)]

    found = measure(log_of(tmp_path, *lines), name="log")

    assert (found.lines, found.documents, found.filters) == (8, 4, 2)
    assert found.candidates == (Candidate("doc_hash", 8),)


def test_documents_that_are_equal_leave_the_digest_to_the_others_and_that_is_counted(tmp_path: Path) -> None:
    found = measure(log_of(tmp_path, text_line(0), text_line(0), text_line(1)), name="log")

    assert (found.candidates, found.nearly) == ((), Candidate("doc_hash", 1))
    assert (found.lines, found.documents) == (3, 3)


@pytest.mark.parametrize(
    "lines",
    [
        pytest.param([text_line(0), text_line(0)], id="no_document_stands_alone"),
        pytest.param(
            [text_line(0), text_line(0), text_line(1), {**text_line(2), "doc": {"question": "another"}}],
            id="an_edited_one",
        ),
    ],
)
def test_a_digest_that_names_nothing_or_not_every_line_is_no_way_out(tmp_path: Path, lines: list[Any]) -> None:
    found = measure(log_of(tmp_path, *lines), name="log")

    assert (found.candidates, found.nearly) == ((), None)


@pytest.mark.parametrize("name", ["log.jsonl.gz", "log.jsonl"])
def test_of_a_file_that_is_damaged_or_gone_no_line_is_seen(tmp_path: Path, name: str) -> None:
    path = tmp_path / "log"
    if name.endswith(".gz"):
        path.write_bytes(gzip.compress(b"{}\n")[:-3])

    found = measure(path, name=name)

    assert (found.lines, found.candidates, found.nearly) == (0, (), None)


def test_lines_longer_than_an_import_takes_by_default_are_measured_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []

    def spy(*given: Any, max_line_bytes: int, **more: Any) -> Any:
        asked.append(max_line_bytes)
        return read_blocks(*given, max_line_bytes=max_line_bytes, **more)

    monkeypatch.setattr(way_out, "read_blocks", spy)

    assert measure(log_of(tmp_path, text_line(0)), name="log").lines == 1
    assert asked == [sys.maxsize]


def test_a_long_log_is_measured_in_part_and_that_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(way_out, "_MEASURED_BYTES", 1_000)
    lines = [text_line(n, note="x" * 2_000_000) for n in range(3)]

    found = measure(log_of(tmp_path, *lines), name="log")

    assert (found.lines, found.is_whole) == (1, False)


def test_numbers_and_texts_that_read_alike_are_one_value(tmp_path: Path) -> None:
    lines = [text_line(0, doc={"idx": 1}), text_line(1, doc={"idx": "1"})]

    assert [one.field for one in measure(log_of(tmp_path, *lines), name="log").candidates] == ["doc_hash"]
