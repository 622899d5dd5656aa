"""What an adapter is: it recognises a log format and turns each of its lines into records.

An adapter is pure: it sees one parsed line at a time and never a disk. All it counts goes into a `Tally`, which can be
added to another's, so that the parts of one file may be worked on side by side with the same result.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from itemproof.core.findings import Finding, Findings
from itemproof.records.identity import IdSelection
from itemproof.records.record import RecordDict

__all__ = [
    "Adapter",
    "Decisions",
    "FileContext",
    "LineRefused",
    "MetricUse",
    "Normaliser",
    "Options",
    "Positions",
    "Tally",
]

#: A benchmark, a filter and a metric: the unit in which a metric is binary or not.
MetricUse = tuple[str, str, str]


class LineRefused(Exception):
    """An adapter cannot make records of a line; the import collects the findings and refuses the batch.

    The findings' places hold the JSON path only; the import knows file and line.
    """

    def __init__(self, *findings: Finding) -> None:
        super().__init__(*findings)
        self.findings = findings


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """What the user said about the lines; it fills what is absent, and a line that says otherwise is refused.

    Attributes:
        variant: Overrides the lines' own, and is recorded.
        benchmark: For lines that name none.
        language: For lines that name none.
        script: For lines that name none.
        filter: For lines that name none.
        repeat_id: For lines that name none (set for each time stamp by `--as-repeats`).
        ids: Which fields name a question.
    """

    ids: IdSelection
    variant: str | None = None
    benchmark: str | None = None
    language: str | None = None
    script: str | None = None
    filter: str | None = None
    repeat_id: int | str | None = None

    def recorded(self) -> dict[str, Any]:
        """What was said, by name, for the manifest; the id selection stands there on its own."""
        names = ("variant", "benchmark", "language", "script", "filter", "repeat_id")
        return {name: value for name in names if (value := getattr(self, name)) is not None}


@dataclass(frozen=True, slots=True, kw_only=True)
class Decisions:
    """What only the whole file could tell; a file is normalised again when its end changes one of these.

    Attributes:
        not_binary: Metrics that hold another value than 0 or 1 somewhere in the file.
        ambiguous: Content ids that several documents share, by benchmark, filter and repeat.
    """

    not_binary: frozenset[MetricUse] = frozenset()
    ambiguous: frozenset[tuple[str, str, int | str, str]] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class FileContext:
    """All that is known about a file before its first line.

    Attributes:
        run_id: The run that receives the records.
        model: The run's model.
        metadata: The run's metadata.
        name: The file's name as it was given.
        task: The task that the file's name or its results file names, or None.
        raw_path: The archived raw file, relative to the archive.
        raw_sha256: Its digest, for run-local ids.
        options: What the user said.
        decisions: What an earlier pass over the file found.
        results: The parsed results file beside the samples, or None.
    """

    run_id: str
    model: str
    metadata: Mapping[str, Any]
    name: str
    task: str | None
    raw_path: str
    raw_sha256: str
    options: Options
    decisions: Decisions = Decisions()
    results: Mapping[str, Any] | None = None


@dataclass(slots=True)
class Positions:
    """Where some documents stand in the harness's order, and the line of each."""

    values: array[int] = field(default_factory=lambda: array("q"))
    lines: array[int] = field(default_factory=lambda: array("q"))


@dataclass(slots=True)
class Tally:
    """What a stretch of lines amounts to; the sum of two stretches is the tally of both.

    Attributes:
        stable: Records with a stable identity.
        run_local: Records without.
        ambiguous: Of those, records whose content id several documents share.
        warnings: Warnings on records, by code.
        populated: Metrics that set `correct` at least once.
        not_binary: Metrics that would have, but for their value.
        sums: For each metric with a number: how many lines had one, and their sum.
        hashes: The document, prompt and target hashes in line order, as the harness joins them.
        unhashed: Lines without those hashes.
        benchmarks: The benchmarks of the records.
        positions: The positions of lines that name no filter, by all else that tells their records apart.
        odd_positions: The lines of each position that stands for no integer of the harness's size, as text.
        content_lines: The lines whose identity is a digest of their document, in order.
    """

    stable: int = 0
    run_local: int = 0
    ambiguous: int = 0
    warnings: Counter[str] = field(default_factory=Counter)
    populated: set[MetricUse] = field(default_factory=set)
    not_binary: set[MetricUse] = field(default_factory=set)
    sums: dict[MetricUse, tuple[int, float]] = field(default_factory=dict)
    hashes: list[str] = field(default_factory=list)
    unhashed: int = 0
    benchmarks: set[str] = field(default_factory=set)
    positions: dict[Hashable, Positions] = field(default_factory=dict)
    odd_positions: dict[tuple[Hashable, str], list[int]] = field(default_factory=dict)
    content_lines: array[int] = field(default_factory=lambda: array("q"))

    def add(self, other: Tally) -> None:
        """Adds a later stretch to this one; its `hashes` are taken over by whoever digests them."""
        self.stable += other.stable
        self.run_local += other.run_local
        self.ambiguous += other.ambiguous
        self.warnings.update(other.warnings)
        self.populated |= other.populated
        self.not_binary |= other.not_binary
        for use, (count, total) in other.sums.items():
            mine = self.sums.get(use, (0, 0.0))
            self.sums[use] = (mine[0] + count, mine[1] + total)
        self.unhashed += other.unhashed
        self.benchmarks |= other.benchmarks
        self.content_lines.extend(other.content_lines)
        for beside, theirs in other.positions.items():
            ours = self.positions.setdefault(beside, Positions())
            ours.values.extend(theirs.values)
            ours.lines.extend(theirs.lines)
        for odd, lines in other.odd_positions.items():
            self.odd_positions.setdefault(odd, []).extend(lines)


class Normaliser(Protocol):
    """One adapter at work on one file, or on a stretch of it."""

    def records(self, line: dict[str, Any], number: int) -> Sequence[RecordDict]:
        """The records of a parsed line, complete; valid until the next call, which may fill the same objects again.

        Raises:
            LineRefused: The line breaks a rule.
        """
        ...

    def take(self) -> Tally:
        """The tally since the last call."""
        ...


class Adapter(Protocol):
    """A log format. Registered under the entry point group `itemproof.adapters`."""

    #: The name for `--format`.
    name: str
    #: Grows whenever the same line would give another record.
    version: int
    #: What a line must have, in one sentence, for the message that no adapter fits.
    needs: str

    def recognises(self, line: Mapping[str, Any]) -> bool:
        """Whether the first record of a file has this format's shape."""
        ...

    def normaliser(self, context: FileContext) -> Normaliser:
        """A normaliser for one file, or for a stretch of it."""
        ...

    def review(self, context: FileContext, tally: Tally) -> Findings:
        """What only all lines of a file together show to be wrong; empty for most formats."""
        ...
