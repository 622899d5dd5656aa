"""A place in the input: file, line and JSON path, so that a fault can be found and mended."""

from __future__ import annotations

from dataclasses import dataclass, replace

__all__ = ["NOWHERE", "Where"]


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Where:
    """A place; each part is None where it does not apply.

    Attributes:
        file: The file as the user named it, or its path relative to the archive.
        line: The line, counted from 1.
        path: The JSON path, beginning with `$`.
    """

    file: str | None = None
    line: int | None = None
    path: str | None = None

    def at(self, *, file: str | None = None, line: int | None = None, path: str | None = None) -> Where:
        """The same place with what the outer level knows filled in; what is known already stays."""
        return replace(
            self,
            file=self.file if self.file is not None else file,
            line=self.line if self.line is not None else line,
            path=self.path if self.path is not None else path,
        )

    def __str__(self) -> str:
        """`file:line  $.path`, with the parts that are known."""
        place = self.file or ""
        if self.line is not None:
            place += f":{self.line}" if self.file else f"line {self.line}"
        return "  ".join(part for part in (place, self.path) if part)


NOWHERE = Where()
