"""The only file that prints: results to standard output, everything else to standard error."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from time import monotonic
from typing import TYPE_CHECKING, Any, Final, TextIO, TypeAlias

from itemproof.core.errors import unavailable
from itemproof.core.findings import Code

if TYPE_CHECKING:
    import click
    from rich.progress import Progress

    from itemproof.core.errors import ItemproofError
    from itemproof.core.findings import Finding

__all__ = [
    "Table",
    "counted",
    "error_lines",
    "finding_document",
    "let_go_of_stdout",
    "note",
    "progress",
    "show",
    "show_error",
    "show_usage",
    "visible",
]

USAGE: Final = Code("U000", "a command line cannot be understood")
NOT_PRINTED: Final = Code("D030", "the result of a command could not be printed")

#: Work that takes less shows no bar.
_QUIET_S = 1.0


@dataclass(frozen=True, slots=True)
class Table:
    """Rows under a header.

    Attributes:
        header: A name for each column.
        rows: As many texts a row.
        right: The columns that are aligned to the right, from 0.
    """

    header: Sequence[str]
    rows: Sequence[Sequence[str]]
    right: frozenset[int] = frozenset()


#: What a command prints for people: lines and tables in order.
Page: TypeAlias = Sequence[str | Table]


def visible(text: str) -> str:
    """The text with control, format and surrogate characters spelt out, so that data cannot drive a terminal."""
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() else _spelt(char) for char in text)


def counted(number: int, noun: str) -> str:
    """A number with its noun: `1 record`, `1,319 records`."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def _spelt(char: str) -> str:
    number = ord(char)
    if number < 0x100:
        return f"\\x{number:02x}"
    return f"\\u{number:04x}" if number < 0x10000 else f"\\U{number:08x}"


def _write(stream: TextIO, text: str) -> None:
    """Writes a line, spelling out what the stream's encoding does not have."""
    encoding = stream.encoding or "utf-8"
    stream.write(text.encode(encoding, "backslashreplace").decode(encoding) + "\n")


def _said(document: dict[str, Any], page: Page, *, as_json: bool) -> None:
    if as_json:
        page = [json.dumps(document, allow_nan=False)]
    for part in page:
        for line in _table_lines(part) if isinstance(part, Table) else [visible(part)]:
            _write(sys.stdout, line)
    sys.stdout.flush()


def show(document: dict[str, Any], page: Page, *, as_json: bool) -> None:
    """Prints a result: the document with `--json`, else the page.

    Raises:
        Unavailable: Standard output did not take it (D030); what the command did is done all the same.
    """
    try:
        _said(document, page, as_json=as_json)
    except BrokenPipeError:  # the reader has seen enough
        let_go_of_stdout()
    except OSError as error:
        let_go_of_stdout()
        text = (
            f"The result could not be printed: {error.strerror}. What the command was to do is done; do not repeat it."
        )
        raise unavailable(NOT_PRINTED, text) from error


def let_go_of_stdout() -> None:
    """Nothing more can be printed, and the interpreter does not complain of it while it ends."""
    _let_go(sys.stdout)


def _let_go(stream: TextIO) -> None:
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def note(*lines: str) -> None:
    """Says something to the person, on standard error; a line end within a line is data and is spelt out.

    Where standard error takes nothing, nobody can be told.
    """
    try:
        for line in lines:
            _write(sys.stderr, visible(line))
        sys.stderr.flush()
    except OSError:
        _let_go(sys.stderr)


def error_lines(error: ItemproofError) -> Iterator[str]:
    """Each finding of an error in a line, how many more there are, and what came of it all."""
    yield from map(str, error.findings)
    if (more := error.findings.count - len(error.findings.kept)) > 0:
        yield f"and {more:,} more"
    if error.outcome:
        yield error.outcome


def _table_lines(table: Table) -> list[str]:
    """The lines of a table, two blanks between the columns, as wide as their widest cell on a screen."""
    from rich.cells import cell_len

    cells = [[visible(cell) for cell in row] for row in (table.header, *table.rows)]
    widths = [max(map(cell_len, column)) for column in zip(*cells, strict=True)]
    lines = []
    for row in cells:
        parts = []
        for number, (cell, width) in enumerate(zip(row, widths, strict=True)):
            gap = " " * (width - cell_len(cell))
            parts.append(gap + cell if number in table.right else cell + gap)
        lines.append("  ".join(parts).rstrip())
    return lines


def finding_document(finding: Finding) -> dict[str, Any]:
    """A finding as `--json` shows it."""
    where = finding.where
    return {
        "code": str(finding.code),
        "path": where.file,
        "line": where.line,
        "json_path": where.path,
        "text": finding.text,
    }


def show_error(error: ItemproofError, *, as_json: bool, exit_code: int) -> None:
    """Prints why a command did not do what was asked."""
    if as_json:
        findings = [finding_document(finding) for finding in error.findings]
        inner = {
            "code": str(error.code),
            "text": error.text,
            "outcome": error.outcome,
            "count": error.findings.count,
            "findings": findings,
        }
        show({"error": inner, "exit_code": exit_code}, [], as_json=True)
    else:
        note(*error_lines(error))


def show_usage(error: click.ClickException, *, as_json: bool, exit_code: int) -> None:
    """Prints what is wrong with a command line, and where its help is."""
    text = error.format_message()
    if as_json:
        finding = {"code": USAGE.id, "path": None, "line": None, "json_path": None, "text": text}
        inner = {"code": USAGE.id, "text": text, "outcome": "", "count": 1, "findings": [finding]}
        show({"error": inner, "exit_code": exit_code}, [], as_json=True)
        return
    context = getattr(error, "ctx", None)
    note(" ".join(text.split()), *([f"Try: {context.command_path} --help"] if context is not None else []))


@contextmanager
def progress(what: str, total_bytes: int) -> Iterator[Callable[[int], None]]:
    """A function to call with the bytes that were done; a bar shows on a terminal once a second has passed."""
    bar = _Bar(what, total_bytes) if sys.stderr.isatty() else None
    try:
        yield bar.advance if bar is not None else _ignore
    finally:
        if bar is not None:
            bar.close()


def _ignore(_: int) -> None:
    """Nobody watches."""


class _Bar:
    """A bar that waits before it shows, and draws only when told, so that no thread runs beside the work."""

    def __init__(self, what: str, total_bytes: int) -> None:
        self._what, self._total, self._done = what, total_bytes, 0
        self._started = self._drawn = monotonic()
        self._bar: Progress | None = None

    def advance(self, size_bytes: int) -> None:
        self._done += size_bytes
        now = monotonic()
        if now - self._started < _QUIET_S or now - self._drawn < 0.1:
            return
        self._drawn = now
        bar = self._bar or self._open()
        bar.update(bar.task_ids[0], completed=min(self._done, self._total), refresh=True)

    def _open(self) -> Progress:
        from rich.console import Console
        from rich.progress import (
            BarColumn,
            DownloadColumn,
            Progress,
            TextColumn,
            TimeRemainingColumn,
            TransferSpeedColumn,
        )

        columns = (
            TextColumn("{task.description}", markup=False),
            BarColumn(),
            DownloadColumn(),
            TransferSpeedColumn(),
            TimeRemainingColumn(),
        )
        bar = Progress(*columns, console=Console(stderr=True), auto_refresh=False, transient=True)
        bar.add_task(visible(self._what), total=self._total)
        bar.start()
        self._bar = bar
        return bar

    def close(self) -> None:
        if self._bar is not None:
            self._bar.stop()
