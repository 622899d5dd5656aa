from __future__ import annotations

import io
import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from itemproof.archive.rules import see_raw
from itemproof.archive.rules.see_raw import RawLines, whole_lines

_PIECES = st.sampled_from([b"{}", b"\n", b"\r\n", b" ", b"\t", b"\xef\xbb\xbf", b"\x0c", b"x\n", b"\r"])


def _read(data: bytes, batch_bytes: int = 1) -> RawLines:
    file = io.BytesIO(data)
    lines = RawLines()
    lines.take(iter(lambda: b"".join(file.readlines(batch_bytes)), b""))
    return lines


@pytest.mark.parametrize(
    ("data", "count", "lost"),
    [
        pytest.param(b"", 0, [], id="nothing"),
        pytest.param(b"{}", 1, [1], id="no line end"),
        pytest.param(b"{}\n", 1, [1], id="a line end begins no line"),
        pytest.param(b"{}\n\n{}\n", 3, [1, 3], id="an empty line"),
        pytest.param(b" \t\r\n{}\r\n \r", 3, [2], id="JSON's white space is blank"),
        pytest.param(b"\x0c\n\xc2\xa0\n", 2, [1, 2], id="other white space is not"),
        pytest.param(b"\xef\xbb\xbf\n{}\n", 2, [2], id="a mark alone is blank"),
        pytest.param(b"\xef\xbb\xbf{}\n", 1, [1], id="a mark before an object"),
        pytest.param(b"\n\xef\xbb\xbf\n", 2, [2], id="a mark elsewhere is not blank"),
        pytest.param(b"a\rb\n\xe2\x80\xa8\n", 2, [1, 2], id="only LF ends a line"),
    ],
)
def test_lines_are_counted_and_blank_ones_need_no_record(data: bytes, count: int, lost: list[int]) -> None:
    lines = _read(data)

    assert (len(lines), list(lines.lost())) == (count, lost)


@pytest.mark.parametrize(
    ("named", "faulty", "lost"),
    [
        pytest.param([1, 3], [], [], id="all"),
        pytest.param([3, 1, 3, 1], [], [], id="in any order and twice"),
        pytest.param([3], [], [1], id="one is lost"),
        pytest.param([2, 1], [0], [3], id="the blank one"),
        pytest.param([1, 4, 2**80], [1, 2], [3], id="behind the end"),
        pytest.param([0, 1, 0], [], [3], id="0 names none"),
        pytest.param([], [], [1, 3], id="none"),
    ],
)
def test_records_are_held_against_the_lines_they_name(named: list[int], faulty: list[int], lost: list[int]) -> None:
    lines = _read(b"{}\n\n{}\n")

    assert list(lines.recorded(named)) == faulty
    assert list(lines.lost()) == lost


def test_an_empty_file_has_no_line_to_name() -> None:
    lines = _read(b"")

    assert list(lines.recorded([1, 0])) == [0]


@pytest.mark.parametrize("end", [b"\n", b" \r\n"])
def test_blank_lines_need_no_memory(end: bytes) -> None:
    batch = end * (64 << 10)
    lines = RawLines()
    tracemalloc.start()
    lines.take([b"{}\n", *([batch] * 40), b"{}\n"])
    held, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert (len(lines), list(lines.recorded([1, 2]))) == (2 + 40 * (64 << 10), [1])
    assert list(lines.lost()) == [len(lines)]
    assert held < 64 << 10


@given(st.lists(_PIECES, max_size=30).map(b"".join), st.integers(1, 9))
def test_a_text_is_cut_behind_lines_only(text: bytes, batch_bytes: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(see_raw, "_BATCH_BYTES", batch_bytes)
        batches = list(whole_lines(text))

    assert b"".join(batches) == text
    assert all(batch.endswith(b"\n") for batch in batches[:-1])
    assert all(len(batch) <= batch_bytes or b"\n" not in batch[:-1] for batch in batches)


@given(st.lists(_PIECES, max_size=30).map(b"".join), st.lists(st.integers(0, 12), max_size=20), st.integers(1, 9))
def test_lines_are_what_an_obvious_count_gives(data: bytes, named: list[int], batch_bytes: int) -> None:
    texts = data.removeprefix(b"\xef\xbb\xbf").split(b"\n")
    texts = texts if texts[-1] or data == b"\xef\xbb\xbf" else texts[:-1]
    blank = {at for at, text in enumerate(texts, start=1) if not text.strip(b" \t\r")}
    lines = _read(data, batch_bytes)

    faulty = list(lines.recorded(named))

    assert len(lines) == len(texts)
    assert faulty == [at for at, line in enumerate(named) if line > len(texts) or line in blank]
    assert list(lines.lost()) == sorted(set(range(1, len(texts) + 1)) - blank - set(named))
