"""Scores counted: over all cases, by level, and what the contract does not ask for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import msgspec

from itemproof.generation.levels import in_order
from itemproof.generation.scoring import Scored
from itemproof.records.score import Score, Summary

__all__ = ["by_level", "further_counts", "summary_of", "whole"]


def by_level(scored: Scored) -> dict[str, Counter[int]]:
    """How often each score of the table occurs in each level that has cases; levels in the order of their text."""
    levels = (case.level for case in scored.fixture.cases)
    counts: dict[str, Counter[int]] = {}
    for (level, number), times in Counter(zip(levels, scored.of_case, strict=True)).items():
        counts.setdefault(level, Counter())[number] = times
    return {level: counts[level] for level in sorted(counts)}


def whole(levels: Mapping[str, Counter[int]]) -> Counter[int]:
    """The counts of all levels together."""
    return sum(levels.values(), Counter())


def summary_of(table: Sequence[Score], counts: Counter[int], *, with_categories: bool = False) -> Summary:
    """The summary of some cases.

    Args:
        table: The scores.
        counts: How often each occurs.
        with_categories: Whether cases are counted by category, too.
    """
    number_of = partial(_number, table, counts)
    cases = counts.total()
    parsed = number_of(lambda score: score.parse_ok)
    valid = number_of(lambda score: score.validate_ok)
    with_head = number_of(lambda score: score.head_ok)
    return Summary(
        case_count=cases,
        missing_output_count=number_of(lambda score: not score.has_output),
        parse_ok_count=parsed,
        parse_ok_rate=_share(parsed, cases),
        canonicalize_ok_count=parsed,
        canonicalize_ok_rate=_share(parsed, cases),
        validate_ok_count=valid,
        validate_ok_rate=_share(valid, cases),
        expected_top_level_head_ok_count=with_head,
        expected_top_level_head_ok_rate=_share(with_head, cases),
        hallucinated_operator_count=number_of(lambda score: bool(score.hallucinated)),
        ok=number_of(lambda score: bool(score.categories)) == 0,
        failure_category_counts=_categories(table, counts) if with_categories else msgspec.UNSET,
    )


def _share(count: int, cases: int) -> float:
    return count / cases if cases else 0.0


def _categories(table: Sequence[Score], counts: Counter[int]) -> dict[str, int]:
    categories: Counter[str] = Counter()
    for number, times in counts.items():
        categories.update(dict.fromkeys(table[number].categories, times))
    return dict(sorted(categories.items()))


def further_counts(scored: Scored, levels: Mapping[str, Counter[int]]) -> dict[str, Any]:
    """How many answers are the reference, how many cases a bare head passes, and what may run; whole and by level."""
    bare = Counter(case.level for case, passes in zip(scored.fixture.cases, scored.bare_head, strict=True) if passes)
    passed = {
        level: _number(scored.table, counts, lambda score: not score.categories) for level, counts in levels.items()
    }
    exact = {level: _number(scored.table, counts, lambda score: score.exact) for level, counts in levels.items()}
    cases = {level: counts.total() for level, counts in levels.items()}
    return {
        "passed": _shares(passed, cases),
        "exact_match": _shares(exact, cases),
        "bare_head": _shares(bare, cases),
        "around": dict(sorted(scored.around.items())),
        "preflight": {
            "decisions": _decisions(scored.table, whole(levels)),
            "by_level": {level: _decisions(scored.table, levels[level]) for level in in_order(levels)},
        },
    }


def _number(table: Sequence[Score], counts: Counter[int], holds: Callable[[Score], bool]) -> int:
    return sum(times for number, times in counts.items() if holds(table[number]))


def _shares(counts: Mapping[str, int], cases: Mapping[str, int]) -> dict[str, Any]:
    found = {level: counts.get(level, 0) for level in in_order(cases)}
    total = sum(found.values())
    return {
        "count": total,
        "rate": _share(total, sum(cases.values())),
        "by_level": {level: {"count": n, "rate": _share(n, cases[level])} for level, n in found.items()},
    }


def _decisions(table: Sequence[Score], counts: Counter[int]) -> dict[str, int]:
    decisions: Counter[str] = Counter()
    for number, times in counts.items():
        decision = table[number].decision
        if decision is not None:
            decisions[decision] += times
    return dict(sorted(decisions.items()))
