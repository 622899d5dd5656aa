"""The slim table of one side: for each record its identity, its verdict, digests of its texts, and where it lies.

A million records take about 250 MB: the identities are the keys of one dictionary for each benchmark, language, script,
filter and repeat, and all else stands in packed columns. Whole records are fetched later, by their place.
"""

from __future__ import annotations

import math
from array import array
from collections import Counter
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

import msgspec
import numpy as np

from itemproof.comparing.selection import Selection
from itemproof.records.item import ItemKey

__all__ = ["UNKNOWN", "Context", "Headline", "SideReader", "Table", "order"]

#: The verdict where correctness is unknown; 0 is wrong and 1 is correct.
UNKNOWN: Final = -1

_NO_TEXT: Final = 0


class Headline(NamedTuple):
    """What is never pooled: the identity of a group."""

    benchmark: str
    language: str | None
    script: str | None
    filter: str

    def __str__(self) -> str:
        parts = [self.benchmark, self.language, self.script, None if self.filter == "none" else self.filter]
        return " ".join(part for part in parts if part is not None)


class Context(NamedTuple):
    """All of an item's identity but the question."""

    benchmark: str
    language: str | None
    script: str | None
    filter: str
    repeat_id: int | str

    @property
    def headline(self) -> Headline:
        """The group that it belongs to."""
        return Headline(self.benchmark, self.language, self.script, self.filter)

    def key(self, question_id: str) -> ItemKey:
        """The identity of a question of it."""
        return ItemKey(self.benchmark, self.language, self.script, question_id, self.filter, self.repeat_id)


def order(parts: tuple[int | str | None, ...]) -> list[tuple[int, int, str]]:
    """What identities and their parts are sorted by: null first, then numbers, then texts by code point."""
    return [(0, 0, "") if part is None else (1, part, "") if isinstance(part, int) else (2, 0, part) for part in parts]


#: Stands for a text that a record does not have.
_ABSENT: Final = msgspec.Raw()


class _Input(msgspec.Struct, gc=False):
    """The texts of a record as they stand on its line."""

    document: msgspec.Raw = _ABSENT
    question: msgspec.Raw = _ABSENT
    choices: msgspec.Raw = _ABSENT
    prompt: msgspec.Raw = _ABSENT
    arguments: msgspec.Raw = _ABSENT


class _Slim(msgspec.Struct, gc=False):
    """The parts of a record that are compared."""

    benchmark: str
    language: str | None
    script: str | None
    question_id: str
    variant_id: str
    filter: str
    repeat_id: int | str
    identity_scope: str
    correct: bool | None
    input: _Input


@dataclass(slots=True)
class Table:
    """The records of one side and one wording.

    Attributes:
        contexts: For each context the row of every stable question.
        verdicts: By row: 1, 0 or `UNKNOWN`.
        values: By row the chosen metric, nan where it is no number; empty where no metric was chosen.
        documents: By row a digest of the document, 0 where there is none.
        prompts: By row a digest of the prompt, 0 where there is none.
        files: By row the number of the records file.
        offsets: By row where the line begins in it.
        run_local: Records without a persistent identity, by headline.
        local_documents: Digests of their documents.
        not_binary: The benchmarks and filters under which the chosen metric is something else than true or false.
        has_metric: Whether any record has the chosen metric.
        twice: Rows whose identity another row has, with that row.
    """

    contexts: dict[Context, dict[str, int]] = field(default_factory=dict)
    verdicts: array[int] = field(default_factory=lambda: array("b"))
    values: array[float] = field(default_factory=lambda: array("d"))
    documents: array[int] = field(default_factory=lambda: array("q"))
    prompts: array[int] = field(default_factory=lambda: array("q"))
    files: array[int] = field(default_factory=lambda: array("I"))
    offsets: array[int] = field(default_factory=lambda: array("Q"))
    run_local: Counter[Headline] = field(default_factory=Counter)
    local_documents: array[int] = field(default_factory=lambda: array("q"))
    not_binary: set[tuple[str, str]] = field(default_factory=set)
    has_metric: bool = False
    twice: list[tuple[Context, str, int, int]] = field(default_factory=list)

    @property
    def stable(self) -> Counter[Headline]:
        """Records with a persistent identity, by headline."""
        counts: Counter[Headline] = Counter()
        for context, questions in self.contexts.items():
            counts[context.headline] += len(questions)
        return counts

    @property
    def headlines(self) -> set[Headline]:
        """Every group of which there is a record."""
        return {context.headline for context, questions in self.contexts.items() if questions} | set(self.run_local)

    def files_of(self, rows: array[int]) -> list[int]:
        """The numbers of the files in which these rows lie."""
        files: list[int] = np.unique(np.frombuffer(self.files, np.uint32)[np.frombuffer(rows, np.int64)]).tolist()
        return files


@dataclass(slots=True)
class _Shelf:
    """Where the records of one wording and context go.

    Attributes:
        table: The table; None for records that are only counted.
        context: What they have in common.
        questions: The rows of the stable ones.
        records: How many there were.
    """

    table: Table | None
    context: Context
    questions: dict[str, int]
    records: int = 0


class SideReader:
    """Fills the tables of one side, a table for each wording.

    Args:
        selection: What takes part.
        variants: The wordings that are kept; None keeps all.
    """

    def __init__(self, selection: Selection, variants: frozenset[str] | None) -> None:
        self._selection = selection
        self._variants = variants
        self._file = -1
        self._offset = 0
        self._shelves: dict[tuple[str, str, str | None, str | None, str, int | str], _Shelf] = {}
        shape: Any = _Slim if selection.metric is None else _measured(selection.metric)
        self._decode = msgspec.json.Decoder(shape).decode
        self._requests = msgspec.json.Decoder(list[list[msgspec.Raw]]).decode
        #: By wording.
        self.tables: dict[str, Table] = {}

    @property
    def variants(self) -> Counter[str]:
        """Every wording of the side, chosen or not, with its records."""
        counts: Counter[str] = Counter()
        for (variant, *_), shelf in self._shelves.items():
            counts[variant] += shelf.records
        return counts

    def next_file(self) -> None:
        """What is read from now on stands in the next file."""
        self._file += 1
        self._offset = 0

    def see(self, line: bytes) -> None:
        """Takes a record line, its end included.

        Raises:
            msgspec.MsgspecError: It is no record.
        """
        offset = self._offset
        self._offset = offset + len(line)
        row = self._decode(line)
        key = (row.variant_id, row.benchmark, row.language, row.script, row.filter, row.repeat_id)
        shelf = self._shelves.get(key)
        if shelf is None:
            shelf = self._shelves[key] = self._shelf(row)
        shelf.records += 1
        table = shelf.table
        if table is None:
            return
        document = _document(row.input)
        if row.identity_scope != "stable":
            table.run_local[shelf.context.headline] += 1
            table.local_documents.append(document)
            return
        number = len(table.verdicts)
        first = shelf.questions.setdefault(row.question_id, number)
        if first != number:
            table.twice.append((shelf.context, row.question_id, first, number))
        correct = row.correct
        table.verdicts.append(UNKNOWN if correct is None else correct)
        table.documents.append(document)
        table.prompts.append(self._prompt(row.input))
        table.files.append(self._file)
        table.offsets.append(offset)
        if self._selection.metric is not None:
            _measure(table, row, self._selection.metric)

    def _shelf(self, row: Any) -> _Shelf:
        context = Context(row.benchmark, row.language, row.script, row.filter, row.repeat_id)
        is_kept = self._variants is None or row.variant_id in self._variants
        if not is_kept or not self._selection.takes(row.benchmark, row.language, row.filter):
            return _Shelf(None, context, {})
        table = self.tables.setdefault(row.variant_id, Table())
        return _Shelf(table, context, table.contexts.setdefault(context, {}))

    def _prompt(self, texts: _Input) -> int:
        """A digest of what the model was asked; settings of the generation are no part of it."""
        arguments = texts.arguments
        if arguments is _ABSENT:
            return _NO_TEXT if texts.prompt is _ABSENT else _digest(bytes(texts.prompt))
        try:
            requests = self._requests(arguments)
        except msgspec.ValidationError:
            return _digest(bytes(arguments))
        asked = [[part for argument in request if (part := bytes(argument))[:1] != b"{"] for request in requests]
        return hash(tuple(map(tuple, asked))) or 1


def _measured(metric: str) -> Any:
    """The shape of a record of which one metric is read, or all where its name is no name for a field."""
    kind: Any = dict[str, Any]
    if metric.isprintable() and not {'"', "\\"} & set(metric):
        kind = msgspec.defstruct("_Metric", [("value", Any, None)], rename={"value": metric}, gc=False)
    return msgspec.defstruct("_Measured", [("metrics", kind)], bases=(_Slim,), kw_only=True, gc=False)


def _measure(table: Table, row: Any, metric: str) -> None:
    """The metric's number: true and false as 1 and 0, nan for what is none."""
    number = math.nan
    value = row.metrics.get(metric) if isinstance(row.metrics, dict) else row.metrics.value
    if value is not None:
        table.has_metric = True
        if isinstance(value, int | float):
            number = _as_float(value)
        if number not in (0.0, 1.0):
            table.not_binary.add((row.benchmark, row.filter))
    table.values.append(number)


def _document(texts: _Input) -> int:
    document = texts.document
    if document is not _ABSENT:
        return _digest(bytes(document))
    question, choices = texts.question, texts.choices
    if question is _ABSENT and choices is _ABSENT:
        return _NO_TEXT
    return hash((bytes(question), bytes(choices))) or 1


def _digest(text: bytes) -> int:
    """64 bits that equal texts share within this process; 0 is kept for no text."""
    return hash(text) or 1


def _as_float(value: float) -> float:
    try:
        return float(value)
    except OverflowError:
        return math.nan
