"""What is asked of a comparison, and what that means for reading, selecting and judging."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from itemproof.app.imports import Choices
from itemproof.app.side_reading import NOTHING_COMPARED
from itemproof.app.sides import is_path
from itemproof.comparing.certainty import Asked
from itemproof.comparing.gates import NO_REGRESSION, Condition, parse_gates
from itemproof.comparing.selection import Selection
from itemproof.core.errors import invalid
from itemproof.core.findings import Code
from itemproof.files.jsonl import MAX_LINE_BYTES
from itemproof.records.comparison import CORRECT

__all__ = ["Options"]

NO_PATH: Final = Code("U028", "an option of paths was given where no side is a path")


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """What is asked of a comparison.

    Attributes:
        baseline: The wording on the left.
        variant: The wording on the right; None takes the baseline, or in one run the only other wording.
        id_field: Which fields name a question, over what was imported.
        metric: What is compared; None takes correctness.
        benchmark: Only this one.
        language: Only this one.
        filter: Only this one.
        cluster: The field whose values are the clusters.
        seed: Of all resampling.
        level: The confidence level, from 0.5 up to 1.
        non_inferiority: The largest loss that would be accepted, a share.
        gates: Conditions that must hold.
        fail_on_regression: Adds the gate that nothing broke.
        floor: A rerun of the left side.
        name_pattern: For paths: what the parts of a task's name mean.
        timestamp: For paths: which evaluation.
        as_repeats: For paths: keeps several evaluations of a task as repeats.
        max_line_bytes: For paths: longer lines are refused.
    """

    baseline: str = "original"
    variant: str | None = None
    id_field: tuple[str, ...] = ()
    metric: str | None = None
    benchmark: str | None = None
    language: str | None = None
    filter: str | None = None
    cluster: str | None = None
    seed: int = 0
    level: float = 0.95
    non_inferiority: float | None = None
    gates: tuple[str, ...] = ()
    fail_on_regression: bool = False
    floor: str | Path | None = None
    name_pattern: str | None = None
    timestamp: str | None = None
    as_repeats: bool = False
    max_line_bytes: int = MAX_LINE_BYTES

    @property
    def conditions(self) -> list[Condition]:
        """The gates, understood.

        Raises:
            InvalidInput: One is no gate (U020).
        """
        return parse_gates([*self.gates, *([NO_REGRESSION] if self.fail_on_regression else ())])

    def asked(self, conditions: Sequence[Condition]) -> Asked:
        """What is asked of the statistics."""
        margins = [one.margin for one in conditions if one.margin is not None]
        within = max([*margins, *([self.non_inferiority] if self.non_inferiority is not None else [])], default=None)
        return Asked(level=self.level, seed=self.seed, margin=self.non_inferiority, within=within, cluster=self.cluster)

    @property
    def selection(self) -> Selection:
        """Which records take part."""
        return Selection(
            benchmark=self.benchmark,
            language=self.language,
            filter=self.filter,
            metric=None if self.metric == CORRECT else self.metric,
        )

    @property
    def choices(self) -> Choices:
        """How paths are imported."""
        return Choices(
            id_field=self.id_field,
            benchmark=self.benchmark,
            name_pattern=self.name_pattern,
            timestamp=self.timestamp,
            as_repeats=self.as_repeats,
            max_line_bytes=self.max_line_bytes,
        )

    def refuse_unused(self, sides: Sequence[str | Path | None]) -> None:
        """Every option is of use for these sides.

        Raises:
            InvalidInput: An option of paths was given, and no side is a path (U028).
        """
        names = ("name_pattern", "timestamp", "as_repeats")
        given = [f"--{name.replace('_', '-')}" for name in names if getattr(self, name)]
        if given and not any(side is not None and is_path(side) for side in sides):
            text = f"{', '.join(given)} shape the reading of logs, and no side is a path: a run was read already."
            raise invalid(NO_PATH, text, outcome=NOTHING_COMPARED)
