"""Tables and pairings made of a few words."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from itemproof.comparing.pairing import Pairing, pair
from itemproof.comparing.selection import Selection
from itemproof.comparing.table import SideReader, Table

__all__ = ["a_line", "paired", "questions", "table_of"]


def a_line(question: str = "q1", **changes: Any) -> bytes:
    """A record line with these fields changed."""
    record = {
        "benchmark": "b",
        "language": None,
        "script": None,
        "question_id": question,
        "variant_id": "original",
        "filter": "none",
        "repeat_id": 0,
        "identity_scope": "stable",
        "input": {},
        "correct": True,
        "metrics": {},
        **changes,
    }
    return json.dumps(record, separators=(",", ":")).encode() + b"\n"


def table_of(lines: Sequence[bytes], selection: Selection = Selection(), *, variant: str = "original") -> Table:  # noqa: B008
    """The table of these lines, as one file."""
    reader = SideReader(selection, frozenset({variant}))
    reader.next_file()
    for line in lines:
        reader.see(line)
    return reader.tables.get(variant) or Table()


def paired(left: Mapping[str, Any], right: Mapping[str, Any], *, metric: str | None = None, **changes: Any) -> Pairing:
    """The pairing of two sides given as verdicts (or metric values) by question."""
    selection = Selection(metric=metric)

    def lines(side: Mapping[str, Any]) -> list[bytes]:
        if metric is None:
            return [a_line(name, correct=value, **changes) for name, value in side.items()]
        return [a_line(name, metrics={metric: value}, **changes) for name, value in side.items()]

    return pair(table_of(lines(left), selection), table_of(lines(right), selection))


def questions(table: Table) -> list[str]:
    """The stable questions of a table."""
    return [name for rows in table.contexts.values() for name in rows]
