"""A key that stands twice is found by its hash and decided by itself."""

from __future__ import annotations

from array import array
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from builders import a_record
from itemproof.archive import duplicates
from itemproof.archive.duplicates import KeyedFile, Place, SlimRecord, find_duplicates, keys_of
from itemproof.archive.normalise import key_hash
from itemproof.files.strict_json import dumps_line
from itemproof.records.record import RecordDict


def keys_of_file(path: Path) -> array[int]:
    return keys_of(map(msgspec.json.Decoder(SlimRecord).decode, path.read_bytes().splitlines()))


def records_file(path: Path, *names: str, first_line: int = 1) -> Path:
    """Records of questions of these names, each of the next raw line."""
    raw = f"runs/run-1/raw/{path.stem}.jsonl"
    records = [
        a_record(question_id=name, source={"path": raw, "line": number})
        for number, name in enumerate(names, first_line)
    ]
    path.write_bytes(b"".join(map(dumps_line, records)))
    return path


def keyed(path: Path) -> KeyedFile:
    """The file with the hashes of its keys."""
    return KeyedFile(path, keys_of_file(path))


def test_the_hash_of_a_written_record_is_that_of_the_record_in_memory(tmp_path: Path) -> None:
    record: RecordDict = a_record(script="Latn", repeat_id="b", filter="strict")
    path = tmp_path / "records"
    path.write_bytes(dumps_line(record))

    assert list(keys_of_file(path)) == [key_hash(record)]


def test_places_name_file_ordinal_and_raw_line_in_order(tmp_path: Path) -> None:
    one = keyed(records_file(tmp_path / "one", "a", "b", "c", "a", first_line=5))
    two = keyed(records_file(tmp_path / "two", "d", "a"))

    found = [(key.question_id, places) for key, places in find_duplicates([one, two])]

    path = "runs/run-1/raw/{}.jsonl".format
    assert found == [
        ("a", [Place(0, 0, path("one"), 5), Place(0, 3, path("one"), 8), Place(1, 1, path("two"), 2)]),
    ]


def test_equal_hashes_of_different_keys_are_no_duplicates(tmp_path: Path) -> None:
    path = records_file(tmp_path / "records", "a", "b", "a")

    found = list(find_duplicates([KeyedFile(path, array("q", [7, 7, 7]))]))

    assert [(key.question_id, [place.ordinal for place in places]) for key, places in found] == [("a", [0, 2])]


@pytest.mark.parametrize("files", [[], [()], [("a", "b")], [("a",), ("b",)]])
def test_where_nothing_stands_twice_nothing_is_found(tmp_path: Path, files: list[tuple[str, ...]]) -> None:
    paths = [records_file(tmp_path / f"{number}", *names) for number, names in enumerate(files)]

    assert list(find_duplicates(list(map(keyed, paths)))) == []


@given(st.lists(st.lists(st.sampled_from("abcdefgh"), max_size=12), max_size=4), st.integers(1, 3))
def test_every_key_that_stands_twice_is_found_with_all_its_places(
    tmp_path_factory: pytest.TempPathFactory, files: list[list[str]], at_once: int
) -> None:
    folder = tmp_path_factory.mktemp("keys")
    paths = [records_file(folder / f"{number}", *names) for number, names in enumerate(files)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(duplicates, "_AT_ONCE", at_once)
        found = {
            key.question_id: [(p.file, p.ordinal) for p in places]
            for key, places in find_duplicates(list(map(keyed, paths)))
        }

    due: dict[str, list[tuple[int, int]]] = {}
    for number, names in enumerate(files):
        for ordinal, name in enumerate(names):
            due.setdefault(name, []).append((number, ordinal))
    assert found == {name: places for name, places in due.items() if len(places) > 1}
