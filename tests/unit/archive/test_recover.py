"""Recovering says what became of each unfinished write; what becomes of it is tried in `test_journal.py`."""

from __future__ import annotations

from pathlib import Path

import pytest

from faults import driver
from itemproof.archive.archive import Archive
from itemproof.archive.journal import Intent, Settled, write_intent
from itemproof.archive.recover import recover
from itemproof.core.errors import Refused


@pytest.fixture
def archive(tmp_path: Path) -> Archive:
    archive = Archive.create(tmp_path / "ark")
    with archive.write() as writer:
        writer.create_run("old", "model", {})
    return archive


def test_an_archive_in_order_has_nothing_to_recover(archive: Archive) -> None:
    assert recover(archive) == []


def test_each_unfinished_write_is_named_in_the_order_of_the_journals(archive: Archive) -> None:
    for name, run_id in (("0002", "b"), ("0001", "a")):
        intent = Intent(run_id=run_id, command="import", began_at="2026-11-30T13:33:32Z")
        write_intent(archive.layout.journal / f"{name}.json", intent)
    assert recover(archive) == [
        Settled(run_id=run_id, command="import", began_at="2026-11-30T13:33:32Z", outcome="undone", removed=0)
        for run_id in ("a", "b")
    ]
    assert recover(archive) == []


def test_the_write_of_a_living_writer_is_left_alone(archive: Archive) -> None:
    with archive.write() as writer, writer.change("old") as change:
        staged = change.stage("attachments", "x")
        driver.write(staged, b"x")
        with pytest.raises(Refused) as error:
            recover(archive, lock_timeout_s=0.0)
        assert error.value.code.id == "D008"
        assert staged.path.read_bytes() == b"x"
