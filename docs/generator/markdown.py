"""The few pieces of Markdown that the pages are made of."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

__all__ = ["MADE", "table"]

#: The first line of every page that is made.
MADE = "<!-- Made by docs/generate.py from the code: change the code and run `make docs`. -->"


def table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    """The lines of a table, with what would end a cell escaped, and a blank line behind."""
    yield f"| {' | '.join(header)} |"
    yield f"|{'---|' * len(header)}"
    for row in rows:
        yield f"| {' | '.join(' '.join(cell.split()).replace('|', chr(92) + '|') for cell in row)} |"
    yield ""
