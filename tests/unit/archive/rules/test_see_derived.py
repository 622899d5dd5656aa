from __future__ import annotations

from collections.abc import Iterator
from itertools import zip_longest
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from builders import a_manifest, an_archive
from itemproof.archive.layout import Layout
from itemproof.archive.rules.see_derived import see_derived
from itemproof.records.manifest import FileEntry, ImportEntry, RunManifest

_TEXTS = st.lists(st.sampled_from([b"a", b"b", b"\n"]), max_size=10).map(b"".join)


def _differs_at(folder: Path, stored: bytes, made: bytes, chunk_bytes: int) -> int | None:
    layout = Layout(folder)
    manifest = layout.read_manifest("run-1")
    assert manifest is not None
    (folder / manifest.files[0].records_path).write_bytes(stored)

    def renormalise(_: RunManifest, __: ImportEntry, ___: FileEntry) -> Iterator[bytes]:
        return (made[at : at + chunk_bytes] for at in range(0, len(made), chunk_bytes))

    return see_derived(layout, renormalise, manifest, manifest.imports[0], file=manifest.files[0]).differs_at


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(stored=_TEXTS, made=_TEXTS, chunk_bytes=st.integers(1, 12))
def test_the_first_line_that_differs_is_named(tmp_path: Path, stored: bytes, made: bytes, chunk_bytes: int) -> None:
    an_archive(tmp_path)
    pairs = enumerate(zip_longest(stored.splitlines(keepends=True), made.splitlines(keepends=True)), start=1)
    first = next((line for line, (one, other) in pairs if one != other), None)

    assert _differs_at(tmp_path, stored, made, chunk_bytes) == first


def test_without_an_adapter_nothing_is_compared(tmp_path: Path) -> None:
    an_archive(tmp_path)
    manifest = Layout(tmp_path).read_manifest("run-1")
    assert manifest is not None

    seen = see_derived(Layout(tmp_path), lambda *_: None, a_manifest(), manifest.imports[0], file=manifest.files[0])

    assert (seen.is_possible, seen.differs_at) == (False, None)


@pytest.mark.parametrize("cut", [1, 7, 1 << 20])
def test_equal_bytes_cut_anywhere_do_not_differ(tmp_path: Path, cut: int) -> None:
    text = (an_archive(tmp_path) / "runs/run-1/records/0001.jsonl").read_bytes()

    assert _differs_at(tmp_path, text, text, cut) is None
