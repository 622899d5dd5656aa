"""Every damaged archive under `tests/cases/A*` gives exactly the findings that lie beside it."""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from itemproof.archive.validate import validate
from itemproof.core.findings import Finding

_CASES = sorted((Path(__file__).parents[2] / "cases").glob("A*_*/"))


@pytest.mark.parametrize("case", _CASES, ids=lambda case: case.name)
def test_a_damaged_archive_gives_exactly_its_findings(case: Path, tmp_path: Path) -> None:
    _make(case, tmp_path)
    expected = json.loads((case / "expected.json").read_text(encoding="utf-8"))

    validation = validate(tmp_path, jobs=1)

    assert _shown(validation.findings) == expected["findings"]
    assert _shown(validation.notes) == expected.get("notes", [])
    assert validation.ok is (not expected["findings"])


def test_there_are_cases() -> None:
    assert len(_CASES) > 30


@pytest.mark.parametrize("case", _CASES, ids=lambda case: case.name)
def test_a_case_shows_the_fault_it_is_named_for(case: Path) -> None:
    expected = json.loads((case / "expected.json").read_text(encoding="utf-8"))

    codes = {shown["code"] for shown in [*expected["findings"], *expected.get("notes", [])]}

    assert case.name.partition("_")[0] in codes


def _make(case: Path, folder: Path) -> None:
    spec = importlib.util.spec_from_file_location(case.name, case / "make.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    module.make(folder)


def _shown(findings: Sequence[Finding]) -> list[dict[str, Any]]:
    """What `expected.json` holds of each: code, file, line, and where there is one the JSON path."""
    shown: list[dict[str, Any]] = []
    for finding in findings:
        where = finding.where
        in_line = {} if where.path is None else {"json_path": where.path}
        shown.append({"code": finding.code.id, "path": where.file, "line": where.line, **in_line})
    return shown
