"""The result of a comparison: the shape of `compare --json`."""

from __future__ import annotations

from typing import Any, Final, Literal

import msgspec

from itemproof.records.certainty import Statistics

__all__ = [
    "COMPARISON",
    "CORRECT",
    "Accuracy",
    "Comparison",
    "Counts",
    "Difference",
    "Floor",
    "Gate",
    "Group",
    "IdentityUse",
    "Means",
    "Side",
    "Texts",
]

#: The schema version of a comparison.
COMPARISON: Final = "itemproof-comparison/v1"
#: The name of what is compared unless a metric is chosen.
CORRECT: Final = "correct"


class Side(msgspec.Struct, frozen=True, kw_only=True):
    """What stands on one side.

    Attributes:
        run: The run of the archive, or null for a path.
        path: The path as it was given, or null for a run.
        variant: The wording that was chosen.
        model: The evaluated model.
    """

    run: str | None
    path: str | None
    variant: str
    model: str


class IdentityUse(msgspec.Struct, frozen=True, kw_only=True):
    """How questions were identified.

    Attributes:
        selected: The values of `--id-field`; empty where the identities stand as they were imported.
        reidentified: Whether raw lines of an archive were read again for it; the archive stays as it is.
        ambiguous: Records whose content identity several documents share, on both sides together.
    """

    selected: list[str]
    reidentified: bool
    ambiguous: int


class Counts(msgspec.Struct, frozen=True, kw_only=True):
    """How many records and items there are of each kind.

    Attributes:
        left_records: Records that were selected on the left, run-local ones included.
        right_records: The same on the right.
        left_run_local: Of those, records without a persistent identity, which are not paired.
        right_run_local: The same on the right.
        matched: Items that stand on both sides.
        left_only: Items that stand on the left only.
        right_only: Items that stand on the right only.
        both_correct: Pairs that are correct on both sides; null for a metric with numbers, as the next three.
        both_wrong: Pairs that are wrong on both sides.
        correct_to_wrong: Pairs that the right side broke.
        wrong_to_correct: Pairs that the right side fixed.
        unscored: Pairs of which at least one side is unknown.
    """

    left_records: int
    right_records: int
    left_run_local: int
    right_run_local: int
    matched: int
    left_only: int
    right_only: int
    both_correct: int | None
    both_wrong: int | None
    correct_to_wrong: int | None
    wrong_to_correct: int | None
    unscored: int


class Accuracy(msgspec.Struct, frozen=True, kw_only=True):
    """Shares of correct answers over the pairs known on both sides; null where there are none.

    Attributes:
        pairs: Those pairs.
        left: The share that is correct on the left.
        right: The share that is correct on the right.
        delta: Right less left.
    """

    pairs: int
    left: float | None
    right: float | None
    delta: float | None


class Means(msgspec.Struct, frozen=True, kw_only=True):
    """Means of a metric with numbers, over the pairs that have it on both sides.

    Attributes:
        pairs: Those pairs.
        left: The mean on the left.
        right: The mean on the right.
        delta: The mean of right less left.
        better: Pairs whose right number is the better one.
        worse: Pairs whose right number is the worse one.
        equal: Pairs of equal numbers.
        higher_is_better: Whether a greater number is the better one.
    """

    pairs: int
    left: float | None
    right: float | None
    delta: float | None
    better: int
    worse: int
    equal: int
    higher_is_better: bool


class Texts(msgspec.Struct, frozen=True, kw_only=True):
    """How the texts of the matched items agree, byte for byte.

    Attributes:
        identical: Pairs whose texts are the same.
        different: Pairs whose texts differ.
        unknown: Pairs of which a side has none.
    """

    identical: int
    different: int
    unknown: int


class Group(msgspec.Struct, frozen=True, kw_only=True):
    """One headline: a benchmark in a language and script, under a filter.

    Attributes:
        benchmark: The benchmark.
        language: The language, or null.
        script: The writing system, or null.
        filter: The filter.
        metric: What was compared.
        counts: As for the whole.
        accuracy: As for the whole.
        means: Of a metric with numbers; else null.
        statistics: As for the whole.
        verdict: `better`, `worse`, `inconclusive`, `within M points`, or null without pairs.
        holm_p: The exact p value after Holm's correction over the groups; null where there is none.
        documents: How the documents agree.
        prompts: How the prompts agree.
    """

    benchmark: str
    language: str | None
    script: str | None
    filter: str
    metric: str
    counts: Counts
    accuracy: Accuracy
    means: Means | None
    statistics: Statistics
    verdict: str | None
    holm_p: float | None
    documents: Texts
    prompts: Texts


class Difference(msgspec.Struct, frozen=True, kw_only=True):
    """Something in which the two sides were run differently.

    Attributes:
        key: What it is.
        left: Its value on the left, null where unknown.
        right: Its value on the right.
    """

    key: str
    left: Any
    right: Any


class Gate(msgspec.Struct, frozen=True, kw_only=True):
    """A condition, and whether it holds.

    Attributes:
        gate: The condition as it was given.
        value: What it was held against; null where undefined, and then it does not hold.
        holds: Whether it holds.
        where: The headline that gave the value; null where it is the whole comparison.
    """

    gate: str
    value: float | None
    holds: bool
    where: str | None


class Floor(msgspec.Struct, frozen=True, kw_only=True):
    """How many items change by themselves: the left side against a rerun of it.

    Attributes:
        run: The rerun as it was given.
        pairs: The pairs known on both.
        changed: Those that changed.
        flip_rate: Their share; null without pairs.
    """

    run: str
    pairs: int
    changed: int
    flip_rate: float | None


class Comparison(msgspec.Struct, frozen=True, kw_only=True):
    """A comparison of two sides, item by item.

    Attributes:
        schema_version: The version of this shape.
        left: The side that is compared with.
        right: The side that is compared.
        identity: How questions were identified.
        metric: What was compared: `correct`, or a metric's name.
        counts: Over all groups.
        accuracy: Over all groups: the contract's aggregate; the headlines are the groups.
        statistics: Of the aggregate.
        groups: One headline each, in order.
        differences: In which the sides were run differently.
        documents: How the documents of the pairs agree.
        prompts: How the prompts of the pairs agree.
        floor: The rerun of `--floor`, or null.
        gates: The conditions, in the order given.
        warnings: What must be read with the numbers.
        explanation: Why there are no pairs, line by line; empty where there are some.
    """

    schema_version: Literal["itemproof-comparison/v1"] = COMPARISON
    left: Side
    right: Side
    identity: IdentityUse
    metric: str
    counts: Counts
    accuracy: Accuracy
    statistics: Statistics
    groups: list[Group]
    differences: list[Difference]
    documents: Texts
    prompts: Texts
    floor: Floor | None
    gates: list[Gate]
    warnings: list[str]
    explanation: list[str]
