"""Fixtures: what is taken, and every fault of what is not."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from itemproof.app.generation import prepared
from itemproof.core.errors import InvalidInput, Unavailable
from itemproof.generation.fixture import read_fixture
from unit.generation.records import TWO, a_case, a_fixture


def written(folder: Path, fixture: Any, name: str = "fixture.json") -> Path:
    """The file of a fixture, of bytes or of a value."""
    path = folder / name
    path.write_bytes(fixture if isinstance(fixture, bytes) else json.dumps(fixture).encode())
    return path


def faults(folder: Path, fixture: Any) -> list[tuple[str, str | None]]:
    """Code and path of all that a fixture is refused for."""
    with pytest.raises(InvalidInput) as refused:
        read_fixture(written(folder, fixture))
    return [(one.code.id, one.where.path) for one in refused.value.findings]


def test_a_fixture_is_read_with_its_levels_in_order(tmp_path: Path) -> None:
    fixture = read_fixture(written(tmp_path, a_fixture(*TWO, name="n", defined_levels=["L10", "L2", "L1"], x=1)))

    assert (fixture.name, fixture.language) == ("n", "coglang")
    assert fixture.defined_levels == ["L1", "L2", "L10"]
    assert [case.case_id for case in fixture.cases] == ["A", "B"]


@pytest.mark.parametrize("changes", [{}, {"defined_levels": []}], ids=["absent", "empty"])
def test_levels_that_are_not_defined_are_those_of_the_cases(tmp_path: Path, changes: dict[str, Any]) -> None:
    fixture = read_fixture(written(tmp_path, a_fixture(*TWO, **changes), name="mine.json"))

    assert (fixture.defined_levels, fixture.name) == (["L1", "L2"], "mine")


def test_the_fixture_of_the_package_has_the_same_name_everywhere() -> None:
    assert read_fixture(None).shown == "itemproof/generation/data/coglang-core.json"


@pytest.mark.parametrize(
    ("fixture", "expected"),
    [
        pytest.param([], [("G001", None)], id="a list"),
        pytest.param(5, [("G001", None)], id="a number"),
        pytest.param({"schema_version": "coglang-generation-eval-fixture/v0.1"}, [("G001", None)], id="no cases"),
        pytest.param({"cases": None}, [("G001", None)], id="cases that are null"),
        pytest.param(a_fixture(), [("G003", "$.cases")], id="no case"),
        pytest.param(a_fixture(*TWO, schema_version="v9"), [("G002", "$.schema_version")], id="another version"),
        pytest.param({"cases": list(TWO)}, [("G002", "$.schema_version")], id="no version"),
        pytest.param(a_fixture(*TWO, defined_levels=None), [("G001", "$.defined_levels")], id="levels null"),
        pytest.param(a_fixture(*TWO, defined_levels=[1]), [("G001", "$.defined_levels")], id="levels no texts"),
        pytest.param(a_fixture(*TWO, language=3, name=4), [("G001", "$.name"), ("G001", "$.language")], id="names"),
        pytest.param(a_fixture(*TWO, TWO[0]), [("G004", "$.cases[2].case_id")], id="an id twice"),
        pytest.param(
            a_fixture(5, a_case("A", "x", prompt=None, level="", expected_top_level_heads="Equal")),
            [
                ("G005", "$.cases[0]"),
                ("G005", "$.cases[1].level"),
                ("G005", "$.cases[1].prompt"),
                ("G005", "$.cases[1].expected_top_level_heads"),
            ],
            id="several faults of cases",
        ),
        pytest.param(
            a_fixture(a_case("A", "x", expected_top_level_heads=[])),
            [("G005", "$.cases[0].expected_top_level_heads")],
            id="no head",
        ),
        pytest.param(
            b'{"cases": [{"a": 1, "a": 2}]}', [("G002", "$.schema_version"), ("J002", "$.cases[0].a")], id="key"
        ),
        pytest.param(b'{"cases": [}', [("J001", "$")], id="no JSON"),
    ],
)
def test_a_faulty_fixture_is_refused_with_every_fault(
    tmp_path: Path, fixture: Any, expected: list[tuple[str, str | None]]
) -> None:
    assert faults(tmp_path, fixture) == expected


def test_a_fault_of_a_case_has_its_line(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput) as refused:
        read_fixture(written(tmp_path, json.dumps(a_fixture(TWO[0], {}), indent=1).encode()))

    assert {one.where.line for one in refused.value.findings} == {13}


def test_a_fixture_in_another_language_is_refused(tmp_path: Path) -> None:
    with pytest.raises(
        InvalidInput, match=r"fixture.json  \$.language  G007  found 'klingon', expected one of coglang"
    ):
        prepared(written(tmp_path, a_fixture(*TWO, language="klingon")))


def test_a_level_without_a_case_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="G006  --level L9: the fixture has no case of it; it has L1, L2"):
        prepared(written(tmp_path, a_fixture(*TWO)), ["L1", "L9"])


def test_a_file_that_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(Unavailable):
        read_fixture(tmp_path / "nowhere.json")
