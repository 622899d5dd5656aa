"""No file and no function is longer than can be read at once, and a face only shows what lies behind it."""

from __future__ import annotations

import ast
from typing import Final

from house.sources import REPOSITORY, package, python_files

FILE_LINES: Final = 400
FUNCTION_LINES: Final = 50
FACE_LINES: Final = 40


def test_no_file_has_more_than_400_lines() -> None:
    written = [
        (folder, source) for folder in ("src", "docs", "benchmarks") for source in python_files(REPOSITORY / folder)
    ]
    lengths = {f"{folder}/{source.name}": source.text.count("\n") for folder, source in written}
    assert {name: lines for name, lines in lengths.items() if lines > FILE_LINES} == {}


def test_no_function_has_more_than_50_lines_besides_its_docstring() -> None:
    long = {}
    for source in package():
        for node in ast.walk(source.tree):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                lines = _lines(node)
                if lines > FUNCTION_LINES:
                    long[f"{source.name}:{node.lineno} {node.name}"] = lines
    assert long == {}


def _lines(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    body = function.body[1:] if ast.get_docstring(function) is not None else function.body
    docstring = 0
    if body is not function.body:
        first = function.body[0]
        docstring = (first.end_lineno or first.lineno) - first.lineno + 1
    return (function.end_lineno or function.lineno) - function.lineno + 1 - docstring


def test_a_face_defines_nothing() -> None:
    defined = []
    for source in package():
        if source.name.endswith("__init__.py"):
            kinds = [node for node in source.tree.body if isinstance(node, ast.FunctionDef | ast.ClassDef)]
            defined += [(source.name, node.name) for node in kinds]
    # The outermost face loads what it shows when it is asked for, and names it; a module does that in this way only.
    assert sorted(defined) == [("__init__.py", "__dir__"), ("__init__.py", "__getattr__")]


def test_a_face_fits_a_screen() -> None:
    lengths = {source.name: source.text.count("\n") for source in package() if source.name.endswith("__init__.py")}
    assert {name: lines for name, lines in lengths.items() if lines > FACE_LINES} == {}


def test_every_module_opens_with_its_one_purpose() -> None:
    wrong = []
    for source in package():
        first = (ast.get_docstring(source.tree) or "").split("\n")[0]
        if not first or len(first) > 120 or first[-1] not in ".:?":
            wrong.append((source.name, first))
    assert wrong == []
