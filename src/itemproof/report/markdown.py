"""A comparison as Markdown for a pull request: what comes from data stands in code, where nothing is interpreted."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from itemproof.records.comparison import Comparison, Side
from itemproof.report.words import categories, certainty, change, delta, gate_line, leftovers, p_of, title, unit_of
from itemproof.stats.display import count

__all__ = ["code", "markdown"]

_BACKTICKS: Final = re.compile("`+")
#: Differences beyond these are counted.
_SHOWN: Final = 12
_LONGEST: Final = 120


def code(text: str) -> str:
    """The text as inline code, on one line, in which no mention, link, tag or table cell is seen."""
    plain = "".join(char if char.isprintable() else f"\\u{ord(char):04x}" for char in text)
    if len(plain) > _LONGEST:
        plain = f"{plain[:_LONGEST]}… ({count(len(plain) - _LONGEST)} characters more)"
    fence = "`" * (1 + max(map(len, _BACKTICKS.findall(plain)), default=0))
    edge = " " if plain[:1] in ("`", " ", "") or plain[-1:] in ("`", " ") else ""
    return f"{fence}{edge}{plain}{edge}{fence}".replace("|", "\\|")


def markdown(comparison: Comparison) -> str:
    """The page, its last line ended."""
    lines = [f"### {_verdict(comparison)}", "", f"{_side(comparison.left)} → {_side(comparison.right)}", ""]
    lines += _gates(comparison)
    lines += _table(comparison)
    if comparison.explanation:
        lines += ["**No pairs.**", "", *(f"- {code(text)}" for text in comparison.explanation), ""]
    lines += _evidence(comparison)
    if comparison.warnings:
        lines += ["**Warnings**", "", *(f"- {code(text)}" for text in comparison.warnings), ""]
    return "\n".join(lines).rstrip("\n") + "\n"


def _verdict(comparison: Comparison) -> str:
    words = [group.verdict for group in comparison.groups if group.verdict is not None]
    if not words:
        return "itemproof: no pairs to compare"
    if len(words) == 1:
        return f"itemproof: {words[0]}"
    return "itemproof: " + ", ".join(f"{words.count(word)} {word}" for word in dict.fromkeys(words))


def _side(side: Side) -> str:
    named = side.run if side.run is not None else side.path or ""
    return f"{code(named)} ({code(side.model)}, {code(side.variant)})"


def _gates(comparison: Comparison) -> list[str]:
    if not comparison.gates:
        return []
    lines = [f"- {'✅' if gate.holds else '❌'} {code(gate_line(gate))}" for gate in comparison.gates]
    return [*lines, ""]


def _table(comparison: Comparison) -> list[str]:
    lines = ["| benchmark | metric | n | left → right | difference | verdict | p |", "|---|---|--:|---|---|---|---|"]
    notes = []
    for group in comparison.groups:
        pairs = (group.means or group.accuracy).pairs
        verdict = group.verdict or "n/a"
        cells = (code(title(group)), code(group.metric), count(pairs), change(group), delta(group), verdict)
        lines.append(f"| {' | '.join(cells)} | {p_of(group.statistics).removeprefix('p ')} |")
        said = [part for part in (categories(group), unit_of(group.statistics), *certainty(group)) if part]
        notes.append(f"- {code(title(group))}: {' · '.join(said)}")
    return [*lines, "", *notes, ""]


def _evidence(comparison: Comparison) -> list[str]:
    counts, documents, prompts = comparison.counts, comparison.documents, comparison.prompts
    said = [f"matched {count(counts.matched)}", *leftovers(counts)]
    lines = [f"Paired by identity only: {' · '.join(said)}."]
    if counts.matched:
        lines.append(
            f"Documents identical {count(documents.identical)}, different {count(documents.different)}; prompts "
            f"identical {count(prompts.identical)}, different {count(prompts.different)}."
        )
    if comparison.floor is not None:
        lines.append(
            f"A rerun of the left side changes {count(comparison.floor.changed)} of "
            f"{count(comparison.floor.pairs)} pairs by itself."
        )
    if comparison.differences:
        lines += ["", "**The runs differ in**", "", *_listed(comparison)]
    return [*lines, ""]


def _listed(comparison: Comparison) -> Iterable[str]:
    for one in comparison.differences[:_SHOWN]:
        yield f"- {code(one.key)}: {code(_value(one.left))} → {code(_value(one.right))}"
    if (more := len(comparison.differences) - _SHOWN) > 0:
        yield f"- and {more} more"


def _value(value: object) -> str:
    return "none" if value is None else str(value)
