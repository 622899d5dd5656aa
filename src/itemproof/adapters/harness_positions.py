"""Notices a document that occurs twice where no line names its filter: lm-eval before 0.4.7 logged filters that way.

The positions of all lines are gathered in the tally and looked at behind the last line, because the stretches of one
file may have been read side by side.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from typing import Any, Final

import numpy as np

from itemproof.adapters.base import Positions, Tally
from itemproof.core.findings import Code, Finding, Findings
from itemproof.core.where import Where

__all__ = ["refuse_doubles", "see_position"]

SEVERAL_FILTERS: Final = Code("H004", "a document occurs twice and no line names its filter")


def see_position(tally: Tally, doc_id: Any, beside: Hashable, number: int) -> None:
    """The tally remembers a line's position; one that is no integer of the harness's size is passed over.

    Args:
        tally: Of the stretch.
        doc_id: The line's position among the documents.
        beside: All else that tells the records of a file apart.
        number: The line.
    """
    if type(doc_id) is not int or not 0 <= doc_id < 1 << 62:
        return
    seen = tally.positions.get(beside)
    if seen is None:
        seen = tally.positions[beside] = Positions()
    seen.values.append(doc_id)
    seen.lines.append(number)


def refuse_doubles(tally: Tally, filters: Sequence[str]) -> Findings:
    """A finding for each line whose position another line had before it, in line order (H004).

    Args:
        tally: Of the whole file.
        filters: The names that the results file gives the filters, in the order of their lines; empty if unknown.
    """
    findings = Findings()
    for line, doc_id, first in sorted(double for seen in tally.positions.values() for double in _doubles(seen)):
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


def _text(doc_id: int, first: int, filters: Sequence[str]) -> str:
    named = f"; the results file names them {', '.join(filters)}, in this order" if filters else ""
    return (
        f"doc_id {doc_id} was there before, in line {first}, and the lines name no filter. Several filters are the "
        "likely cause: lm-eval before 0.4.7 writes the documents once for each filter and does not say which. Split "
        f"the file where doc_id begins again and import each part with --filter NAME{named}."
    )
