"""JSON Lines of an array: what is kept to the byte, and every fault with its line and its place in the array."""

from __future__ import annotations

import gzip
import json
import os
import tracemalloc
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import zstandard

from itemproof.core.errors import InvalidInput, ItemproofError, Refused, Unavailable
from itemproof.files import convert as module
from itemproof.files.convert import convert
from itemproof.files.jsonl import MAX_LINE_BYTES, read_objects
from shared import SHARED, needs_shared

BOM = b"\xef\xbb\xbf"

#: None reads the file as it is; a number cuts it into blocks of so many bytes.
SIZES = pytest.mark.parametrize("size_bytes", [None, 1, 2, 5], ids=["whole", "bytes", "pairs", "fives"])


@pytest.fixture
def source(tmp_path: Path) -> Path:
    return tmp_path / "samples.jsonl"


@pytest.fixture
def destination(tmp_path: Path) -> Path:
    return tmp_path / "lines.jsonl"


def in_blocks(monkeypatch: pytest.MonkeyPatch, size_bytes: int | None) -> None:
    if size_bytes is None:
        return

    def pieces(path: Path, *, name: str) -> Iterator[bytes]:
        data = path.read_bytes()
        return (data[at : at + size_bytes] for at in range(0, len(data), size_bytes))

    monkeypatch.setattr(module, "text_blocks", pieces)


def refusal(source: Path, destination: Path, *, max_line_bytes: int = MAX_LINE_BYTES) -> ItemproofError:
    before = sorted(path.name for path in source.parent.iterdir())
    with pytest.raises(ItemproofError) as caught:
        convert(source, destination, max_line_bytes=max_line_bytes)
    assert sorted(path.name for path in source.parent.iterdir()) == before
    return caught.value


def places(error: ItemproofError) -> list[tuple[str, int | None, str | None]]:
    return [(found.code.id, found.where.line, found.where.path) for found in error.findings]


GOOD = [
    pytest.param(b'[{"a":1},{"a":2}]', [b'{"a":1}', b'{"a":2}'], id="on one line"),
    pytest.param(b'[\n  {\n    "a": [\n      1,\n      2\n    ]\n  }\n]\n', [b'{"a":[1,2]}'], id="indented"),
    pytest.param(b'\n [ {"a" : 1}\r\n\t, { } ] \n\n', [b'{"a":1}', b"{}"], id="white space about every part"),
    pytest.param(BOM + b' [{"a":1}]', [b'{"a":1}'], id="byte order mark"),
    pytest.param(b'[{"b": 1, "a": 2, "0": 3}]', [b'{"b":1,"a":2,"0":3}'], id="keys not in order"),
    pytest.param(
        b'[{"n": [1e-05, 1.10, -0, -0.0, 1E+2, 0.1000000000000000055511151231257827, 100000000000000000000000001]}]',
        [b'{"n":[1e-05,1.10,-0,-0.0,1E+2,0.1000000000000000055511151231257827,100000000000000000000000001]}'],
        id="digits",
    ),
    pytest.param(
        rb'[{"s" : "\u00e9 \u00E9 \/ \n \ud835\udc00 \u0000"}]',
        [rb'{"s":"\u00e9 \u00E9 \/ \n \ud835\udc00 \u0000"}'],
        id="escapes",
    ),
    pytest.param(
        '[{"s": "é \u2028 \u0085 \ufeff", "日": 1}]'.encode(),
        ['{"s":"é \u2028 \u0085 \ufeff","日":1}'.encode()],
        id="UTF-8",
    ),
    pytest.param(rb'[{"s": "\\"}, {"t": "\\\" , \\\\"}]', [rb'{"s":"\\"}', rb'{"t":"\\\" , \\\\"}'], id="backslashes"),
    pytest.param(
        rb'[{"a ]}": "}, {\" ", "b": " [ , ] "}, {"": ""}]',
        [rb'{"a ]}":"}, {\" ","b":" [ , ] "}', b'{"":""}'],
        id="brackets and commas in strings",
    ),
]


@pytest.mark.parametrize(("text", "due"), GOOD)
@SIZES
def test_only_white_space_between_the_parts_is_taken_out(
    source: Path,
    destination: Path,
    monkeypatch: pytest.MonkeyPatch,
    text: bytes,
    due: list[bytes],
    size_bytes: int | None,
) -> None:
    source.write_bytes(text)
    in_blocks(monkeypatch, size_bytes)
    assert convert(source, destination) == len(due)
    assert destination.read_bytes() == b"".join(line + b"\n" for line in due)


@pytest.mark.parametrize(
    ("suffix", "compress"),
    [pytest.param(".gz", gzip.compress, id="gzip"), pytest.param(".zst", zstandard.compress, id="zstd")],
)
def test_a_compressed_source_gives_plain_lines(
    tmp_path: Path, destination: Path, suffix: str, compress: Callable[[bytes], bytes]
) -> None:
    source = tmp_path / f"samples.json{suffix}"
    source.write_bytes(compress(b'[{"a":\n1},\n') + compress(b'{"a":2}]\n'))
    assert convert(source, destination) == 2
    assert destination.read_bytes() == b'{"a":1}\n{"a":2}\n'


def test_every_byte_of_the_lines_is_told_once(source: Path, destination: Path) -> None:
    source.write_bytes(b'[{"a": 1},\n {"b": [2]}]')
    done: list[int] = []
    convert(source, destination, progress=done.append)
    assert sum(done) == destination.stat().st_size


def test_the_given_name_decides_and_stands_in_the_faults(source: Path, destination: Path) -> None:
    source.write_bytes(gzip.compress(b'[{"a":NaN}]'))
    with pytest.raises(InvalidInput) as caught:
        convert(source, destination, name="given/x.json.gz")
    assert str(caught.value.where) == "given/x.json.gz:1  $[0].a"


FAULTS = [
    pytest.param(
        b'[\n{"a": 1,\n "a": 2},\n{"b":\n [0, NaN]},\n\n {"c": "\\ud835"}, {"d": 1e999}]',
        [("J002", 2, "$[0].a"), ("J003", 4, "$[1].b[1]"), ("J005", 7, "$[2].c"), ("J003", 7, "$[3].d")],
        id="faults of values",
    ),
    pytest.param(b'[{"a": NaN, "b": Infinity}]', [("J003", 1, "$[0].a"), ("J003", 1, "$[0].b")], id="two in one"),
    pytest.param(b'[{},\n{"a":' + b"[" * 200 + b"]" * 200 + b"}]", [("J006", 2, "$[1]")], id="too deep"),
    pytest.param(b'[{},\n{"a":"\xff"}]', [("J007", 2, "$[1]")], id="no UTF-8"),
    pytest.param(b"[{},\n" + BOM + b"{}]", [("J008", 2, "$[1]")], id="a mark within"),
    pytest.param(b'[{"a":1 2}]', [("J001", 1, "$[0]")], id="two numbers are not made one"),
    pytest.param(b'[{"a":"x\ny"}]', [("J001", 1, "$[0]")], id="a line end in a string"),
    pytest.param(b'[{"a":1}\n{"a":2}]', [("J001", 1, "$[0]")], id="no comma"),
    pytest.param(b'[{"a":1},\n]', [("J001", 2, "$[1]")], id="a comma too many"),
    pytest.param(b'[,{"a":None}]', [("J001", 1, "$[0]"), ("J001", 1, "$[1]")], id="not JSON twice"),
    pytest.param(b"[{},\x0c{}]", [("J001", 1, "$[1]")], id="a form feed is no white space"),
    pytest.param(
        b'[1,\n"x, y", {},\n[{}], null, true]',
        [("J034", 1, "$[0]"), ("J034", 2, "$[1]"), *(("J034", 3, f"$[{n}]") for n in (3, 4, 5))],
        id="no objects",
    ),
    pytest.param(b"\n[ \n]", [("J014", None, None)], id="an empty array"),
    pytest.param(b"[] []", [("J014", None, None), ("J033", 1, None)], id="an empty array and more"),
    pytest.param(b"", [("J014", None, None)], id="nothing"),
    pytest.param(BOM + b" \n", [("J014", None, None)], id="blanks"),
    pytest.param(b"[", [("J032", 1, "$[0]")], id="cut at the bracket"),
    pytest.param(b'[{"a":1}\n', [("J032", 1, "$[0]")], id="cut behind an element"),
    pytest.param(b'[{"a":1},\n\n', [("J032", 3, "$[1]")], id="cut behind a comma"),
    pytest.param(b'[{"a":1},\n{"a":"x', [("J001", 2, "$[1]"), ("J032", 2, "$[1]")], id="cut in a string"),
    pytest.param(b'[{"a":1},\n{"a":"x\\', [("J001", 2, "$[1]"), ("J032", 2, "$[1]")], id="cut in an escape"),
    pytest.param(b'[{"a":"\xc3', [("J007", 1, "$[0]"), ("J032", 1, "$[0]")], id="cut in a character"),
    pytest.param(
        b'[{},\n{"a":"x"y"},\n{"b":1}]', [("J001", 2, "$[1]"), ("J032", 2, "$[1]")], id="a quote that is not escaped"
    ),
    pytest.param(b'[{"a":[1},\n{}]', [("J001", 1, "$[0]"), ("J032", 1, "$[0]")], id="a bracket that is not closed"),
    pytest.param(b'[{"a":1]},\n{}]', [("J001", 1, "$[0]"), ("J032", 1, None)], id="a bracket of the wrong kind"),
    pytest.param(b'[{"a":1},\n{}}', [("J032", 2, None)], id="closed by the wrong bracket"),
    pytest.param(b"[{}]\n[{}]", [("J033", 2, None)], id="two arrays"),
    pytest.param(b"[{}]\n\n \n ]", [("J033", 4, None)], id="a bracket too many"),
    pytest.param(b'[{"a":NaN}]\n{}', [("J003", 1, "$[0].a"), ("J033", 2, None)], id="a fault and a line"),
    pytest.param(b"[{}]" + BOM, [("J033", 1, None)], id="a mark at the end"),
    pytest.param(b'{"a":1}\n{"a":2}\n', [("J030", None, None)], id="lines already"),
    pytest.param(b'\n\n{"a":1}', [("J030", None, None)], id="one line behind blank ones"),
    pytest.param(b'{\n "a": 1\n}', [("J030", None, None)], id="an object over lines"),
    pytest.param(b'"a"\n', [("J030", None, None)], id="a string"),
    pytest.param(b"a,b\n1,2\n", [("J030", None, None)], id="no JSON"),
    pytest.param(b'{"a":NaN}\n', [("J003", 1, "$.a")], id="a faulty line"),
    *(
        pytest.param('[{"a":1}]'.encode(encoding), [("J012", None, None)], id=encoding)
        for encoding in ("utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-le", "utf-32-be")
    ),
    pytest.param(
        b'[{"doc_id":0,"prompt_0":"x","logit_0":-1.5,"truth":1,"acc":"1.0"},{"a":NaN}]',
        [("J031", None, None)],
        id="a log of 0.3",
    ),
]


@pytest.mark.parametrize(("text", "due"), FAULTS)
@SIZES
def test_every_fault_is_named_and_nothing_written(
    source: Path,
    destination: Path,
    monkeypatch: pytest.MonkeyPatch,
    text: bytes,
    due: list[tuple[str, int | None, str | None]],
    size_bytes: int | None,
) -> None:
    source.write_bytes(text)
    in_blocks(monkeypatch, size_bytes)
    error = refusal(source, destination)
    assert isinstance(error, InvalidInput)
    assert places(error) == due
    assert {found.where.file for found in error.findings} == {str(source)}


@pytest.mark.parametrize(
    ("text", "due"),
    [
        pytest.param(
            b'{"a":1}\n',
            "this is no array but JSON Lines already: its first line holds an object. Import it as it is.",
            id="lines",
        ),
        pytest.param(
            b"<html>",
            "the file begins neither with [ nor with a line that holds an object; one JSON array is due here.",
            id="no JSON",
        ),
        pytest.param(
            b'[{},\n"one and\\n two"]',
            'found "one and\\n two", expected an object, as a line must hold one.',
            id="a text",
        ),
        pytest.param(b"[[1,\n 2]]", "found [1,2], expected an object, as a line must hold one.", id="a list"),
        pytest.param(
            b"[{}",
            "the file ends before its array does: it was cut off, or a quote or bracket is missing from here on. "
            "Fetch it again, or mend it.",
            id="cut",
        ),
        pytest.param(
            b"[{}}",
            "found } where ] or a comma is due; a bracket is missing or too many in this array.",
            id="wrong bracket",
        ),
        pytest.param(
            b"[{}][",
            "found more behind the end of the array, expected nothing; give each array a file of its own.",
            id="two arrays",
        ),
        pytest.param(b"[]", "the array is empty, expected at least one object.", id="empty"),
        pytest.param(
            b'[{"prompt_0":"","logit_0":0}]',
            "this is what lm-eval 0.3 wrote with --write_out: its elements have no documents, so that no import could "
            "read their lines. Evaluate again with lm-eval 0.4.3 or newer and --log_samples.",
            id="a log of 0.3",
        ),
    ],
)
def test_a_refusal_says_what_was_found_and_due(source: Path, destination: Path, text: bytes, due: str) -> None:
    source.write_bytes(text)
    error = refusal(source, destination)
    assert (error.text, error.outcome) == (due, "Nothing was written.")


def test_one_key_of_a_log_of_0_3_alone_is_no_such_log(source: Path, destination: Path) -> None:
    source.write_bytes(b'[{"prompt_0":1},{"logit_0":1}]')
    assert convert(source, destination) == 2


def test_the_first_faults_are_kept_and_all_counted(source: Path, destination: Path) -> None:
    source.write_bytes(b"[" + b",\n".join([b'{"a":NaN,"b":NaN}'] * 30) + b"]")
    error = refusal(source, destination)
    assert places(error) == [("J003", n + 1, f"$[{n}].{key}") for n in range(10) for key in "ab"]
    assert error.findings.count == 60


@SIZES
def test_an_element_at_the_limit_is_written_and_one_above_it_ends_the_reading(
    source: Path, destination: Path, monkeypatch: pytest.MonkeyPatch, size_bytes: int | None
) -> None:
    in_blocks(monkeypatch, size_bytes)
    source.write_bytes(b'[{"a": 12}, {"a":12}]')
    assert convert(source, destination, max_line_bytes=9) == 2
    source.write_bytes(b'[{"a":NaN},\n {"a":1234}, 5]')
    error = refusal(source, destination.with_name("other.jsonl"), max_line_bytes=9)
    assert places(error) == [("J003", 1, "$[0].a"), ("J010", 2, "$[1]")]
    assert error.findings.kept[1].text == "the element has more than 9 bytes; shorten it, or allow longer lines."


def test_no_more_of_an_endless_element_is_held_than_the_limit(
    source: Path, destination: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = []

    def endless(path: Path, *, name: str) -> Iterator[bytes]:
        yield b'[{"a":"'
        while True:
            given.append(100)
            yield b"x" * 100

    monkeypatch.setattr(module, "text_blocks", endless)
    assert places(refusal(source, destination, max_line_bytes=250)) == [("J010", 1, "$[0]")]
    assert len(given) == 3


def test_no_more_than_some_blocks_of_a_long_file_are_held(source: Path, destination: Path) -> None:
    element = json.dumps({"doc": {"question": "x" * 3000, "choices": ["a b"] * 20}}, indent=2).encode()
    source.write_bytes(b"[" + b",".join([element] * 5000) + b"]")
    convert(source, destination.with_name("first.jsonl"))  # loads what is loaded once
    tracemalloc.start()
    try:
        assert convert(source, destination) == 5000
        held_bytes = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert held_bytes < 10e6 < source.stat().st_size


@pytest.mark.parametrize(
    ("data", "code"),
    [
        pytest.param(gzip.compress(b'[{"a":1}]')[:-4], "J022", id="cut off"),
        pytest.param(gzip.compress(b'[{"a":1}]') + b"more", "J023", id="bytes behind"),
        pytest.param(b'[{"a":1}]', "J021", id="plain"),
    ],
)
def test_a_damaged_compressed_source_is_refused_as_elsewhere(
    tmp_path: Path, destination: Path, data: bytes, code: str
) -> None:
    source = tmp_path / "x.json.gz"
    source.write_bytes(data)
    assert places(refusal(source, destination)) == [(code, None, None)]


def test_damage_behind_the_array_is_found_too(source: Path, destination: Path) -> None:
    source = source.with_suffix(".gz")
    source.write_bytes(gzip.compress(b"[{}]") + gzip.compress(b" \n " * 100)[:-4])
    assert places(refusal(source, destination)) == [("J022", None, None)]


def test_an_existing_destination_is_never_touched(source: Path, destination: Path) -> None:
    source.write_bytes(b"[{}]")
    destination.write_bytes(b"mine")
    error = refusal(source, destination)
    assert isinstance(error, Refused)
    assert (places(error), destination.read_bytes()) == ([("D005", None, None)], b"mine")


def test_the_source_is_no_destination(source: Path) -> None:
    source.write_bytes(b"[{}]")
    assert places(refusal(source, source)) == [("D005", None, None)]
    assert source.read_bytes() == b"[{}]"


@pytest.mark.parametrize("name", ["lines.jsonl.gz", "lines.ZST"])
def test_plain_lines_get_no_name_of_a_compressed_file(source: Path, name: str) -> None:
    source.write_bytes(b"[{}]")
    error = refusal(source, source.with_name(name))
    assert (places(error), error.where.file) == ([("J035", None, None)], str(source.with_name(name)))


def test_a_destination_without_a_folder_is_refused(source: Path, tmp_path: Path) -> None:
    source.write_bytes(b"[{}]")
    assert places(refusal(source, tmp_path / "none" / "x.jsonl")) == [("D007", None, None)]


def test_a_source_that_is_not_there_is_said(source: Path, destination: Path) -> None:
    assert places(refusal(source, destination)) == [("D004", None, None)]


@needs_shared
@pytest.mark.shared
def test_real_arrays_of_the_harness_keep_their_values(tmp_path: Path) -> None:
    sources = sorted((SHARED / "data" / "lm-eval" / "generated" / "0.4.0").glob("samples_*.jsonl"))
    assert sources
    for source in sources:
        due = json.loads(source.read_bytes())
        destination = tmp_path / source.name
        assert convert(source, destination) == len(due)
        assert [value for _, value in read_objects(destination)] == due


def test_a_pipe_or_a_folder_is_refused_and_not_opened(tmp_path: Path, destination: Path) -> None:
    pipe, folder = tmp_path / "pipe", tmp_path / "folder"
    os.mkfifo(pipe)
    folder.mkdir()
    for source in (pipe, folder):
        with pytest.raises(InvalidInput) as refused:
            convert(source, destination)
        assert (refused.value.code.id, refused.value.where.file) == ("J036", str(source))
        assert not destination.exists()


def test_a_source_with_a_name_too_long_is_a_fault_of_the_disk(tmp_path: Path, destination: Path) -> None:
    with pytest.raises(Unavailable) as refused:
        convert(tmp_path / ("x" * 300), destination)
    assert refused.value.code.id == "D004"
