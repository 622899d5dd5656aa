"""A comparison with its evidence at hand: the value, the items behind it, and the files that can be made of it."""

from __future__ import annotations

import importlib
import shutil
import weakref
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, Final, Self

import msgspec

from itemproof.app.sides import OpenSide, identified_by
from itemproof.archive.archive import Run
from itemproof.comparing.outcomes import Judge
from itemproof.comparing.pairing import Pairing
from itemproof.comparing.table import Headline, Table
from itemproof.core.errors import NotInstalled, invalid
from itemproof.core.findings import Code, Finding, Findings
from itemproof.core.where import Where
from itemproof.files.atomic import disk_faults, new_file
from itemproof.files.paths import utf8_text
from itemproof.records.comparison import Comparison, Difference, Group
from itemproof.records.item import CHANGED, Item
from itemproof.report.csv import write_csv
from itemproof.report.jsonl import write_jsonl
from itemproof.report.markdown import markdown

__all__ = ["FORMATS", "Compared", "Lines", "format_of"]

NO_FORMAT: Final = Code("X010", "no format of an item report is named and none can be told")
LATER: Final = Code("X011", "a format of item reports that this version does not write")
NOT_CSV: Final = Code("X012", "an option of CSV was given for an item report of another format")
NO_POLARS: Final = Code("X013", "polars is not installed")

#: The formats of item reports.
FORMATS: Final = ("csv", "jsonl")
_LATER: Final = ("html",)


def _unheard(_: str) -> None:
    """Nobody listens."""


def format_of(destination: Path, given: str | None) -> str:
    """The format of an item report: as given, else by the suffix.

    Raises:
        InvalidInput: There is none (X010), or it is not written yet (X011).
    """
    named = destination.suffix.lower().removeprefix(".") if given is None else given
    where = Where(file=utf8_text(str(destination)))
    if named in FORMATS:
        return named
    if named in _LATER:
        raise invalid(LATER, f"This version does not write {named} yet; it writes csv and jsonl.", where)
    text = "The name ends neither in .csv nor in .jsonl. Give it one of these ends, or say --format csv or jsonl."
    raise invalid(NO_FORMAT, text, where)


class Lines:
    """Fetches whole record lines of a run by their place.

    Args:
        run: The run.
        table: Where its records lie.
    """

    def __init__(self, run: Run, table: Table) -> None:
        self._run = run
        self._table = table
        self._open: dict[int, BinaryIO] = {}

    def at(self, row: int | None) -> bytes | None:
        """The line of a row, its end left out; None where there is no row."""
        if row is None:
            return None
        number = self._table.files[row]
        file = self._open.get(number)
        if file is None:
            path = self._run.layout.stored(self._run.manifest.files[number].records_path)
            with disk_faults(path):
                file = self._open[number] = path.open("rb")
        file.seek(self._table.offsets[row])
        return file.readline().rstrip(b"\n")

    def close(self) -> None:
        """No file is open."""
        for file in self._open.values():
            file.close()
        self._open.clear()


class Compared:
    """A comparison of two sides.

    It holds what it needs of the logs in a temporary folder until it is closed, or nobody refers to it any more.

    Args:
        value: What the comparison came to.
        sides: The left and the right side.
        pairing: Their tables, joined.
        judge: Says what an item came to.
        folder: What was made on the way; it is thrown away.
    """

    def __init__(
        self,
        value: Comparison,
        sides: tuple[OpenSide, OpenSide],
        pairing: Pairing,
        judge: Judge,
        *,
        folder: Path,
    ) -> None:
        self.value = value
        self.sides = sides
        self._pairing = pairing
        self._judge = judge
        self._close = weakref.finalize(self, shutil.rmtree, folder, ignore_errors=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """The temporary folder is gone; items can no longer be listed, the summary stays."""
        self._close()

    @property
    def summary(self) -> dict[str, Any]:
        """The stable document of `compare --json`."""
        document: dict[str, Any] = msgspec.to_builtins(self.value)
        return document

    @property
    def groups(self) -> list[Group]:
        """The headlines, in order."""
        return self.value.groups

    @property
    def differences(self) -> list[Difference]:
        """In which the sides were run differently."""
        return self.value.differences

    def paired_by(self) -> list[str]:
        """The fields that name the questions of the pairs, by the first lines of their files; empty where not known."""
        left, right = self._pairing.left, self._pairing.right
        names: set[str] = set()
        for group in self._pairing.groups.values():
            names |= identified_by(self.sides[0], left.files_of(group.left))
            names |= identified_by(self.sides[1], right.files_of(group.right))
        return sorted(names)

    def items(self, *, only: Sequence[str] = ()) -> Iterator[Item]:
        """Every item of either side by its identity, with whole record lines; of some outcomes only, if named.

        `changed` names the outcomes of pairs that changed.
        """
        wanted = {outcome for name in only for outcome in (CHANGED if name == "changed" else (name,))}
        left, right = (
            Lines(side.run, table)
            for side, table in zip(self.sides, (self._pairing.left, self._pairing.right), strict=True)
        )
        try:
            for key, before, after in self._pairing.items():
                headline = Headline(key.benchmark, key.language, key.script, key.filter)
                outcome = self._judge.outcome(headline, before, after)
                if not wanted or outcome in wanted:
                    compared = (
                        self._judge.compared(headline, before, right=False),
                        self._judge.compared(headline, after, right=True),
                    )
                    yield Item(key, outcome, compared, left.at(before), right.at(after))
        finally:
            left.close()
            right.close()

    def write_items(
        self,
        destination: Path | str,
        *,
        format: str | None = None,  # noqa: A002 (the option's name)
        only: Sequence[str] = (),
        excel: bool = False,
        note: Callable[[str], None] = _unheard,
    ) -> int:
        """The destination holds the items in a format of `FORMATS`; their number is returned.

        Raises:
            InvalidInput: There is no such format (X010, X011), or an option is of another one (X012).
            Refused: The destination exists (D005).
            Unavailable: The disk refused; nothing is left.
        """
        path = Path(destination)
        chosen = format_of(path, format)
        if excel and chosen != "csv":
            text = f"--excel marks CSV for Excel, and this report is {chosen}. Leave it out, or write csv."
            raise invalid(NOT_CSV, text, Where(file=utf8_text(str(path))))
        with new_file(path) as out:
            items = self.items(only=only)
            if chosen == "jsonl":
                return write_jsonl(items, out)
            metric = None if self.value.metric == "correct" else self.value.metric
            return write_csv(items, out, metric=metric, excel=excel, note=note)

    def write_csv(self, destination: Path | str, *, excel: bool = False) -> int:
        """As `write_items`, in CSV."""
        return self.write_items(destination, format="csv", excel=excel)

    def write_jsonl(self, destination: Path | str) -> int:
        """As `write_items`, in JSON Lines."""
        return self.write_items(destination, format="jsonl")

    def write_markdown(self, destination: Path | str) -> None:
        """The destination holds the page for a pull request.

        Raises:
            Refused: The destination exists (D005).
            Unavailable: The disk refused; nothing is left.
        """
        with new_file(Path(destination)) as out:
            out.write(markdown(self.value).encode("utf-8", "backslashreplace"))

    def to_polars(self) -> Any:
        """The items as a polars frame: identity, outcome, and what was compared on both sides.

        Raises:
            NotInstalled: polars is not there (X013).
        """
        try:
            pl = importlib.import_module("polars")
        except ImportError as error:
            findings = Findings()
            findings.add(Finding(NO_POLARS, "polars is not installed; `pip install polars` brings it."))
            raise NotInstalled(findings) from error
        rows = [
            {
                **item.key._asdict(),
                "repeat_id": str(item.key.repeat_id),
                "outcome": item.outcome,
                "left": item.compared[0],
                "right": item.compared[1],
            }
            for item in self.items()
        ]
        return pl.DataFrame(rows, infer_schema_length=None)
