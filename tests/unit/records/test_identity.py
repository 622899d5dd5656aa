"""What `--id-field` means, and how parts become one id."""

from __future__ import annotations

from typing import Any

import pytest

from itemproof.core.errors import InvalidInput
from itemproof.records.identity import IdField, join_parts, parse_id_selection, run_local_id, value_at


def test_no_value_means_the_look_up() -> None:
    selection = parse_id_selection([])
    assert (selection.given, selection.auto, selection.fields_for("b")) == ((), False, ())


def test_auto_stands_alone() -> None:
    selection = parse_id_selection(["auto"])
    assert (selection.given, selection.auto, selection.fields_for("b")) == (("auto",), True, ())


def test_a_field_may_hold_for_one_benchmark() -> None:
    selection = parse_id_selection(["doc.a", "mmlu=doc.b", "mmlu=doc.c", r"x\.y", "with=equals=z"])
    assert selection.given == ("doc.a", "mmlu=doc.b", "mmlu=doc.c", r"x\.y", "with=equals=z")
    assert selection.fields_for("mmlu") == (IdField("doc.b", ("doc", "b")), IdField("doc.c", ("doc", "c")))
    assert selection.fields_for("other") == (IdField("doc.a", ("doc", "a")), IdField(r"x\.y", ("x.y",)))
    assert selection.fields_for("with=equals") == (IdField("z", ("z",)),)


@pytest.mark.parametrize(
    ("values", "said"),
    [
        (["auto", "doc.a"], "--id-field auto stands beside another field; name the fields, or auto alone."),
        ([""], "--id-field '' has an empty part; write a dotted path such as doc.idx."),
        (["doc."], "--id-field 'doc.' has an empty part; write a dotted path such as doc.idx."),
        (["a..b"], "--id-field 'a..b' has an empty part; write a dotted path such as doc.idx."),
        (["mmlu="], "--id-field 'mmlu=' has an empty part; write a dotted path such as doc.idx."),
        (["=doc.a"], "--id-field '=doc.a' names no benchmark before the equals sign."),
    ],
)
def test_a_value_of_another_form_is_refused(values: list[str], said: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        parse_id_selection(values)
    assert (refused.value.code.id, refused.value.text) == ("I001", said)


@pytest.mark.parametrize(
    ("path", "expected"), [("doc_id", True), ("doc.doc_id", False), ("doc_id.x", False), ("doc", False)]
)
def test_the_harness_s_position_is_the_line_s_own_doc_id_and_no_field_of_a_document(path: str, expected: bool) -> None:
    assert IdField(path, tuple(path.split("."))).is_position is expected


@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        (("a",), {"b": {"c": 0}}),
        (("a", "b", "c"), 0),
        (("a", "x"), None),
        (("a", "b", "c", "d"), None),
        (("list", "0"), None),
        (("x",), None),
    ],
)
def test_a_path_leads_to_a_value_or_to_none(parts: tuple[str, ...], expected: Any) -> None:
    assert value_at({"a": {"b": {"c": 0}}, "list": [1]}, parts) == expected


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        (["a|b\\"], "a|b\\"),
        (["a", "b"], "a|b"),
        (["a|b", "c"], r"a\|b|c"),
        (["a\\", "b"], r"a\\|b"),
        (["", ""], "|"),
    ],
)
def test_parts_join_to_one_text(values: list[str], expected: str) -> None:
    assert join_parts(values) == expected


def test_a_run_local_id_names_the_raw_file_and_the_line() -> None:
    assert run_local_id("ab" * 32, 7) == "ab" * 32 + ":7"
