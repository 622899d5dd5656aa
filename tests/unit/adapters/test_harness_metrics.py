"""What a harness line may not say of itself is refused or told, never dropped in silence."""

from __future__ import annotations

from typing import Any

import pytest

from harness_lines import choice_line, harness_context, text_line
from itemproof.adapters.harness import HarnessAdapter
from normalising import faults, normalised, places

ADAPTER = HarnessAdapter()


@pytest.mark.parametrize("id_field", [[], ["auto"], ["other=doc.id"]])
@pytest.mark.parametrize(
    ("scope", "shown"), [("run-local", "'run-local'"), ("global", "'global'"), (5, "the number 5")]
)
def test_a_scope_that_the_format_cannot_keep_is_refused(scope: Any, shown: str, id_field: list[str]) -> None:
    found = faults(ADAPTER, text_line() | {"identity_scope": scope}, harness_context(id_field=id_field))
    assert places(found) == [("R002", "$.identity_scope")]
    assert f"found {shown}, but" in found[0].text


def test_the_refused_scope_is_told_with_the_lines_other_faults() -> None:
    line = text_line() | {"identity_scope": "run-local", "repeat_id": 1, "question_id": " "}
    assert places(faults(ADAPTER, line, harness_context())) == [("R002", "$.identity_scope"), ("I002", "$.question_id")]


@pytest.mark.parametrize("scope", [None, "stable"])
def test_a_scope_that_says_what_the_id_says_is_taken(scope: str | None) -> None:
    (record,), _ = normalised(ADAPTER, choice_line() | {"identity_scope": scope}, harness_context())
    assert record["identity_scope"] == "stable"


@pytest.mark.parametrize(("field", "scope"), [("doc_id", "run-local"), ("doc.id", "stable")])
def test_a_field_that_was_asked_for_is_another_identity(field: str, scope: str) -> None:
    line = choice_line() | {"identity_scope": "run-local"}
    (record,), _ = normalised(ADAPTER, line, harness_context(id_field=[field]))
    assert record["identity_scope"] == scope


@pytest.mark.parametrize(("name", "value"), [("source", "a book"), ("schema_version", 7)])
def test_a_field_that_only_the_import_knows_is_told_to_stay_in_the_raw_file(name: str, value: Any) -> None:
    (record,), tally = normalised(ADAPTER, text_line() | {name: value}, harness_context())
    assert record[name] != value
    assert tally.warnings == {"H015": 1}
    assert record["warnings"] == [f"the line's own {name!r} stays in the raw file: the record makes it of other keys"]


@pytest.mark.parametrize("name", ["identity_scope", "source", "schema_version"])
def test_a_listed_metric_may_have_such_a_name(name: str) -> None:
    line = text_line() | {"metrics": [name], name: 1.0}
    (record,), tally = normalised(ADAPTER, line, harness_context())
    assert (record["metrics"], record["warnings"], tally.warnings) == ({name: 1.0}, [], {})
