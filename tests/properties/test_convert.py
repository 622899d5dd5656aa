"""Any array of objects, however it was written and in whatever blocks it is read, becomes lines of equal values."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest import mock

from hypothesis import given
from hypothesis import strategies as st

from itemproof.core.errors import InvalidInput
from itemproof.files import convert as module
from itemproof.files.convert import convert
from itemproof.files.jsonl import read_objects

TEXTS = st.text(st.characters(exclude_categories=["Cs"]) | st.sampled_from('"\\[]{},: \n'), max_size=8)
NUMBERS = st.integers() | st.integers(-(10**40), 10**40) | st.floats(allow_nan=False, allow_infinity=False)
VALUES = st.recursive(
    st.none() | st.booleans() | NUMBERS | TEXTS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4),
    max_leaves=8,
)
OBJECTS = st.lists(st.dictionaries(TEXTS, VALUES, max_size=4), min_size=1, max_size=5)
STYLES = st.fixed_dictionaries(
    {
        "indent": st.sampled_from([None, 0, 2, "\t", "\r\n "]),
        "ensure_ascii": st.booleans(),
        "separators": st.sampled_from([None, (",", ":"), (" ,\n ", "\t: ")]),
    }
)


def converted(data: bytes, size_bytes: int) -> list[tuple[int, Any]] | None:
    """The numbered objects of the lines, or None when the array was refused."""
    pieces = iter([data[at : at + size_bytes] for at in range(0, len(data), size_bytes)])
    with TemporaryDirectory() as folder:
        source, destination = Path(folder, "x.json"), Path(folder, "x.jsonl")
        source.write_bytes(data)
        try:
            with mock.patch.object(module, "text_blocks", return_value=pieces):
                lines = convert(source, destination)
        except InvalidInput:
            assert [path.name for path in Path(folder).iterdir()] == ["x.json"]
            return None
        found = list(read_objects(destination))
        assert lines == len(found) == destination.read_bytes().count(b"\n")
        return found


@given(OBJECTS, STYLES, st.integers(1, 40))
def test_an_array_becomes_lines_of_equal_values(objects: list[Any], style: dict[str, Any], size_bytes: int) -> None:
    found = converted(json.dumps(objects, **style).encode(), size_bytes)
    # Written again, 1 and 1.0, 0.0 and -0.0, and another order of keys would show.
    assert json.dumps(found) == json.dumps(list(enumerate(objects, 1)))


@given(OBJECTS, STYLES)
def test_a_compressed_array_becomes_the_same_lines(objects: list[Any], style: dict[str, Any]) -> None:
    with TemporaryDirectory() as folder:
        source, destination = Path(folder, "x.json.gz"), Path(folder, "x.jsonl")
        source.write_bytes(gzip.compress(json.dumps(objects, **style).encode()))
        assert convert(source, destination) == len(objects)
        assert json.dumps([value for _, value in read_objects(destination)]) == json.dumps(objects)


SIGNS = st.lists(
    st.sampled_from(["{", "}", "[", "]", ":", ",", " ", "\n", '"', "\\", '"a"', '{"a":1}', "{}", "1", '"\\\\"', "NaN"]),
    max_size=14,
).map("".join)


def due(data: bytes) -> list[Any] | None:
    """What the standard library makes of the array; None unless it holds objects alone, each key once, all finite."""

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        if len(dict(pairs)) < len(pairs):
            raise ValueError("a key repeats")
        return dict(pairs)

    def refuse(word: str) -> None:
        raise ValueError(word)

    try:
        value = json.loads(data, object_pairs_hook=once, parse_constant=refuse)
    except ValueError:
        return None
    if not isinstance(value, list) or not value or not all(isinstance(element, dict) for element in value):
        return None
    return value


@given(SIGNS | SIGNS.map(lambda signs: f"[{signs}]"), st.integers(1, 40))
def test_any_signs_become_the_lines_of_their_array_or_a_refusal(signs: str, size_bytes: int) -> None:
    data = signs.encode()
    found = converted(data, size_bytes)
    assert (None if found is None else [value for _, value in found]) == due(data)


@given(OBJECTS, STYLES, st.integers(1, 40), st.data())
def test_an_array_that_was_cut_is_refused(
    objects: list[Any], style: dict[str, Any], size_bytes: int, data: st.DataObject
) -> None:
    whole = json.dumps(objects, **style).encode()
    assert converted(whole[: data.draw(st.integers(0, len(whole) - 1))], size_bytes) is None
