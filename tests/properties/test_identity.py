"""Different identities never become one, and one never becomes two."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from itemproof.adapters.base import LineRefused
from itemproof.adapters.fields import IdentityReader
from itemproof.records.identity import LOOKUP, join_parts, parse_id_selection, value_at
from normalising import file_context

parts = st.lists(st.text(), min_size=2, max_size=4)
tricky = st.lists(st.text(alphabet="a|\\", max_size=4), min_size=2, max_size=3)
keys = st.text(min_size=1).filter(lambda key: not set(key) & {"\0", "\\", "="})


@given(tricky | parts, tricky | parts)
def test_two_lists_of_parts_join_to_one_text_only_if_they_are_equal(left: list[str], right: list[str]) -> None:
    assert (join_parts(left) == join_parts(right)) == (left == right)


@given(st.lists(keys, min_size=1, max_size=4), st.integers())
def test_any_path_of_keys_can_be_written_and_leads_to_its_value(path: list[str], value: int) -> None:
    written = ".".join(key.replace(".", "\\.") for key in path)
    (field,) = parse_id_selection([written]).everywhere
    line: Any = value
    for key in reversed(path):
        line = {key: line}
    assert field.parts == tuple(path)
    assert value_at(line, field.parts) == value


values = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(max_size=3),
    st.lists(st.integers(), max_size=1),
    st.dictionaries(st.text(max_size=2), st.integers(), max_size=1),
)
places = st.dictionaries(st.sampled_from(LOOKUP), values, max_size=6)


def line_of(found: dict[str, Any]) -> dict[str, Any]:
    line: dict[str, Any] = {"doc": {}}
    for path, value in found.items():
        owner, _, name = path.rpartition(".")
        (line["doc"] if owner else line)[name] = value
    return line


@given(places)
def test_the_first_place_that_says_anything_decides(found: dict[str, Any]) -> None:
    said = [found[path] for path in LOOKUP if path in found and not isinstance(found[path], list | dict | None)]
    reader = IdentityReader(file_context())
    try:
        name = reader.read(line_of(found), "b").question_id
    except LineRefused:
        assert isinstance(said[0], bool | float) or not str(said[0]).strip()
    else:
        assert name == (str(said[0]) if said else None)
        assert not said or (isinstance(said[0], int | str) and not isinstance(said[0], bool))
