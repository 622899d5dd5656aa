"""`compare`: two sides opened, read once, paired by identity, and told as one value."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

import msgspec

from itemproof.app.compare_options import Options
from itemproof.app.compared import Compared, Lines
from itemproof.app.imports import Means
from itemproof.app.no_pairs import explain
from itemproof.app.side_reading import (
    NOTHING_COMPARED,
    Reading,
    ReadSide,
    ambiguous,
    described,
    lower_is_better,
    metrics_of,
    only_other,
    read_side,
    read_sides,
    refuse_duplicates,
    refuse_missing,
)
from itemproof.app.sides import OpenSide, SideMaker, is_path
from itemproof.archive.archive import Archive
from itemproof.comparing.comparison import Whole, compare_tables
from itemproof.comparing.differences import differences, provenance_warnings, refuse_conflicts
from itemproof.comparing.gates import Condition, check_gates
from itemproof.comparing.near import near_misses
from itemproof.comparing.outcomes import Judge
from itemproof.comparing.pairing import GroupPairs, Pairing, pair
from itemproof.comparing.table import Table
from itemproof.core.errors import invalid
from itemproof.core.findings import Code
from itemproof.records.comparison import CORRECT, Comparison, Floor, IdentityUse
from itemproof.records.identity import AUTO, parse_id_selection, value_at

__all__ = ["Options", "compare", "compare_sides"]

NO_METRIC: Final = Code("U025", "no record has the metric that was asked for")
NO_CLUSTER: Final = Code("U026", "records lack the field of --cluster")
NOTHING_TAKEN: Final = Code("U027", "the options select no record on either side")
OTHER_WORDING: Final = Code("I025", "a digest of the document cannot pair two wordings")

_CONTENT: Final = "doc_hash"
_NAMED: Final = 12


def compare(
    left: str | Path, right: str | Path | None = None, *, root: Path | str | None = None, **options: Any
) -> Compared:
    """The comparison of two sides; each is a run of an archive, or a path to logs.

    Args:
        left: The side that is compared with.
        right: The side that is compared; None compares two wordings of one run.
        root: The archive of the runs; None finds it upward from here.
        **options: Fields of `Options`.

    Raises:
        InvalidInput: A side, an option or the data is wrong.
        Refused: As an import.
        Unavailable: The disk refused.
        TypeError: There is no such option.
    """

    def archive() -> Archive:
        return Archive.find(".") if root is None else Archive.open(root)

    return compare_sides(left, right, Options(**options), archive=archive)


def compare_sides(
    left: str | Path,
    right: str | Path | None,
    options: Options,
    *,
    archive: Callable[[], Archive],
    means: Means | None = None,
) -> Compared:
    """As `compare`.

    Args:
        left: The left side.
        right: The right side, or None.
        options: What is asked.
        archive: Gives the archive whose runs may be named.
        means: How paths are imported.
    """
    conditions = options.conditions
    options.refuse_unused((left, right, options.floor))
    parse_id_selection(options.id_field)
    folder = Path(tempfile.mkdtemp(prefix="itemproof-"))
    try:
        work = _Work(left, right, options, SideMaker(folder, archive, options.choices, means or Means()))
        found = work.done(conditions, folder)
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    return found


@dataclass(slots=True)
class _Work:
    """One comparison in the making."""

    left: str | Path
    right: str | Path | None
    options: Options
    maker: SideMaker
    warnings: list[str] = field(default_factory=list)

    def done(self, conditions: Sequence[Condition], folder: Path) -> Compared:
        left, right = self._both()
        manifests = left.side.run.manifest, right.side.run.manifest
        pairing = pair(left.table, right.table)
        benchmarks = {one.benchmark for one in left.table.headlines} & {one.benchmark for one in right.table.headlines}
        refuse_conflicts(*manifests, benchmarks)
        self.warnings += provenance_warnings(*manifests, benchmarks)
        judge = self._judge(left, right, pairing)
        asked = self.options.asked(conditions)
        whole = compare_tables(pairing, judge, self._metric, asked, self._clusters(left))
        self.warnings += [*near_misses(pairing), *self._unscored(left, right, whole)]
        if left.variant == right.variant and whole.documents.different:
            self.warnings.append(
                f"{whole.documents.different:,} pairs have one identity and different documents: see that they are the "
                "same questions."
            )
        value = Comparison(
            left=described(left),
            right=described(right),
            identity=self._identity(left, right),
            metric=self.options.metric or CORRECT,
            counts=whole.counts,
            accuracy=whole.accuracy,
            statistics=whole.statistics,
            groups=whole.groups,
            differences=differences(*manifests, benchmarks),
            documents=whole.documents,
            prompts=whole.prompts,
            floor=self._floor(left),
            gates=check_gates(conditions, whole.groups, whole.counts),
            warnings=list(dict.fromkeys(self.warnings)),
            explanation=[] if pairing.matched else explain((left.side, right.side), pairing),
        )
        return Compared(value, (left.side, right.side), pairing, judge, folder=folder)

    @property
    def _metric(self) -> str | None:
        return self.options.selection.metric

    def _both(self) -> tuple[ReadSide, ReadSide]:
        """Both sides, read."""
        left = self.maker.open(self.left, "left")
        if self.right is None or self._is_same():
            return self._one_run(left)
        right = self.maker.open(self.right, "right")
        baseline, variant = self.options.baseline, self.options.variant or self.options.baseline
        self._refuse_content(baseline, variant)
        if baseline != variant:
            self.warnings.append(
                f"both the run and the wording change, {baseline} to {variant}: the numbers cannot tell which did it."
            )
        chosen = [(left, baseline), (right, variant)]
        before, after = (
            self._read(side, one, reading)
            for (side, one), reading in zip(chosen, read_sides(chosen, self.options.selection), strict=True)
        )
        self._refuse_empty((before, after))
        return before, after

    def _read(self, side: OpenSide, variant: str, reading: Reading) -> ReadSide:
        refuse_missing(side, reading, variant)
        return ReadSide(side, variant, reading.tables.get(variant) or Table())

    def _is_same(self) -> bool:
        """Whether both sides are one run, which is read once."""
        return self.left == self.right and not is_path(self.left)

    def _one_run(self, side: OpenSide) -> tuple[ReadSide, ReadSide]:
        baseline, variant = self.options.baseline, self.options.variant
        if variant is None and self.right is not None:
            variant = baseline
        kept = None if variant is None else frozenset({baseline, variant})
        reading = read_side(side, self.options.selection, kept)
        if variant is None:
            variant = only_other(side, reading, baseline)
        self._refuse_content(baseline, variant)
        if baseline == variant:
            self.warnings.append("both sides are the same records.")
        left, right = (self._read(side, one, reading) for one in (baseline, variant))
        self._refuse_empty((left, right))
        return left, right

    def _refuse_content(self, baseline: str, variant: str) -> None:
        selection = parse_id_selection(self.options.id_field)
        chosen = [selection.everywhere, *selection.by_benchmark.values()]
        if baseline != variant and any(field.text == _CONTENT for fields in chosen for field in fields):
            text = (
                f"--id-field {_CONTENT} names a question by its text, and {variant} has other texts than {baseline}. "
                "Name a field that both wordings share."
            )
            raise invalid(OTHER_WORDING, text, outcome=NOTHING_COMPARED)

    def _refuse_empty(self, sides: tuple[ReadSide, ReadSide]) -> None:
        selection = str(self.options.selection)
        if selection and not any(read.table.headlines for read in sides):
            text = f"neither side has a record of {selection}. `itemproof summary RUN` lists what a run has."
            raise invalid(NOTHING_TAKEN, text, outcome=NOTHING_COMPARED)
        for name, read in zip(("left", "right"), sides, strict=True):
            refuse_duplicates(name, read)

    def _judge(self, left: ReadSide, right: ReadSide, pairing: Pairing) -> Judge:
        if self._metric is not None:
            has = [name for name, read in (("left", left), ("right", right)) if read.table.has_metric]
            if not has:
                names = sorted({*metrics_of(left, self.options.selection), *metrics_of(right, self.options.selection)})
                text = f"no record has the metric {self._metric!r}; there are {', '.join(names[:_NAMED]) or 'none'}."
                raise invalid(NO_METRIC, text, outcome=NOTHING_COMPARED)
            if len(has) == 1:
                self.warnings.append(f"only the {has[0]} side has the metric {self._metric}.")
        lower = {name for read in (left, right) for name in lower_is_better(read.side, self._metric)}
        return Judge(pairing, self._metric, frozenset(lower))

    def _clusters(self, left: ReadSide) -> Callable[[GroupPairs], list[str]] | None:
        """Reads the clusters from the left records."""
        if self.options.cluster is None:
            return None
        name = self.options.cluster
        parts = parse_id_selection([name]).everywhere[0].parts
        parts = ("input", "document", *parts[1:]) if parts[0] == "doc" else parts

        def labels(group: GroupPairs) -> list[str]:
            lines = Lines(left.side.run, left.table)
            try:
                values = [value_at(msgspec.json.decode(lines.at(row) or b"{}"), parts) for row in group.left]
            finally:
                lines.close()
            missing = sum(not isinstance(value, str | int) for value in values)
            if missing:
                text = f"{missing:,} of {len(values):,} left records have no text or integer under {name!r}."
                raise invalid(NO_CLUSTER, text, outcome=NOTHING_COMPARED)
            return list(map(str, values))

        return labels

    def _unscored(self, left: ReadSide, right: ReadSide, whole: Whole) -> list[str]:
        """The hint where nothing is known: which metrics would tell."""
        counts = whole.counts
        if self._metric is not None or not counts.matched or counts.unscored < counts.matched:
            return []
        mine, theirs = (metrics_of(read, self.options.selection) for read in (left, right))
        names = sorted(name for name, is_binary in mine.items() if is_binary and theirs.get(name))
        if not names:
            return ["no pair says on both sides whether it is correct, and no metric that both have is binary."]
        text = (
            "no pair says on both sides whether it is correct. Binary metrics that are there: "
            f"{', '.join(names[:_NAMED])}. Choose one with --metric {names[0]}."
        )
        return [text]

    def _identity(self, left: ReadSide, right: ReadSide) -> IdentityUse:
        selected = self.options.id_field or ((AUTO,) if left.side.is_path or right.side.is_path else ())
        return IdentityUse(
            selected=list(selected),
            reidentified=left.side.is_view or right.side.is_view,
            ambiguous=ambiguous(left) + ambiguous(right),
        )

    def _floor(self, left: ReadSide) -> Floor | None:
        if self.options.floor is None:
            return None
        side = self.maker.open(self.options.floor, "floor")
        (reading,) = read_sides([(side, left.variant)], self.options.selection)
        rerun = self._read(side, left.variant, reading)
        refuse_duplicates("floor", rerun)
        pairing = pair(left.table, rerun.table)
        judge = self._judge(left, rerun, pairing)
        whole = compare_tables(pairing, judge, self._metric, replace(self.options.asked(()), cluster=None))
        pairs = sum((group.means or group.accuracy).pairs for group in whole.groups)
        changed = sum(
            group.means.better + group.means.worse
            if group.means
            else (group.counts.correct_to_wrong or 0) + (group.counts.wrong_to_correct or 0)
            for group in whole.groups
        )
        return Floor(
            run=str(self.options.floor), pairs=pairs, changed=changed, flip_rate=changed / pairs if pairs else None
        )
