"""What a dead writer left is settled by one rule: the committed manifest's files stay, the journal's others go."""

from __future__ import annotations

from pathlib import Path

import pytest

from faults import driver
from itemproof.archive.archive import Archive
from itemproof.archive.journal import Intent, Settled, heal, write_intent
from itemproof.archive.layout import Layout
from itemproof.core.digest import sha256_of
from itemproof.core.errors import InvalidInput


@pytest.fixture
def layout(tmp_path: Path) -> Layout:
    """An archive with the run `old`, which has one import and one attachment."""
    archive = Archive.create(tmp_path / "ark")
    with archive.write() as writer:
        writer.create_run("old", "model", {})
    driver.import_names(archive.root, "old", ["a.jsonl"])
    return archive.layout


KEPT = ["runs/old/raw/0001-a.jsonl", "runs/old/records/0001.jsonl", "runs/old/attachments/0001-note.txt"]


def intent(layout: Layout, run_id: str, *files: str, manifest: bytes | None = None) -> None:
    for file in files:
        path = layout.root / file
        if not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(b"")
    digest = None if manifest is None else sha256_of(manifest)
    write_intent(
        layout.journal / "0001.json",
        Intent(
            run_id=run_id,
            command="import",
            began_at="2026-11-30T13:33:32Z",
            files=dict.fromkeys(files, sha256_of(b"")),
            manifest_sha256=digest,
        ),
    )


def settled(run_id: str, outcome: str, removed: int) -> list[Settled]:
    return [
        Settled(
            run_id=run_id,
            command="import",
            began_at="2026-11-30T13:33:32Z",
            outcome=outcome,  # type: ignore[arg-type]
            removed=removed,
        )
    ]


def files_of(layout: Layout) -> list[str]:
    return sorted(path.relative_to(layout.root).as_posix() for path in layout.runs.rglob("*"))


def test_without_a_journal_there_is_nothing_to_settle(layout: Layout) -> None:
    assert heal(layout) == []


def test_a_write_that_had_not_moved_anything_is_undone(layout: Layout) -> None:
    before = files_of(layout)
    intent(layout, "old")
    (layout.staging / "0001" / "raw").mkdir(parents=True)
    (layout.staging / "0001" / "raw" / "0002-b.jsonl").write_bytes(b"half")
    assert heal(layout) == settled("old", "undone", 0)
    assert files_of(layout) == before
    assert (list(layout.journal.iterdir()), list(layout.staging.iterdir())) == ([], [])


def test_files_that_no_manifest_names_go_and_those_of_the_manifest_stay(layout: Layout) -> None:
    before = files_of(layout)
    intent(layout, "old", *KEPT, "runs/old/raw/0002-b.jsonl", manifest=b"never written")
    assert heal(layout) == settled("old", "undone", 1)
    assert files_of(layout) == before


def test_a_write_whose_manifest_is_in_place_is_finished(layout: Layout) -> None:
    before = files_of(layout)
    intent(layout, "old", *KEPT, manifest=layout.manifest("old").read_bytes())
    assert heal(layout) == settled("old", "finished", 0)
    assert files_of(layout) == before


def test_a_run_that_was_not_committed_leaves_no_folder(layout: Layout) -> None:
    before = files_of(layout)
    intent(layout, "new", "runs/new/raw/0001-b.jsonl", "runs/new/records/0001.jsonl", manifest=b"never written")
    assert heal(layout) == settled("new", "undone", 2)
    assert files_of(layout) == before


def test_a_file_that_the_journal_does_not_name_is_not_touched(layout: Layout) -> None:
    intent(layout, "new", "runs/new/raw/0001-b.jsonl", manifest=b"never written")
    (layout.runs / "new" / "raw" / "mine.txt").write_bytes(b"mine")
    assert heal(layout) == settled("new", "undone", 1)
    assert (layout.runs / "new" / "raw" / "mine.txt").read_bytes() == b"mine"


def test_a_file_of_somebody_else_under_a_name_of_the_journal_stays(layout: Layout) -> None:
    intent(layout, "old", "runs/old/raw/0002-b.jsonl", "runs/old/records/0002.jsonl", manifest=b"never written")
    (layout.root / "runs/old/raw/0002-b.jsonl").write_bytes(b"mine")
    assert heal(layout) == settled("old", "undone", 1)
    assert (layout.root / "runs/old/raw/0002-b.jsonl").read_bytes() == b"mine"


def test_settling_twice_changes_nothing_more(layout: Layout) -> None:
    intent(layout, "old", "runs/old/raw/0002-b.jsonl", manifest=b"never written")
    journal = (layout.journal / "0001.json").read_bytes()
    heal(layout)
    before = files_of(layout)
    (layout.journal / "0001.json").write_bytes(journal)
    assert heal(layout) == settled("old", "undone", 0)
    assert files_of(layout) == before


def test_a_half_written_journal_is_none(layout: Layout) -> None:
    (layout.journal / ".0001.json.1.tmp").write_bytes(b"{")
    assert heal(layout) == []
    assert list(layout.journal.iterdir()) == []


@pytest.mark.parametrize(
    ("file", "code"),
    [("../../x", "D013"), ("archive.json/x", None), ("runs/link/x", "D014")],
    ids=["outside", "below-a-file", "through-a-link"],
)
def test_a_journal_never_leads_out_of_the_archive(layout: Layout, file: str, code: str | None) -> None:
    (layout.root.parent / "x").write_bytes(b"mine")
    (layout.runs / "link").symlink_to(layout.root.parent)
    write_intent(
        layout.journal / "0001.json",
        Intent(run_id="old", command="import", began_at="2026-11-30T13:33:32Z", files={file: sha256_of(b"mine")}),
    )
    if code is None:
        heal(layout)
    else:
        with pytest.raises(InvalidInput) as error:
            heal(layout)
        assert error.value.code.id == code
    assert (layout.root.parent / "x").read_bytes() == b"mine"


def test_a_journal_that_cannot_be_read_removes_nothing(layout: Layout) -> None:
    intent(layout, "old", "runs/old/raw/0002-b.jsonl", manifest=b"never written")
    before = files_of(layout)
    (layout.journal / "0001.json").write_bytes(b"{")
    with pytest.raises(InvalidInput) as error:
        heal(layout)
    assert (error.value.code.id, error.value.where.file) == ("J001", ".itemproof/journal/0001.json")
    assert files_of(layout) == before


def test_a_manifest_that_cannot_be_read_saves_every_file(layout: Layout) -> None:
    intent(layout, "old", *KEPT, manifest=b"x")
    layout.manifest("old").write_bytes(b"damaged")
    before = files_of(layout)
    with pytest.raises(InvalidInput):
        heal(layout)
    assert files_of(layout) == before
