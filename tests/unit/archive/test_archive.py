"""An archive is made once, found from below, read without a trace, and heals before it is written."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from builders import change_manifest
from faults import driver
from faults.harness import leftovers, state_of
from itemproof import __version__
from itemproof.archive.archive import Archive, random_id
from itemproof.archive.layout import GIT_ATTRIBUTES
from itemproof.core.digest import sha256_of
from itemproof.core.errors import InvalidInput, Refused


def create(root: Path) -> Archive:
    return Archive.create(root, clock=driver.clock, new_id=lambda: "0" * 32)


@pytest.fixture
def archive(tmp_path: Path) -> Archive:
    """An archive with the run `old`, which has two imports."""
    archive = create(tmp_path / "ark")
    with archive.write(clock=driver.clock) as writer:
        writer.create_run("old", "model", {})
    for name in ("a.jsonl", "b.jsonl"):
        driver.import_names(archive.root, "old", [name])
    return archive


def tree(root: Path) -> dict[str, bytes | None]:
    return {
        path.relative_to(root).as_posix(): path.read_bytes() if path.is_file() else None for path in root.rglob("*")
    }


def test_a_new_archive_has_its_marker_and_the_folders_of_a_writer(tmp_path: Path) -> None:
    archive = create(tmp_path / "some" / "where")
    assert sorted(tree(archive.root)) == [
        ".gitattributes",
        ".itemproof",
        ".itemproof/.gitignore",
        ".itemproof/journal",
        ".itemproof/lock",
        ".itemproof/staging",
        "archive.json",
        "runs",
    ]
    assert json.loads((archive.root / "archive.json").read_bytes()) == {
        "schema_version": 1,
        "archive_id": "0" * 32,
        "created_at": "2026-11-30T13:33:32Z",
        "tool_version": __version__,
    }
    assert (archive.root / ".gitattributes").read_bytes() == GIT_ATTRIBUTES.encode()
    assert archive.run_ids() == []


def test_ids_are_long_and_not_made_twice() -> None:
    assert len({random_id() for _ in range(100)}) == 100
    assert {len(random_id())} == {32}


def test_making_an_archive_again_keeps_it_and_brings_the_operational_folders_back(archive: Archive) -> None:
    before = tree(archive.root)
    for path in sorted((archive.root / ".itemproof").rglob("*"), reverse=True):
        path.rmdir() if path.is_dir() else path.unlink()
    (archive.root / ".itemproof").rmdir()
    (archive.root / ".gitattributes").unlink()
    again = Archive.create(archive.root, clock=driver.clock)
    assert again.marker == archive.marker
    assert tree(archive.root) == before


def test_making_an_archive_again_does_not_fabricate_what_is_lost(archive: Archive) -> None:
    (archive.root / "runs/old/raw/0001-a.jsonl").unlink()
    before = tree(archive.root)
    create(archive.root)
    assert tree(archive.root) == before


def test_a_write_makes_missing_operational_folders_itself(archive: Archive) -> None:
    for name in ("journal", "staging"):
        (archive.root / ".itemproof" / name).rmdir()
    driver.import_names(archive.root, "old", ["c.jsonl"])
    assert archive.run("old").manifest.records == 3


@pytest.mark.parametrize("folder", ["runs", "releases"])
def test_files_of_an_archive_without_its_marker_get_no_new_identity(tmp_path: Path, folder: str) -> None:
    (tmp_path / folder / "x").mkdir(parents=True)
    (tmp_path / folder / "x" / "manifest.json").write_bytes(b"{}")
    before = tree(tmp_path)
    with pytest.raises(Refused) as error:
        create(tmp_path)
    assert (error.value.code.id, error.value.where.file) == ("W008", str(tmp_path))
    assert error.value.text.startswith(f"{folder}/ holds files (x/manifest.json) and archive.json is missing.")
    assert tree(tmp_path) == before


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ('{"name": "another tool"}', "A010"),
        ("not json", "J001"),
        ('{"schema_version": 2, "archive_id": "x", "created_at": "", "tool_version": "", "more": 1}', "A011"),
    ],
    ids=["another-tools", "no-json", "later-version"],
)
def test_a_marker_that_itemproof_did_not_write_is_refused(tmp_path: Path, text: str, code: str) -> None:
    (tmp_path / "archive.json").write_text(text, encoding="utf-8")
    for way in (Archive.open, Archive.find, create):
        with pytest.raises(InvalidInput) as error:
            way(tmp_path)
        assert [(finding.code.id, finding.where.file) for finding in error.value.findings] == [(code, "archive.json")]


@pytest.mark.parametrize("place", ["runs/old", "runs/old/raw/deeper", ".itemproof/x"])
def test_no_archive_is_made_among_the_files_of_another(archive: Archive, place: str) -> None:
    before = tree(archive.root)
    with pytest.raises(InvalidInput) as refused:
        create(archive.root / place)
    assert [str(finding.code) for finding in refused.value.findings] == ["W013"]
    assert tree(archive.root) == before


def test_an_archive_is_found_from_below(archive: Archive) -> None:
    for below in ("", "runs", "runs/old/raw", "runs/not/there"):
        assert Archive.find(archive.root / below).root == archive.root


@pytest.mark.parametrize("way", [Archive.open, Archive.find])
def test_where_there_is_no_archive_the_way_to_one_is_said(tmp_path: Path, way: object) -> None:
    with pytest.raises(InvalidInput) as error:
        way(tmp_path)  # type: ignore[operator]
    assert (error.value.code.id, error.value.where.file) == ("W007", str(tmp_path))
    assert "itemproof init" in error.value.text


def register(archive: Archive, path: Path) -> None:
    """The manifest of `old` says what stands in a records file now."""
    stored, data = path.relative_to(archive.root).as_posix(), path.read_bytes()

    def changed(content: dict[str, Any]) -> None:
        for entry in content["imports"]:
            for file in entry["files"]:
                if file["records_path"] == stored:
                    file.update(records_bytes=len(data), records_sha256=sha256_of(data))

    change_manifest(archive.root, changed, run_id="old")


def test_a_run_gives_its_records_in_the_order_of_the_imports(archive: Archive) -> None:
    for name, number in (("0001", 1), ("0002", 2)):
        path = archive.root / f"runs/old/records/{name}.jsonl"
        path.chmod(0o644)
        path.write_text(
            f'{{"n": {number}, "big": 12345678901234567890123, "small": 1e-7}}\n{{"n": "{number}\u2028"}}\n',
            encoding="utf-8",
        )
        register(archive, path)
    records = list(archive.run("old").records())
    assert [record["n"] for record in records] == [1, "1\u2028", 2, "2\u2028"]
    assert (records[0]["big"], records[0]["small"]) == (12345678901234567890123, 1e-7)


def test_a_run_stays_as_it_was_opened(archive: Archive) -> None:
    run = archive.run("old")
    driver.import_names(archive.root, "old", ["c.jsonl"])
    assert len(list(run.records())) == 2
    assert len(list(archive.run("old").records())) == 3


def test_a_missing_records_file_is_named(archive: Archive) -> None:
    (archive.root / "runs/old/records/0002.jsonl").unlink()
    with pytest.raises(InvalidInput) as error:
        list(archive.run("old").records())
    assert (error.value.code.id, error.value.where.file) == ("A001", "runs/old/records/0002.jsonl")


@pytest.mark.parametrize(
    ("data", "code"), [(b"x", "A002"), (b'{"schema_version":1,"question_id":"q2"}\n', "A003")], ids=["size", "bytes"]
)
def test_records_that_were_changed_are_not_given(archive: Archive, data: bytes, code: str) -> None:
    path = archive.root / "runs/old/records/0002.jsonl"
    path.chmod(0o644)
    path.write_bytes(data)
    with pytest.raises(InvalidInput) as error:
        list(archive.run("old").records())
    assert (error.value.code.id, error.value.where.file) == (code, "runs/old/records/0002.jsonl")


def test_a_damaged_record_is_named_with_its_line(archive: Archive) -> None:
    path = archive.root / "runs/old/records/0002.jsonl"
    path.chmod(0o644)
    path.write_bytes(b'{"n": 1}\n{"n"\n')
    register(archive, path)
    with pytest.raises(InvalidInput) as error:
        list(archive.run("old").records())
    assert [(finding.code.id, finding.where.file, finding.where.line) for finding in error.value.findings] == [
        ("A030", "runs/old/records/0002.jsonl", 2)
    ]


@pytest.mark.parametrize(("run_id", "code"), [("gone", "W002"), ("../old", "D011"), ("", "D011")])
def test_a_run_that_is_not_there_is_said(archive: Archive, run_id: str, code: str) -> None:
    with pytest.raises(InvalidInput) as error:
        archive.run(run_id)
    assert error.value.code.id == code


def test_reading_leaves_no_trace(archive: Archive) -> None:
    for path in archive.root.rglob("*"):
        path.chmod(0o555 if path.is_dir() else 0o444)
    before = {path: path.stat().st_mtime_ns for path in (archive.root, *archive.root.rglob("*"))}
    found = Archive.find(archive.root / "runs")
    list(found.run(found.run_ids()[0]).records())
    assert {path: path.stat().st_mtime_ns for path in (archive.root, *archive.root.rglob("*"))} == before
    for path in (archive.root, *archive.root.rglob("*")):
        path.chmod(0o755)


def test_a_write_begins_by_settling_what_a_dead_writer_left(archive: Archive) -> None:
    before = state_of(archive.root)
    journal = archive.layout.journal / "0001.json"
    with archive.write(clock=driver.clock, command="import") as writer, writer.change("old") as change:
        driver.stage_import(change, ["c.jsonl"])
        left = journal.read_bytes()
    journal.write_bytes(left)
    (archive.layout.staging / "0001").mkdir()
    with archive.write() as writer:
        assert [(one.run_id, one.command, one.outcome) for one in writer.healed] == [("old", "import", "undone")]
        assert leftovers(archive.root) == []
    assert state_of(archive.root) == before
