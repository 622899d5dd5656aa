"""The source of the package, parsed once for every house test."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

__all__ = ["PACKAGE", "REPOSITORY", "Source", "package", "python_files"]

REPOSITORY: Final = Path(__file__).resolve().parents[2]
PACKAGE: Final = REPOSITORY / "src/itemproof"


@dataclass(frozen=True, slots=True)
class Source:
    """A Python file.

    Attributes:
        name: Its path from the folder that it was looked for in, with `/`.
        text: Its text.
        tree: Its syntax tree.
    """

    name: str
    text: str
    tree: ast.Module

    def calls(self) -> Iterator[tuple[str, ast.Call]]:
        """Every call with the dotted name of what is called, as it is written; "" where it has none."""
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Call):
                yield _dotted(node.func), node

    def names(self) -> Iterator[tuple[str, int]]:
        """Every dotted name and the line it stands on."""
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Name | ast.Attribute):
                yield _dotted(node), node.lineno


def _dotted(node: ast.expr) -> str:
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        before = _dotted(node.value)
        return f"{before}.{node.attr}" if before else node.attr
    return ""


@cache
def package() -> tuple[Source, ...]:
    """Every module of the package, by name."""
    return python_files(PACKAGE)


def python_files(folder: Path) -> tuple[Source, ...]:
    """Every Python file below a folder, by name."""
    return tuple(
        Source(path.relative_to(folder).as_posix(), text := path.read_text(encoding="utf-8"), ast.parse(text))
        for path in sorted(folder.rglob("*.py"))
    )
