"""Lines become record lines, and what was counted adds up."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from builders import a_record
from cli.workbench import as_line, places
from harness_lines import choice_line, harness_context
from itemproof.adapters.base import Adapter, FileContext, Tally
from itemproof.adapters.canonical import CanonicalAdapter
from itemproof.adapters.harness import HarnessAdapter
from itemproof.archive.normalise import Normalised, Piece, Work, line_count, normalise_block, write_pieces
from itemproof.core.findings import Findings
from itemproof.files.early_sync import EarlySync
from itemproof.files.jsonl import Block
from itemproof.records.record import RecordDict
from normalising import file_context


def work_of(adapter: Adapter, context: FileContext, **changes: Any) -> Work:
    """The work on `shown.jsonl`."""
    given: dict[str, Any] = {"shown": "shown.jsonl", "raw": Path("raw"), "max_line_bytes": 10_000}
    return Work(adapter=adapter, context=context, **{**given, **changes})


def piece_of(work: Work, *lines: Mapping[str, Any] | bytes, first_line: int = 1) -> Piece:
    """The piece of one block."""
    block = Block(b"".join(map(as_line, lines)), first_line)
    return normalise_block(work, work.adapter.normaliser(work.context), block)


def written(folder: Path, *pieces: Piece) -> tuple[Normalised, bytes]:
    """What writing the pieces came to, and what then stands in the file."""
    path = folder / "records"
    with path.open("wb", buffering=0) as file, EarlySync(file) as out:
        done = write_pieces(iter(pieces), out)
    return done, path.read_bytes()


CANONICAL = work_of(CanonicalAdapter(), file_context(benchmark="b"))


def canonical(name: str, **changes: Any) -> dict[str, Any]:
    return {"question_id": name, "variant_id": "original", **changes}


@pytest.mark.parametrize(
    ("data", "count"), [(b"", 0), (b"a", 1), (b"a\n", 1), (b"a\nb", 2), (b"\n\n", 2), (b"a\r\n \nb\n", 3)]
)
def test_lines_are_counted_as_an_editor_counts_them(data: bytes, count: int) -> None:
    assert line_count(data) == count


def test_a_piece_holds_the_record_lines_in_order_and_counts_blank_lines() -> None:
    piece = piece_of(CANONICAL, canonical("a"), b"\n", canonical("b", note="x" * 50), first_line=11)

    lines = bytes(piece.data).splitlines(keepends=True)
    assert [b'"question_id":"a"' in lines[0], b'"question_id":"b"' in lines[1]] == [True, True]
    assert [b'"line":11' in lines[0], b'"line":13' in lines[1]] == [True, True]
    assert (piece.lines, piece.records, piece.longest, len(piece.keys)) == (3, 2, len(lines[1]), 2)
    assert (piece.tally.stable, list(piece.findings)) == (2, [])


def test_faults_of_json_and_of_the_format_come_in_line_order() -> None:
    piece = piece_of(CANONICAL, canonical("a"), canonical(""), b"{\n", canonical("b", correct=1))

    assert places(piece.findings.kept) == [("I002", 2, "$.question_id"), ("J001", 3, "$"), ("C002", 4, "$.correct")]
    assert {finding.where.file for finding in piece.findings} == {"shown.jsonl"}


def test_pieces_are_written_one_after_the_other_and_digested(tmp_path: Path) -> None:
    pieces = [piece_of(CANONICAL, canonical(name), first_line=at) for at, name in enumerate("abc", 1)]
    data = b"".join(bytes(piece.data) for piece in pieces)

    done, there = written(tmp_path, *pieces)

    assert there == data
    assert (done.size_bytes, done.sha256) == (len(data), hashlib.sha256(data).hexdigest())
    assert (done.lines, done.records, len(done.keys), done.tally.stable) == (3, 3, 3, 3)


def test_after_a_fault_nothing_more_is_written_but_everything_is_looked_at(tmp_path: Path) -> None:
    pieces = [
        piece_of(CANONICAL, canonical("a"), first_line=1),
        piece_of(CANONICAL, canonical(""), first_line=2),
        piece_of(CANONICAL, canonical("c"), first_line=3),
        piece_of(CANONICAL, canonical(" "), first_line=4),
    ]

    done, there = written(tmp_path, *pieces)

    assert [finding.where.line for finding in done.findings] == [2, 4]
    assert there == bytes(pieces[0].data)
    assert done.lines == 4


def test_more_faults_than_are_kept_are_counted(tmp_path: Path) -> None:
    pieces = [piece_of(CANONICAL, *(canonical("") for _ in range(15)), first_line=at) for at in (1, 16)]

    done, _ = written(tmp_path, *pieces)

    assert (len(done.findings.kept), done.findings.count) == (20, 30)


@pytest.mark.parametrize("cut", [(3,), (1, 2), (1, 1, 1)], ids=str)
def test_the_task_hash_is_that_of_all_lines_in_order_however_they_are_cut(
    tmp_path: Path, cut: tuple[int, ...]
) -> None:
    lines = [choice_line(number) for number in range(3)]
    work = work_of(HarnessAdapter(), harness_context())
    starts = [sum(cut[:at]) for at in range(len(cut))]
    pieces = [piece_of(work, *lines[at : at + n], first_line=at + 1) for at, n in zip(starts, cut, strict=True)]

    done, _ = written(tmp_path, *pieces)

    joined = "".join(line[name] for line in lines for name in ("doc_hash", "prompt_hash", "target_hash"))
    assert done.task_hash == hashlib.sha256(joined.encode()).hexdigest()


def test_a_line_without_hashes_leaves_no_task_hash(tmp_path: Path) -> None:
    bare = {key: value for key, value in choice_line(1).items() if not key.endswith("_hash")}
    work = work_of(HarnessAdapter(), harness_context())

    assert written(tmp_path, piece_of(work, choice_line(0), bare))[0].task_hash is None


class _Careless:
    """An adapter of somebody else whose records lack what a record has."""

    name, version, needs = "careless", 1, "nothing"

    def recognises(self, line: Mapping[str, Any]) -> bool:
        return True

    def normaliser(self, context: FileContext) -> _Careless:
        return self

    def review(self, context: FileContext, tally: Tally) -> Findings:
        return Findings()

    def records(self, line: dict[str, Any], number: int) -> Sequence[RecordDict]:
        return [a_record(source={"path": "p", "line": number}, **line)]

    def take(self) -> Tally:
        return Tally()


def test_the_records_of_an_adapter_that_is_not_ours_are_held_against_the_schema() -> None:
    work = work_of(_Careless(), file_context(), check=True)

    piece = piece_of(work, {"correct": True}, {"correct": "yes"}, {"warnings": None})

    assert places(piece.findings.kept) == [("R007", 2, "$"), ("R007", 3, "$")]


def test_records_that_an_adapter_fills_again_are_written_before_that() -> None:
    work = work_of(HarnessAdapter(), harness_context())

    piece = piece_of(work, choice_line(0), choice_line(1, acc=0.0), choice_line(2))

    assert [b'"correct":true' in line for line in bytes(piece.data).splitlines()] == [True, False, True]
