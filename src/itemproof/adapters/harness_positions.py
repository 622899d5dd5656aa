"""Notices a document that occurs twice where no line names its filter: lm-eval before 0.4.7 logged filters that way.

The positions of all lines are gathered in the tally and looked at behind the last line, because the stretches of one
file may have been read side by side.
"""

from __future__ import annotations

import json
from collections.abc import Hashable, Iterator, Sequence
from typing import Any, Final

import numpy as np

from itemproof.adapters.base import Positions, Tally
from itemproof.core.findings import Code, Finding, Findings
from itemproof.core.where import Where

__all__ = ["refuse_doubles", "see_position"]

SEVERAL_FILTERS: Final = Code("H004", "a document occurs twice and no line names its filter")

#: How many digits a position may have to be kept as an integer, and one more than the greatest of them.
_DIGITS: Final = 18
_LIMIT: Final = 10**_DIGITS
#: How much of a position is shown.
_SHOWN: Final = 80


def see_position(tally: Tally, doc_id: Any, beside: Hashable, number: int) -> None:
    """The tally remembers a line's position; null is none.

    The harness writes small integers. What imitates it may write 3.0 or "3" for 3, or a text of its own.

    Args:
        tally: Of the stretch.
        doc_id: The line's position among the documents.
        beside: All else that tells the records of a file apart.
        number: The line.
    """
    if type(doc_id) is not int or not 0 <= doc_id < _LIMIT:
        if doc_id is None:
            return
        doc_id = _as_position(doc_id)
        if type(doc_id) is str:
            tally.odd_positions.setdefault((beside, doc_id), []).append(number)
            return
    seen = tally.positions.get(beside)
    if seen is None:
        seen = tally.positions[beside] = Positions()
    seen.values.append(doc_id)
    seen.lines.append(number)


def _as_position(doc_id: Any) -> int | str:
    """The integer that a number or a decimal text stands for, else the text, or the JSON text of what is none."""
    if type(doc_id) is float and doc_id.is_integer():
        doc_id = int(doc_id)
    text = doc_id if type(doc_id) is str else json.dumps(doc_id, ensure_ascii=False, sort_keys=True)
    is_short = text.isascii() and text.isdigit() and len(text) <= _DIGITS
    return int(text) if is_short and (text == "0" or text[0] != "0") else text


def refuse_doubles(tally: Tally, filters: Sequence[str]) -> Findings:
    """A finding for each line whose position another line had before it, in line order (H004).

    Args:
        tally: Of the whole file.
        filters: The names that the results file gives the filters, in the order of their lines; empty if unknown.
    """
    findings = Findings()
    doubles = [(line, str(at), first) for seen in tally.positions.values() for line, at, first in _doubles(seen)]
    for (_, at), lines in tally.odd_positions.items():
        first = min(lines)
        doubles.extend((line, at, first) for line in lines if line != first)
    for line, doc_id, first in sorted(doubles):
        findings.add(Finding(SEVERAL_FILTERS, _text(doc_id, first, filters), Where(line=line, path="$.doc_id")))
    return findings


def _doubles(seen: Positions) -> Iterator[tuple[int, int, int]]:
    """The line, position and first line of every position's second and later occurrences."""
    values, lines = np.frombuffer(seen.values, dtype=np.int64), np.frombuffer(seen.lines, dtype=np.int64)
    order = np.lexsort((lines, values))
    values, lines = values[order], lines[order]
    starts = np.flatnonzero(np.r_[True, values[1:] != values[:-1]])
    firsts = np.repeat(lines[starts], np.diff(np.r_[starts, len(values)]))
    for at in np.flatnonzero(lines != firsts).tolist():
        yield int(lines[at]), int(values[at]), int(firsts[at])


def _text(doc_id: str, first: int, filters: Sequence[str]) -> str:
    named = f"; the results file names them {', '.join(filters)}, in this order" if filters else ""
    return (
        f"doc_id {doc_id[:_SHOWN]} was there before, in line {first}, and the lines name no filter. Several filters "
        "are the likely cause: lm-eval before 0.4.7 writes the documents once for each filter and does not say which. "
        f"Split the file where doc_id begins again and import each part with --filter NAME{named}."
    )
