"""A comparison in words, for the terminal and for Markdown: every headline, its counts, and how sure it is."""

from __future__ import annotations

from itemproof.records.certainty import Statistics
from itemproof.records.comparison import Comparison, Counts, Gate, Group
from itemproof.stats.display import (
    DIFFERENCE,
    NUMBER,
    PERCENT,
    POINTS,
    SIZE_IN_POINTS,
    Scale,
    count,
    in_full,
    p_value,
    show,
)
from itemproof.stats.estimate import Estimate

__all__ = ["categories", "certainty", "change", "delta", "gate_line", "leftovers", "p_of", "title", "unit_of"]


def title(group: Group) -> str:
    """What a headline is about."""
    parts = (group.benchmark, group.language, group.script, None if group.filter == "none" else group.filter)
    return " ".join(part for part in parts if part is not None)


def change(group: Group) -> str:
    """From the left number to the right one, such as `35.6 % -> 45.0 %`."""
    scale, found = _scale(group), group.means or group.accuracy
    if found.left is None or found.right is None:
        return "n/a"
    return f"{show(found.left, scale)} -> {show(found.right, scale)}"


def delta(group: Group) -> str:
    """The difference with its interval, such as `+9.4 points [+5.4, +13.4]`, or why there is none."""
    scale = DIFFERENCE if group.means else POINTS
    found, limits = (group.means or group.accuracy).delta, group.statistics.delta
    if found is None:
        return f"n/a: {_why_nothing(group)}"
    if limits.low is None or limits.high is None or limits.method is None:
        return f"{show(found, scale)} (no interval: {group.statistics.why.get('delta', 'unknown')})"
    pairs = (group.means or group.accuracy).pairs
    estimate = Estimate(
        value=found,
        low=limits.low,
        high=limits.high,
        n=pairs,
        level=group.statistics.level,
        method=limits.method,
    )
    return in_full(estimate, scale)


def p_of(statistics: Statistics) -> str:
    """The p value with its name; empty where there is none."""
    if statistics.mcnemar is not None:
        return f"p {p_value(statistics.mcnemar.p)}"
    return f"p {p_value(statistics.sign_flips.p)} (sign flips)" if statistics.sign_flips is not None else ""


def categories(group: Group) -> str:
    """What became of the pairs, in words and counts."""
    counts, parts = group.counts, []
    if group.means is not None:
        parts = [(group.means.worse, "worse"), (group.means.better, "better"), (group.means.equal, "equal")]
    else:
        parts = [
            (counts.correct_to_wrong or 0, "broke"),
            (counts.wrong_to_correct or 0, "fixed"),
            (counts.both_correct or 0, "both right"),
            (counts.both_wrong or 0, "both wrong"),
        ]
    texts = [f"{word} {count(number)}" for number, word in parts]
    return " · ".join([*texts, *leftovers(counts)])


def leftovers(counts: Counts) -> list[str]:
    """What is not in the numbers: unknown, on one side only, without a persistent identity."""
    parts = (
        (counts.unscored, "unscored"),
        (counts.left_only, "left only"),
        (counts.right_only, "right only"),
        (counts.left_run_local, "run-local left"),
        (counts.right_run_local, "run-local right"),
    )
    return [f"{word} {count(number)}" for number, word in parts if number]


def unit_of(statistics: Statistics) -> str:
    """The unit where it is not the pair, such as `unit question (20)`."""
    if statistics.clusters is None:
        return ""
    return f"unit {statistics.unit} ({count(statistics.clusters)})"


def certainty(group: Group) -> list[str]:
    """What else the statistics say of a headline."""
    statistics, said = group.statistics, []
    if group.holm_p is not None:
        said.append(f"p after Holm {p_value(group.holm_p)}")
    if statistics.flip_rate is not None and group.means is None:
        said.append(f"flip rate {show(statistics.flip_rate, PERCENT)}")
    if statistics.mde is not None:
        size = show(statistics.mde, NUMBER if group.means else SIZE_IN_POINTS)
        said.append(f"smallest difference that would be found {size}")
    if statistics.bootstrap is not None:
        found = statistics.bootstrap
        scale = DIFFERENCE if group.means else POINTS
        said.append(f"{found.method} [{show(found.low, scale)}, {show(found.high, scale)}]")
    if statistics.non_inferiority is not None:
        answer = statistics.non_inferiority
        word = "shown" if answer.shown else "not shown"
        said.append(
            f"worse by less than {show(answer.margin, SIZE_IN_POINTS)}: {word} (one-sided limit "
            f"{show(answer.low, POINTS)})"
        )
    return said


def gate_line(gate: Gate) -> str:
    """A gate and what became of it."""
    value = "n/a" if gate.value is None else f"{gate.value:.6g}"
    where = f" in {gate.where}" if gate.where else ""
    return f"{gate.gate}: {'holds' if gate.holds else 'does not hold'} ({value}{where})"


def documents_line(comparison: Comparison) -> str:
    """How many pairs have the same document; empty where the records have none."""
    documents = comparison.documents
    if not documents.identical and not documents.different:
        return ""
    text = f"the documents are byte-identical on both sides: {count(documents.identical)}"
    return text + (f", different: {count(documents.different)}" if documents.different else "")


def _scale(group: Group) -> Scale:
    return NUMBER if group.means else PERCENT


def _why_nothing(group: Group) -> str:
    return "no pairs" if group.counts.matched == 0 else group.statistics.why.get("delta", "unknown")
