"""The room itself: what it may lean on."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

import itemproof.stats


def test_statistics_lean_on_numpy_and_the_standard_library_alone() -> None:
    """Importing scipy.stats takes a second, and records belong to rooms above and beside this one."""
    leant_on: set[str] = set()
    for file in Path(itemproof.stats.__path__[0]).glob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                leant_on.update(alias.name for alias in node.names)
            elif isinstance(node, ast.ImportFrom):
                leant_on.add(node.module or "")
    outside = {name for name in leant_on if name.partition(".")[0] not in sys.stdlib_module_names}
    assert {name for name in outside if not name.startswith("itemproof.stats.")} == {"numpy", "numpy.typing"}
