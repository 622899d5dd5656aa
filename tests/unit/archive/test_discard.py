"""A discarded run is out of the archive at once; it is erased only if asked for."""

from __future__ import annotations

from pathlib import Path

import pytest

from faults import driver
from faults.harness import leftovers
from itemproof.archive.archive import Archive
from itemproof.archive.discard import discard
from itemproof.archive.seal import seal
from itemproof.core.errors import InvalidInput, Refused


@pytest.fixture
def archive(tmp_path: Path) -> Archive:
    """An archive with the runs `old` and `old-2`, each with one import."""
    archive = Archive.create(tmp_path / "ark")
    for run_id in ("old", "old-2"):
        make(archive, run_id)
    return archive


def make(archive: Archive, run_id: str) -> None:
    with archive.write() as writer:
        writer.create_run(run_id, "model", {})
    driver.import_names(archive.root, run_id, ["a.jsonl"])


def kept(archive: Archive) -> list[str]:
    return sorted(path.name for path in archive.layout.discarded.iterdir())


def test_a_discarded_run_is_kept_out_of_sight_with_all_its_bytes(archive: Archive) -> None:
    bytes_before = (archive.root / "runs/old/raw/0001-a.jsonl").read_bytes()
    done = discard(archive, "old", purge=False, clock=driver.clock)
    assert archive.run_ids() == ["old-2"]
    assert done.kept_in == archive.layout.discarded / "old-20261130T133332Z"
    assert (done.kept_in / "raw" / "0001-a.jsonl").read_bytes() == bytes_before
    assert leftovers(archive.root) == []


def test_its_id_is_free_again_and_a_second_discard_of_the_second_finds_a_name(archive: Archive) -> None:
    discard(archive, "old", purge=False, clock=driver.clock)
    make(archive, "old")
    discard(archive, "old", purge=False, clock=driver.clock)
    assert kept(archive) == ["old-20261130T133332Z", "old-20261130T133332Z.2"]


def test_a_purge_erases_the_run_and_what_was_kept_of_it_and_nothing_else(archive: Archive) -> None:
    discard(archive, "old", purge=False, clock=driver.clock)
    make(archive, "old")
    discard(archive, "old", purge=False, clock=driver.clock)
    discard(archive, "old-2", purge=False, clock=driver.clock)
    make(archive, "old")
    done = discard(archive, "old", purge=True)
    assert (done.kept_in, done.erased) == (None, 3)
    assert kept(archive) == ["old-2-20261130T133332Z"]
    assert archive.run_ids() == []
    assert leftovers(archive.root) == []


def test_what_was_discarded_can_be_purged_later(archive: Archive) -> None:
    discard(archive, "old", purge=False, clock=driver.clock)
    assert discard(archive, "old", purge=True).erased == 1
    assert kept(archive) == []
    assert archive.run_ids() == ["old-2"]


@pytest.mark.parametrize("purge", [False, True])
def test_a_sealed_run_is_not_discarded(archive: Archive, purge: bool) -> None:
    seal(archive, "old")
    with pytest.raises(Refused) as error:
        discard(archive, "old", purge=purge)
    assert (error.value.code.id, archive.run_ids()) == ("W003", ["old", "old-2"])


@pytest.mark.parametrize("purge", [False, True])
@pytest.mark.parametrize(("run_id", "code"), [("gone", "W002"), ("../old", "D011")])
def test_a_run_that_is_not_there_is_said(archive: Archive, run_id: str, code: str, purge: bool) -> None:
    with pytest.raises(InvalidInput) as error:
        discard(archive, run_id, purge=purge)
    assert error.value.code.id == code
