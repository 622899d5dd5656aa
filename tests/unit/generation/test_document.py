"""A JSON document with a long list: elements in order, faults with their places, nothing forgiven that counts."""

from __future__ import annotations

import json

import pytest

from itemproof.core.errors import InvalidInput
from itemproof.core.findings import Findings
from itemproof.core.where import Where
from itemproof.generation.document import member_names, read_document

HERE = Where(file="x.json")


def _values(text: str | bytes, name: str = "cases") -> tuple[list[object], list[tuple[str, int | None, str | None]]]:
    """The values of a list, and code, line and path of the faults."""
    data = text if isinstance(text, bytes) else text.encode("utf-8")
    findings = Findings()
    values = [value for _, value in read_document(data, ("cases", "more"), HERE).lists[name].values(findings)]
    return values, [(one.code.id, one.where.line, one.where.path) for one in findings]


def test_a_list_gives_its_elements() -> None:
    assert _values(' \n[1, {"a": [2]}, "x"] ', "") == ([1, {"a": [2]}, "x"], [])


def test_an_object_gives_its_lists_apart_from_its_other_members() -> None:
    document = read_document(b'{"a": 1, "cases": [1, 2], "more": null, "b": [3]}', ("cases", "more"), HERE)

    assert document.value == {"a": 1, "cases": [], "more": None, "b": [3]}
    assert list(document.lists) == ["cases"]


def test_two_lists_that_are_alike_are_both_there() -> None:
    text = '{"x": [1, 2], "cases": [1, 2], "more": [1, 2]}'

    assert _values(text, "cases") == _values(text, "more") == ([1, 2], [])
    assert read_document(text.encode(), ("cases", "more"), HERE).value["x"] == [1, 2]


def test_a_byte_order_mark_and_many_elements_are_fine() -> None:
    elements = [{"n": number, "text": "é" * 50} for number in range(2000)]

    assert _values(b"\xef\xbb\xbf" + json.dumps({"cases": elements}, indent=1).encode()) == (elements, [])


def test_a_fault_of_an_element_has_its_line_and_path() -> None:
    text = '{\n"cases": [\n {"a": 1},\n {"a": 1, "a": 2}, {"b": NaN}\n]}'.replace("NaN", "1e999")

    values, faults = _values(text)

    assert values == [{"a": 1}]
    assert faults == [("J002", 4, "$.cases[1].a"), ("J003", 4, "$.cases[2].b")]


def test_half_a_surrogate_pair_stops_its_element_alone() -> None:
    text = r'{"cases": ["\ud83d\ude00", "\ud800", "\\ud800"], "x": 1}'

    values, faults = _values(text)

    assert values == ["😀", r"\ud800"]
    assert faults == [("J005", 1, "$.cases[1]")]


def _read_wholly(text: str) -> None:
    findings = Findings()
    for elements in read_document(text.encode(), ("cases",), HERE).lists.values():
        list(elements.values(findings))
    if findings:
        raise InvalidInput(findings)


@pytest.mark.parametrize(
    ("text", "faults"),
    [
        pytest.param('{"cases": [1], "cases": [2]}', [("J002", "$.cases")], id="a list twice"),
        pytest.param('{"a": 1, "cases": [], "a": 2}', [("J002", "$.a")], id="a key twice"),
        pytest.param('{"cases": [1, 2}', [("J001", "$")], id="not closed"),
        pytest.param('{"cases": [1]} x', [("J001", "$")], id="text behind"),
        pytest.param("[" * 300 + "]" * 300, [("J006", "$")], id="too deep"),
        pytest.param("[" * 99999 + "]" * 99999, [("J006", "$")], id="far too deep"),
    ],
)
def test_a_fault_of_the_document_refuses_it(text: str, faults: list[tuple[str, str]]) -> None:
    with pytest.raises(InvalidInput) as refused:
        _read_wholly(text)

    found = [(one.code.id, (one.where.path or "").partition("[")[0]) for one in refused.value.findings]
    assert found == faults


def test_many_faults_cost_no_more_than_a_reading() -> None:
    values, faults = _values(json.dumps({"cases": ["\ud800"] * 20_000}))

    assert values == []
    assert len(faults) == 20


@pytest.mark.parametrize(
    ("text", "names"),
    [
        (b'{"a": 1, "b": "\\ud800"}', {"a", "b"}),
        (b'{"a": 1', None),
        (b"[1]", None),
        (b"", None),
    ],
)
def test_the_names_of_members_are_seen_without_their_values(text: bytes, names: set[str] | None) -> None:
    found = member_names(text)

    assert (None if found is None else set(found)) == names
