"""What the package needs is what it says that it needs."""

from __future__ import annotations

import ast
import re
import sys
import tomllib

from house.sources import REPOSITORY, package


def imported() -> set[str]:
    """The outermost names of everything that the package imports and that is neither Python's nor its own."""
    found = set()
    for source in package():
        for node in ast.walk(source.tree):
            if isinstance(node, ast.Import):
                found |= {alias.name.partition(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module is not None:
                found.add(node.module.partition(".")[0])
    return found - sys.stdlib_module_names - {"itemproof"}


def test_what_is_imported_is_declared_and_the_other_way_round() -> None:
    project = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert {re.split(r"[^\w-]", one)[0] for one in project["dependencies"]} == imported()


def test_no_module_imports_a_private_name_of_another_room() -> None:
    private = []
    for source in package():
        for node in ast.walk(source.tree):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("itemproof."):
                private += [f"{source.name} {alias.name}" for alias in node.names if alias.name.startswith("_")]
    assert private == []
