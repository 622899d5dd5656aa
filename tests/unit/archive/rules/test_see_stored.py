from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from itemproof.archive.layout import Layout
from itemproof.archive.rules import see_stored as module
from itemproof.archive.rules.base import Registered, StoredSeen, judge
from itemproof.archive.rules.lists import STORED_RULES
from itemproof.archive.rules.see_stored import Tap, see_stored
from itemproof.core.digest import sha256_of

_TEXTS = st.lists(st.sampled_from([b"a", b"\r", b"\n", b"\r\n", b"bc"]), max_size=12).map(b"".join)


def _see(folder: Path, data: bytes, due: bytes) -> StoredSeen:
    (folder / "file").write_bytes(data)
    registered = Registered("file", len(due), sha256_of(due))
    return see_stored(Layout(folder), registered, lambda _: None, lambda _: None)


@pytest.mark.parametrize("batch_bytes", [1, 2, 3, 1 << 20])
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
@given(text=_TEXTS)
def test_changed_line_ends_are_recognised_wherever_they_are_cut(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, batch_bytes: int, text: bytes
) -> None:
    monkeypatch.setattr(module, "_BATCH_BYTES", batch_bytes)
    with_lf = text.replace(b"\r\n", b"\n")
    if b"\r\n" in with_lf or b"\n" not in with_lf:
        return
    with_crlf = with_lf.replace(b"\n", b"\r\n")

    assert _see(tmp_path, with_crlf, with_lf).line_ends == "LF"
    assert _see(tmp_path, with_lf, with_crlf).line_ends == "CRLF"
    assert _see(tmp_path, with_lf, with_lf).line_ends == ""
    assert _see(tmp_path, with_crlf + b"x", with_lf).line_ends == ""


def test_a_file_is_hashed_whole_however_much_of_it_was_looked_at(tmp_path: Path) -> None:
    data = b"one\ntwo\nthree"
    (tmp_path / "file").write_bytes(data)
    done: list[int] = []
    looked: list[bytes] = []

    def look(tap: Tap) -> None:
        looked.extend(next(tap.lines()))

    seen = see_stored(Layout(tmp_path), Registered("file", 13, sha256_of(data)), done.append, look)

    assert (seen.is_intact, looked, sum(done)) == (True, [b"one\n", b"two\n", b"three"], 13)


def test_a_folder_in_a_file_s_place_is_no_file(tmp_path: Path) -> None:
    (tmp_path / "file").mkdir()

    seen = see_stored(Layout(tmp_path), Registered("file", 0, ""), lambda _: None, lambda _: None)

    assert seen.size_bytes is None


@pytest.mark.parametrize("data", [b"a\nb\n", b"a\r\nb\r\n", b"", b"a"])
def test_bytes_with_the_registered_digest_have_their_line_ends(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "x").write_bytes(data)
    due = Registered("x", len(data) + 1, sha256_of(data))
    seen = see_stored(Layout(tmp_path), due, lambda _: None, lambda _: None)
    assert (seen.line_ends, seen.is_intact) == ("", False)
    (finding,) = judge(STORED_RULES, seen)
    assert (finding.code.id, finding.text) == (
        "A002",
        (
            f"It has {len(data)} bytes; {len(data) + 1} were registered. Its SHA-256 is the registered one, so the "
            "manifest was changed: bring that back from a copy."
        ),
    )


@pytest.mark.parametrize("batch_bytes", [1, 2, 5, 1 << 20])
def test_a_text_comes_in_whole_lines_and_is_hashed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, batch_bytes: int
) -> None:
    monkeypatch.setattr(module, "_BATCH_BYTES", batch_bytes)
    data = b"one\n\n\r\ntwo\nthree"
    (tmp_path / "file").write_bytes(data)
    texts: list[bytes] = []

    seen = see_stored(
        Layout(tmp_path),
        Registered("file", len(data), sha256_of(data)),
        lambda _: None,
        lambda tap: texts.extend(tap.texts()),
    )

    assert (seen.is_intact, b"".join(texts)) == (True, data)
    assert all(text.endswith(b"\n") for text in texts[:-1])
