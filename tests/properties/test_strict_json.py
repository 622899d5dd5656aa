"""Strict JSON over any text: the fast way and a slow obvious one agree, and nothing else than a refusal comes out."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from itemproof.core.errors import InvalidInput
from itemproof.core.findings import Findings
from itemproof.files.jsonl import Block, parse_block
from itemproof.files.strict_json import dumps, dumps_line, loads

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
NUMBERS = st.integers() | st.integers(-(2**70), 2**70) | st.floats(allow_nan=False, allow_infinity=False)
VALUES = st.recursive(
    st.none() | st.booleans() | NUMBERS | TEXTS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4),
    max_leaves=12,
)


def slow(text: bytes) -> Any:
    """The value by the standard library alone, or None when a key repeats or a number is not finite."""

    def pairs(items: list[tuple[str, Any]]) -> dict[str, Any]:
        if len(dict(items)) < len(items):
            raise ValueError("a key repeats")
        return dict(items)

    def refuse(word: str) -> None:
        raise ValueError(word)

    value = json.loads(text.decode("utf-8"), object_pairs_hook=pairs, parse_constant=refuse)
    dumps(value)
    return value


@given(VALUES)
def test_what_was_written_reads_back_as_the_same_value(value: Any) -> None:
    again = loads(dumps(value))
    assert json.dumps(again) == json.dumps(value)
    assert dumps(again) == dumps(value)


FRAGMENTS = st.lists(
    st.sampled_from(
        ["{", "}", "[", "]", ":", ",", '"a"', '"b"', '"\\u003a"', '"\\ud835"', "1", "-0", "1e999", "NaN", "1e20"]
    )
    | st.integers(2**63 - 2, 2**64 + 2).map(str)
    | st.tuples(
        st.sampled_from(['"a":1', '"a":":"', '"b":"\\u003A"']), st.sampled_from(['"a":2', '"c":{}', '"b":[]'])
    ).map(lambda two: "{" + ",".join(two) + "}"),
    max_size=8,
).map(lambda parts: "".join(parts).encode())


@given(FRAGMENTS | st.binary(max_size=40))
def test_every_text_is_read_or_refused_as_the_slow_way_says(text: bytes) -> None:
    try:
        due = slow(text)
    except ValueError:
        due = InvalidInput
    try:
        found = loads(text)
    except InvalidInput:
        found = InvalidInput
    assert repr(found) == repr(due)


@given(st.lists(st.dictionaries(TEXTS, NUMBERS, max_size=3), max_size=6), st.integers(0, 6))
def test_lines_do_not_depend_on_the_blocks_they_come_in(objects: list[dict[str, Any]], cut: int) -> None:
    lines = [dumps_line(value) for value in objects]
    findings = Findings()
    parts = (Block(b"".join(lines[:cut]), 1), Block(b"".join(lines[cut:]), min(cut, len(lines)) + 1))
    found = [line for block in parts for line in parse_block(block, findings=findings)]
    assert (found, findings.kept) == (list(enumerate(objects, 1)), [])


@given(st.binary(max_size=60))
def test_any_bytes_become_objects_or_findings(data: bytes) -> None:
    findings = Findings()
    found = list(parse_block(Block(data, 1), findings=findings, file="x"))
    assert all(type(value) is dict for _, value in found)
    assert found or findings or not data.removeprefix(b"\xef\xbb\xbf").strip(b" \t\r\n")
