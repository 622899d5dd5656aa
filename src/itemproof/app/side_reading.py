"""One side of a comparison, read: its table, and what only its records and its manifest can tell."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import msgspec

from itemproof.app.compared import Lines
from itemproof.app.sides import OpenSide
from itemproof.archive.stored import stored_records
from itemproof.archive.workers import can_fork, end_with_parent, usable_cores
from itemproof.comparing.pairing import Place, refuse_twice
from itemproof.comparing.selection import Selection
from itemproof.comparing.table import SideReader, Table
from itemproof.core.errors import invalid
from itemproof.core.findings import Code
from itemproof.records.comparison import Side
from itemproof.records.item import ItemKey

__all__ = [
    "NOTHING_COMPARED",
    "ReadSide",
    "Reading",
    "ambiguous",
    "described",
    "lower_is_better",
    "metrics_of",
    "only_other",
    "read_side",
    "read_sides",
    "refuse_duplicates",
    "refuse_missing",
]

NO_VARIANT: Final = Code("U023", "a run has no records of the wording that was asked for")
ONE_SIDE: Final = Code("U024", "a comparison needs a second side")

NOTHING_COMPARED: Final = "Nothing was compared."
_NAMED: Final = 12
#: Below this a side is read before a worker would have started.
_WORTH_FORKING_BYTES: Final = 32 << 20


@dataclass(slots=True)
class ReadSide:
    """A side that was read.

    Attributes:
        side: What was opened.
        variant: The wording that was chosen.
        table: Its records.
    """

    side: OpenSide
    variant: str
    table: Table


@dataclass(frozen=True, slots=True)
class Reading:
    """What was read of a side.

    Attributes:
        tables: By wording.
        variants: Every wording, read or not, with its records.
    """

    tables: dict[str, Table]
    variants: Counter[str]


def read_side(side: OpenSide, selection: Selection, variants: frozenset[str] | None) -> Reading:
    """The tables of a side; `variants` None keeps every wording.

    Raises:
        InvalidInput: A records file is missing or damaged (A001 to A003), or holds something else than records (A030).
        Unavailable: The disk refused.
    """
    reader = SideReader(selection, variants)
    for file in side.run.manifest.files:
        reader.next_file()
        for _ in stored_records(side.run.layout, file, reader.see):
            pass
    return Reading(reader.tables, reader.variants)


def read_sides(chosen: Sequence[tuple[OpenSide, str]], selection: Selection) -> list[Reading]:
    """Each side with the wording chosen of it; two long ones are read at the same time where there are cores.

    Digests of texts agree between a process and its forks, so they may be compared afterwards.

    Raises:
        InvalidInput: As `read_side`, of the first side that is damaged.
        Unavailable: The disk refused.
    """
    asked = [(side, selection, frozenset({variant})) for side, variant in chosen]
    if len(asked) != 2 or not can_fork() or usable_cores() < 2 or min(map(_size_bytes, chosen)) < _WORTH_FORKING_BYTES:
        return [read_side(*one) for one in asked]
    import multiprocessing
    from concurrent.futures import ProcessPoolExecutor
    from concurrent.futures.process import BrokenProcessPool

    forked = multiprocessing.get_context("fork")
    with ProcessPoolExecutor(1, mp_context=forked, initializer=end_with_parent, initargs=(os.getpid(),)) as worker:
        other = worker.submit(read_side, *asked[1])
        one = read_side(*asked[0])
        try:
            return [one, other.result()]
        except BrokenProcessPool:  # it was killed, most likely for want of memory: one after the other needs less
            return [one, read_side(*asked[1])]


def _size_bytes(chosen: tuple[OpenSide, str]) -> int:
    return sum(file.records_bytes for file in chosen[0].run.manifest.files)


def described(read: ReadSide) -> Side:
    """The side as the result names it."""
    given, is_path_ = read.side.given, read.side.is_path
    return Side(
        run=None if is_path_ else read.side.run.id,
        path=given if is_path_ else None,
        variant=read.variant,
        model=read.side.run.manifest.model,
    )


def only_other(side: OpenSide, reading: Reading, baseline: str) -> str:
    """The one wording of a run besides the baseline.

    Raises:
        InvalidInput: There are several, or none (U024).
    """
    others = sorted(name for name in reading.variants if name != baseline)
    if len(others) == 1:
        return others[0]
    what = f"it has {', '.join(others[:_NAMED])}; choose one with --variant" if others else "it has no other wording"
    text = f"{side.given} is the only side, and {what}. Or name a second run or path to compare with."
    raise invalid(ONE_SIDE, text, outcome=NOTHING_COMPARED)


def refuse_missing(side: OpenSide, reading: Reading, variant: str) -> None:
    """The side has records of this wording, or none at all.

    Raises:
        InvalidInput: It has records of other wordings only (U023).
    """
    if reading.variants and variant not in reading.variants:
        there = ", ".join(f"{name} ({count:,} records)" for name, count in sorted(reading.variants.items())[:_NAMED])
        text = f"{side.given} has no records of the variant {variant!r}; it has {there}."
        raise invalid(NO_VARIANT, f"{text} Choose with --baseline and --variant.", outcome=NOTHING_COMPARED)


def refuse_duplicates(name: str, read: ReadSide) -> None:
    """No identity of the side stands in two records.

    Raises:
        InvalidInput: With both places of each that does (I020).
    """
    if not read.table.twice:
        return
    lines = Lines(read.side.run, read.table)
    try:
        found: list[tuple[ItemKey, Place, Place]] = [
            (context.key(question), _place(lines.at(first)), _place(lines.at(second)))
            for context, question, first, second in read.table.twice
        ]
    finally:
        lines.close()
    refuse_twice(name, found)


def _place(line: bytes | None) -> Place:
    source = msgspec.json.decode(line or b"{}")["source"]
    return source["path"], source["line"]


def metrics_of(read: ReadSide, selection: Selection) -> dict[str, bool]:
    """The metrics of a side's selected records, and whether each is binary wherever it is."""

    class Slim(msgspec.Struct):
        benchmark: str
        language: str | None
        variant_id: str
        filter: str
        metrics: dict[str, Any]

    decode, binary = msgspec.json.Decoder(Slim).decode, dict[str, bool]()
    for file in read.side.run.manifest.files:
        for row in stored_records(read.side.run.layout, file, decode):
            if row.variant_id == read.variant and selection.takes(row.benchmark, row.language, row.filter):
                for name, value in row.metrics.items():
                    if value is not None:
                        is_binary = isinstance(value, int | float) and value in (0, 1)
                        binary[name] = binary.get(name, True) and is_binary
    return binary


def lower_is_better(side: OpenSide, metric: str | None) -> set[str]:
    """The benchmarks in which a results file says that a smaller number of the metric is the better one."""
    lower = set()
    for entry in side.run.manifest.imports:
        tasks = entry.facts.get("tasks", {})
        for file in entry.files:
            listed = tasks.get(file.task, {}).get("metrics", [])
            if any(one.get("name") == metric and one.get("higher_is_better") is False for one in listed):
                lower.add(str(file.options.get("benchmark") or file.task))
    return lower


def ambiguous(read: ReadSide) -> int:
    """Records whose digest several documents share; of a view those run-local records whose document repeats."""
    if not read.side.is_view:
        return sum(file.scopes.get("ambiguous", 0) for file in read.side.run.manifest.files)
    times = Counter(document for document in read.table.local_documents if document)
    return sum(count for count in times.values() if count > 1)
