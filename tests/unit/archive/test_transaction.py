"""A change is all there or not at all, and nothing of anybody else's is touched."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from faults import driver
from faults.harness import leftovers, state_of
from itemproof.archive.archive import Archive
from itemproof.archive.transaction import NewRun, Writer
from itemproof.core.errors import InvalidInput, ItemproofError, Refused, Unavailable
from itemproof.files import atomic
from itemproof.records.manifest import Attachment


@pytest.fixture
def archive(tmp_path: Path) -> Archive:
    """An archive with the run `old`, which has one import and one attachment."""
    archive = Archive.create(tmp_path / "ark")
    with archive.write(clock=driver.clock) as writer:
        writer.create_run("old", "model", {})
    driver.import_names(archive.root, "old", ["a.jsonl"])
    return archive


@pytest.fixture
def writer(archive: Archive) -> Iterator[Writer]:
    with archive.write(clock=driver.clock, command="import") as writer:
        yield writer


def codes(error: pytest.ExceptionInfo[ItemproofError]) -> list[str]:
    return [finding.code.id for finding in error.value.findings]


def test_a_created_run_is_open_and_empty(archive: Archive, writer: Writer) -> None:
    manifest = writer.create_run("new", "org/model:7b|x", {"note": "\u00e9"})
    assert archive.run("new").manifest == manifest
    assert (manifest.status, manifest.model, manifest.created_at) == ("open", "org/model:7b|x", "2026-11-30T13:33:32Z")
    assert (manifest.metadata, manifest.imports, manifest.attachments) == ({"note": "\u00e9"}, [], [])
    assert [path.name for path in archive.run("new").folder.iterdir()] == ["manifest.json"]


@pytest.mark.parametrize("depth", [199, 1200, 100_000])
def test_what_could_not_be_read_again_is_not_committed(archive: Archive, writer: Writer, depth: int) -> None:
    before = state_of(archive.root)
    nested: list[object] = []
    for _ in range(depth):
        nested = [nested]
    with pytest.raises(InvalidInput) as refused:
        writer.create_run("new", "model", {"deep": nested})
    assert codes(refused) == ["W029"]
    assert state_of(archive.root) == before
    assert leftovers(archive.root) == []


def test_a_committed_import_lies_in_place_under_safe_names(archive: Archive) -> None:
    driver.import_names(archive.root, "old", ["b c.jsonl", "r\u00e9sum\udcff.jsonl"])
    manifest = archive.run("old").manifest
    assert [(file.name, file.raw_path, file.records_path) for file in manifest.files[1:]] == [
        ("b c.jsonl", "runs/old/raw/0002-b_c.jsonl", "runs/old/records/0002.jsonl"),
        ("r\u00e9sum\\udcff.jsonl", "runs/old/raw/0003-r_sum_.jsonl", "runs/old/records/0003.jsonl"),
    ]
    assert [one.path for one in manifest.attachments] == [
        "runs/old/attachments/0001-note.txt",
        "runs/old/attachments/0002-note.txt",
    ]
    assert leftovers(archive.root) == []
    assert state_of(archive.root) is not None


def test_a_run_and_its_first_import_are_one_commit(archive: Archive) -> None:
    driver.import_names(archive.root, "new", ["b.jsonl"], NewRun(model="other"))
    assert (archive.run("new").manifest.model, archive.run("new").manifest.records) == ("other", 1)
    assert leftovers(archive.root) == []


def test_leaving_without_a_commit_changes_nothing(archive: Archive, writer: Writer) -> None:
    before = state_of(archive.root)
    with writer.change("old") as change:
        driver.stage_import(change, ["b.jsonl"])
    with writer.change("new", create=NewRun(model="m")) as change:
        driver.stage_import(change, ["b.jsonl"])
    assert state_of(archive.root) == before
    assert leftovers(archive.root) == []


def test_an_error_or_an_interruption_in_the_block_changes_nothing(archive: Archive, writer: Writer) -> None:
    before = state_of(archive.root)

    def interrupted() -> None:
        with writer.change("old") as change:
            driver.stage_import(change, ["b.jsonl"])
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert state_of(archive.root) == before
    assert leftovers(archive.root) == []


def test_numbers_go_on_behind_whatever_lies_on_the_disk(archive: Archive, writer: Writer) -> None:
    folder = archive.run("old").folder
    (folder / "records" / "0006.jsonl").write_bytes(b"")
    (folder / "raw" / "0004-mine").write_bytes(b"")
    (folder / "attachments" / "notes").write_bytes(b"")
    with writer.change("old") as change:
        first, second = change.stage("raw", "x"), change.stage("raw", "x")
        assert (first.number, second.number) == (7, 8)
        assert change.stage_records(second).stored == "runs/old/records/0008.jsonl"
        assert change.stage("attachments", "x").number == 2


def test_an_unstaged_file_gives_its_number_back(writer: Writer) -> None:
    with writer.change("old") as change:
        first = change.stage("attachments", "x")
        driver.write(first, b"x")
        change.unstage(first)
        assert not first.path.exists()
        assert change.stage("attachments", "y").number == first.number


def test_a_commit_names_the_old_files_and_every_staged_one(archive: Archive, writer: Writer) -> None:
    before = state_of(archive.root)
    with writer.change("old") as change:
        entry = driver.stage_import(change, ["b.jsonl"])
        old = change.manifest
        for manifest in (
            old,
            msgspec.structs.replace(old, imports=[entry]),
            msgspec.structs.replace(old, imports=[*old.imports, entry], run_id="new"),
        ):
            with pytest.raises(ValueError, match="naming its old files and every staged one"):
                change.commit(manifest)
    assert state_of(archive.root) == before
    assert leftovers(archive.root) == []


def test_a_commit_is_made_once(writer: Writer) -> None:
    with writer.change("old") as change:
        change.commit(change.manifest)
        with pytest.raises(ValueError, match="made once"):
            change.commit(change.manifest)


def test_a_file_that_the_disk_cut_short_is_not_committed(archive: Archive, writer: Writer) -> None:
    before = state_of(archive.root)
    with writer.change("old") as change:
        staged = change.stage("attachments", "x")
        driver.write(staged, b"short")
        cut = Attachment(name="x", path=staged.stored, bytes=6, sha256="0" * 64)
        manifest = msgspec.structs.replace(change.manifest, attachments=[*change.manifest.attachments, cut])
        with pytest.raises(Unavailable) as error:
            change.commit(manifest)
    assert codes(error) == ["W005"]
    assert error.value.text.startswith("5 bytes are on the disk and 6 were written.")
    assert state_of(archive.root) == before


def test_a_file_of_somebody_else_is_neither_replaced_nor_removed(archive: Archive, writer: Writer) -> None:
    before = state_of(archive.root)
    theirs = archive.root / "runs/old/records/0002.jsonl"
    with writer.change("old") as change:
        entry = driver.stage_import(change, ["b.jsonl"])
        theirs.write_bytes(b"theirs")
        manifest = msgspec.structs.replace(change.manifest, imports=[*change.manifest.imports, entry])
        with pytest.raises(Refused) as error:
            change.commit(manifest)
    assert codes(error) == ["D005"]
    assert state_of(archive.root) == before
    assert leftovers(archive.root) == ["runs/old/records/0002.jsonl"]
    assert theirs.read_bytes() == b"theirs"


@pytest.mark.parametrize(
    ("run_id", "create", "code"),
    [
        pytest.param("gone", False, "W002", id="there-is-no-such-run"),
        pytest.param("../old", False, "D011", id="no-id"),
        pytest.param("sealed", False, "W003", id="sealed"),
        pytest.param("old", True, "W001", id="the-run-exists"),
        pytest.param("sealed", True, "W001", id="the-sealed-run-exists"),
        pytest.param("OLD", True, "D012", id="another-case"),
        pytest.param("STRAY", True, "D012", id="another-case-of-a-folder"),
        pytest.param("stray", True, "W004", id="files-lie-there"),
        pytest.param("CON", True, "D011", id="device"),
    ],
)
def test_a_change_is_refused_before_anything_is_written(
    archive: Archive, writer: Writer, run_id: str, create: bool, code: str
) -> None:
    writer.create_run("sealed", "m", {})
    with writer.change("sealed") as change:
        change.commit(msgspec.structs.replace(change.manifest, status="sealed", sealed_at="2026-11-30T13:33:32Z"))
    (archive.root / "runs" / "stray" / "raw").mkdir(parents=True)
    (archive.root / "runs" / "stray" / "raw" / "0001-x").write_bytes(b"")
    before = state_of(archive.root)
    with pytest.raises((InvalidInput, Refused)) as error:
        writer.change(run_id, create=NewRun(model="m") if create else None)
    assert codes(error) == [code]
    assert state_of(archive.root) == before


def test_empty_folders_are_in_no_new_runs_way(archive: Archive, writer: Writer) -> None:
    (archive.root / "runs" / "new" / "raw").mkdir(parents=True)
    writer.create_run("new", "m", {})
    assert archive.run_ids() == ["new", "old"]


def test_two_changes_of_one_writer_do_not_meet(archive: Archive, writer: Writer) -> None:
    writer.create_run("new", "m", {})
    with writer.change("old") as first, writer.change("new") as second:
        entries = [driver.stage_import(change, ["b.jsonl"]) for change in (first, second)]
        second.commit(msgspec.structs.replace(second.manifest, imports=[entries[1]]))
        first.commit(msgspec.structs.replace(first.manifest, imports=[*first.manifest.imports, entries[0]]))
    assert [archive.run(run_id).manifest.records for run_id in ("new", "old")] == [1, 2]
    assert leftovers(archive.root) == []


def test_a_last_sync_that_fails_says_that_the_change_is_in_place(
    archive: Archive, writer: Writer, monkeypatch: pytest.MonkeyPatch
) -> None:
    really = atomic.sync_folder
    run = archive.root / "runs" / "new"

    def failing(folder: Path) -> None:
        if folder == run and (run / "manifest.json").exists():
            with atomic.disk_faults(folder):
                raise OSError(5, "Input/output error")
        really(folder)

    monkeypatch.setattr("itemproof.archive.transaction.sync_folder", failing)
    with pytest.raises(Unavailable) as error:
        writer.create_run("new", "m", {})
    assert codes(error) == ["W006"]
    assert "do not repeat the command" in error.value.text
    assert archive.run("new").manifest.model == "m"
    assert leftovers(archive.root) == []
