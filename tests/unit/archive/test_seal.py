"""A sealed run never changes; a run that is damaged or empty is not sealed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from faults import driver
from faults.harness import leftovers, state_of
from itemproof.archive.archive import Archive
from itemproof.archive.seal import DAMAGE, damaged_files, seal
from itemproof.archive.validate import validate
from itemproof.core.digest import sha256_of_value
from itemproof.core.errors import InvalidInput, Refused

RAW, RECORDS = "runs/old/raw/0001-a.jsonl", "runs/old/records/0001.jsonl"
NOTE = "runs/old/attachments/0001-note.txt"


@pytest.fixture
def archive(tmp_path: Path) -> Archive:
    """An archive with the run `old`, which has one import and one attachment."""
    archive = Archive.create(tmp_path / "ark")
    with archive.write(clock=driver.clock) as writer:
        writer.create_run("old", "model", {"n": 12345678901234567890123, "x": 1e22})
    driver.import_names(archive.root, "old", ["a.jsonl"])
    return archive


def overwrite(path: Path, data: bytes) -> None:
    path.chmod(0o644)
    path.write_bytes(data)


def test_a_sealed_manifest_carries_the_time_and_the_digest_of_all_the_rest(archive: Archive) -> None:
    sealed = seal(archive, "old", clock=driver.clock)
    assert archive.run("old").manifest == sealed
    value = json.loads((archive.root / "runs/old/manifest.json").read_bytes())
    assert (value["status"], value["sealed_at"]) == ("sealed", "2026-11-30T13:33:32Z")
    assert value.pop("digest") == sha256_of_value(value)
    assert leftovers(archive.root) == []


def test_every_byte_of_the_run_is_told_once(archive: Archive) -> None:
    done: list[int] = []
    sealed = seal(archive, "old", progress=done.append)
    assert sum(done) == sum(file.size_bytes for file in sealed.registered)


def test_a_sealed_run_is_not_sealed_again(archive: Archive) -> None:
    sealed = seal(archive, "old", clock=driver.clock)
    with pytest.raises(Refused) as error:
        seal(archive, "old")
    assert (error.value.code.id, archive.run("old").manifest) == ("W003", sealed)
    assert "was sealed at 2026-11-30T13:33:32Z" in error.value.text


def test_a_run_without_an_import_is_not_sealed(archive: Archive) -> None:
    with archive.write() as writer:
        writer.create_run("empty", "model", {})
    with pytest.raises(Refused) as error:
        seal(archive, "empty")
    assert (error.value.code.id, archive.run("empty").manifest.status) == ("W010", "open")


def test_every_damaged_file_is_named_and_the_run_stays_open(archive: Archive) -> None:
    (archive.root / RAW).unlink()
    overwrite(archive.root / RECORDS, driver.RECORDS[:-2] + b"\n")
    overwrite(archive.root / NOTE, driver.RAW.replace(b"q1", b"q2"))
    with pytest.raises(Refused) as error:
        seal(archive, "old")
    assert [(finding.code.id, finding.where.file) for finding in error.value.findings] == [
        ("A001", RAW),
        ("A002", RECORDS),
        ("A003", NOTE),
    ]
    assert {finding.code for finding in error.value.findings} <= DAMAGE
    found = validate(archive.root, jobs=1).findings
    said = {(finding.code.id, finding.text) for finding in error.value.findings}
    assert said <= {(finding.code.id, finding.text) for finding in found}
    assert error.value.outcome == "The run stays open; nothing was changed."
    assert archive.run("old").manifest.status == "open"


def test_a_link_to_the_same_bytes_is_damage(archive: Archive, tmp_path: Path) -> None:
    (archive.root / RAW).rename(tmp_path / "elsewhere")
    (archive.root / RAW).symlink_to(tmp_path / "elsewhere")
    found = damaged_files(archive.layout, archive.run("old").manifest)
    assert [(finding.code.id, finding.where.file) for finding in found] == [("D014", RAW)]


def test_a_folder_in_a_files_place_is_damage(archive: Archive) -> None:
    (archive.root / RAW).unlink()
    (archive.root / RAW).mkdir()
    found = damaged_files(archive.layout, archive.run("old").manifest)
    assert [(finding.code.id, finding.where.file) for finding in found] == [("A001", RAW)]


def test_a_whole_run_has_no_damage(archive: Archive) -> None:
    assert list(damaged_files(archive.layout, archive.run("old").manifest)) == []
    assert state_of(archive.root) is not None


def test_a_run_that_is_not_there_is_not_sealed(archive: Archive) -> None:
    with pytest.raises(InvalidInput) as error:
        seal(archive, "gone")
    assert error.value.code.id == "W002"


def test_changed_line_ends_are_told_as_such(archive: Archive) -> None:
    overwrite(archive.root / RAW, driver.RAW.replace(b"\n", b"\r\n"))
    with pytest.raises(Refused) as error:
        seal(archive, "old")
    assert [(finding.code.id, finding.where.file) for finding in error.value.findings] == [("A004", RAW)]
    assert error.value.code in DAMAGE


@pytest.mark.parametrize("run", ["old", "empty"])
def test_a_run_that_is_sealed_or_empty_is_not_damaged(archive: Archive, run: str) -> None:
    with archive.write() as writer:
        writer.create_run("empty", "model", {})
    seal(archive, "old")
    with pytest.raises(Refused) as error:
        seal(archive, run)
    assert error.value.code not in DAMAGE
