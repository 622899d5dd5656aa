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
from itemproof.archive.normalise import Normalised, Piece, RecordsFile, Work, line_count, normalise_block, summed
from itemproof.core.findings import Findings
from itemproof.files.early_sync import EarlySync
from itemproof.files.jsonl import Block
from itemproof.records.record import RecordDict
from normalising import file_context


def work_of(adapter: Adapter, context: FileContext, **changes: Any) -> Work:
    """The work on `shown.jsonl`."""
    given: dict[str, Any] = {"shown": "shown.jsonl", "raw": Path("raw"), "max_line_bytes": 10_000}
    return Work(adapter=adapter, context=context, **{**given, **changes})


def block_of(*lines: Mapping[str, Any] | bytes, first_line: int = 1) -> Block:
    """A block of these lines."""
    return Block(b"".join(map(as_line, lines)), first_line)


def blocks_of(*sizes: int, lines: Sequence[Mapping[str, Any] | bytes]) -> list[Block]:
    """The lines cut into blocks of so many."""
    starts = [sum(sizes[:at]) for at in range(len(sizes))]
    return [block_of(*lines[at : at + size], first_line=at + 1) for at, size in zip(starts, sizes, strict=True)]


def piece_of(work: Work, block: Block) -> tuple[Piece, bytes]:
    """The piece of one block, and its record lines."""
    made: list[bytes] = []
    piece = normalise_block(work, work.adapter.normaliser(work.context), block, lambda data: made.append(bytes(data)))
    return piece, b"".join(made)


def written(folder: Path, work: Work, blocks: Sequence[Block]) -> tuple[Normalised, bytes]:
    """What the blocks came to, and what then stands in the records file."""
    path = folder / "records"
    normaliser = work.adapter.normaliser(work.context)
    with path.open("wb", buffering=0) as file, EarlySync(file) as out:
        records = RecordsFile(out)
        done = summed((normalise_block(work, normaliser, block, records) for block in blocks), records)
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
    block = block_of(canonical("a"), b"\n", canonical("b", note="x" * 50), first_line=11)

    piece, made = piece_of(CANONICAL, block)

    lines = made.splitlines(keepends=True)
    assert [b'"question_id":"a"' in lines[0], b'"question_id":"b"' in lines[1]] == [True, True]
    assert [b'"line":11' in lines[0], b'"line":13' in lines[1]] == [True, True]
    assert (piece.lines, piece.records, piece.longest, len(piece.keys)) == (3, 2, len(lines[1]), 2)
    assert (piece.tally.stable, list(piece.findings)) == (2, [])


def test_characters_that_others_take_for_line_ends_are_escaped_and_counted_as_written() -> None:
    piece, made = piece_of(CANONICAL, block_of(canonical("a", note="\u2028\u2029\u0085é"), canonical("b")))

    assert len(made.decode("utf-8").splitlines()) == 2
    assert rb"\u2028\u2029\u0085" in made
    assert (piece.records, piece.longest) == (2, max(map(len, made.splitlines(keepends=True))))


def test_faults_of_json_and_of_the_format_come_in_line_order() -> None:
    piece, _ = piece_of(CANONICAL, block_of(canonical("a"), canonical(""), b"{\n", canonical("b", correct=1)))

    assert places(piece.findings.kept) == [("I002", 2, "$.question_id"), ("J001", 3, "$"), ("C002", 4, "$.correct")]
    assert {finding.where.file for finding in piece.findings} == {"shown.jsonl"}


def test_pieces_are_written_one_after_the_other_and_digested(tmp_path: Path) -> None:
    blocks = blocks_of(1, 2, lines=[canonical(name) for name in "abc"])
    data = b"".join(piece_of(CANONICAL, block)[1] for block in blocks)

    done, there = written(tmp_path, CANONICAL, blocks)

    assert there == data
    assert (done.size_bytes, done.sha256) == (len(data), hashlib.sha256(data).hexdigest())
    assert (done.lines, done.records, len(done.keys), done.tally.stable) == (3, 3, 3, 3)


def test_after_a_fault_everything_is_looked_at_still(tmp_path: Path) -> None:
    lines = [canonical("a"), canonical(""), canonical("c"), canonical(" ")]

    done, _ = written(tmp_path, CANONICAL, blocks_of(1, 1, 1, 1, lines=lines))

    assert [finding.where.line for finding in done.findings] == [2, 4]
    assert (done.lines, done.records) == (4, 2)


def test_more_faults_than_are_kept_are_counted(tmp_path: Path) -> None:
    done, _ = written(tmp_path, CANONICAL, blocks_of(15, 15, lines=[canonical("")] * 30))

    assert (len(done.findings.kept), done.findings.count) == (20, 30)


@pytest.mark.parametrize("cut", [(3,), (1, 2), (1, 1, 1)], ids=str)
def test_the_task_hash_is_that_of_all_lines_in_order_however_they_are_cut(tmp_path: Path, cut: tuple[int, ...]) -> None:
    lines = [choice_line(number) for number in range(3)]

    done, _ = written(tmp_path, work_of(HarnessAdapter(), harness_context()), blocks_of(*cut, lines=lines))

    joined = "".join(line[name] for line in lines for name in ("doc_hash", "prompt_hash", "target_hash"))
    assert done.task_hash == hashlib.sha256(joined.encode()).hexdigest()


def test_a_line_without_hashes_leaves_no_task_hash(tmp_path: Path) -> None:
    bare = {key: value for key, value in choice_line(1).items() if not key.endswith("_hash")}

    done, _ = written(
        tmp_path, work_of(HarnessAdapter(), harness_context()), blocks_of(2, lines=[choice_line(0), bare])
    )

    assert done.task_hash is None


class _Careless:
    """An adapter of somebody else whose records lack what a record has."""

    name, version, needs = "careless", 1, "nothing"

    def recognises(self, line: Mapping[str, Any]) -> bool:
        return bool(line)

    def normaliser(self, context: FileContext) -> _Careless:
        del context
        return self

    def review(self, context: FileContext, tally: Tally) -> Findings:
        del context, tally
        return Findings()

    def records(self, line: dict[str, Any], number: int) -> Sequence[RecordDict]:
        return [a_record(source={"path": "p", "line": number}, **line)]

    def take(self) -> Tally:
        return Tally()


def test_the_records_of_an_adapter_that_is_not_ours_are_held_against_the_schema() -> None:
    work = work_of(_Careless(), file_context(), check=True)

    piece, _ = piece_of(work, block_of({"correct": True}, {"correct": "yes"}, {"warnings": None}))

    assert places(piece.findings.kept) == [("R007", 2, "$"), ("R007", 3, "$")]


def test_records_that_an_adapter_fills_again_are_written_before_that() -> None:
    work = work_of(HarnessAdapter(), harness_context())

    _, made = piece_of(work, block_of(choice_line(0), choice_line(1, acc=0.0), choice_line(2)))

    assert [b'"correct":true' in line for line in made.splitlines()] == [True, False, True]
