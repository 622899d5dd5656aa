"""Every case of a fault in an input gives, through the whole import, exactly what lies beside it."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from typing import Any

import pytest

from cli.workbench import Workbench, whole
from itemproof.archive.request import Imported
from itemproof.core.errors import ItemproofError
from itemproof.core.findings import Finding

_CASES = [case for case in sorted(Path(__file__).parent.glob("*_*/")) if not case.name.startswith(("A", "G"))]
_MODEL = "demo/model"


def _expected(case: Path) -> dict[str, Any]:
    expected: dict[str, Any] = json.loads((case / "expected.json").read_text(encoding="utf-8"))
    return expected


_REFUSED = [case for case in _CASES if "findings" in _expected(case)]
_KEPT = [case for case in _CASES if "findings" not in _expected(case)]


@pytest.fixture
def bench(tmp_path: Path) -> Workbench:
    return Workbench.made(tmp_path)


@pytest.mark.parametrize("case", _REFUSED, ids=lambda case: case.name)
def test_a_faulty_input_is_refused_with_exactly_its_findings_and_changes_nothing(case: Path, bench: Workbench) -> None:
    expected = _expected(case)["findings"]

    with bench.unchanged(), pytest.raises(ItemproofError) as refused:
        _import(case, bench)

    assert [_shown(found, like=due) for found, due in zip(refused.value.findings, expected, strict=True)] == expected


@pytest.mark.parametrize("case", _KEPT, ids=lambda case: case.name)
def test_an_input_with_warnings_only_is_kept_and_counted(case: Path, bench: Workbench) -> None:
    imported = _import(case, bench)

    files = imported.entry.files
    warnings: dict[str, int] = {}
    for file in files:
        for code, count in file.warnings.items():
            warnings[code] = warnings.get(code, 0) + count
    counts = {
        "records": sum(file.records for file in files),
        "run_local": sum(file.scopes["run-local"] for file in files),
        "warnings": warnings,
    }
    assert counts == _expected(case)
    assert whole(bench.root) == []


@pytest.mark.parametrize("case", _CASES, ids=lambda case: case.name)
def test_a_case_shows_the_fault_it_is_named_for(case: Path) -> None:
    expected = _expected(case)
    codes = {finding["code"] for finding in expected.get("findings", [])} | set(expected.get("warnings", {}))

    assert case.name.partition("_")[0] in codes


def _import(case: Path, bench: Workbench) -> Imported:
    """The case's files in a fresh run."""
    options = (
        json.loads((case / "options.json").read_text(encoding="utf-8")) if (case / "options.json").exists() else {}
    )
    if "id_field" in options:
        options["id_field"] = tuple(options["id_field"])
    return bench.bring(*_inputs(case, bench.folder / "logs"), **{"model": _MODEL, **options})


def _inputs(case: Path, folder: Path) -> list[Path]:
    """The files to import, in name order: copied, or written by the case's `make.py`."""
    if (case / "make.py").exists():
        spec = importlib.util.spec_from_file_location(case.name, case / "make.py")
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        module.make(folder)
    for path in case.iterdir():
        if path.is_file() and path.name not in {"expected.json", "options.json", "make.py"}:
            (folder / path.name).write_bytes(path.read_bytes())
    return sorted(path for path in folder.rglob("*") if path.is_file())


def _shown(finding: Finding, *, like: dict[str, Any]) -> dict[str, Any]:
    """The parts of a finding that a case states; its file only where the case names it, by its base name."""
    shown = {"code": finding.code.id, "line": finding.where.line, "path": finding.where.path}
    if "file" in like:
        shown["file"] = None if finding.where.file is None else Path(finding.where.file).name
    return shown
