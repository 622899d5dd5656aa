"""Where things lie, and what a manifest that is read must be."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from faults import driver
from itemproof.archive.archive import Archive
from itemproof.archive.layout import GIT_ATTRIBUTES, Layout, is_stored
from itemproof.core.errors import InvalidInput, Unavailable
from itemproof.records.manifest import RunManifest, encode, sealed_digest


@pytest.fixture
def layout(tmp_path: Path) -> Layout:
    """An archive with the run `old`, which has one import and one attachment."""
    archive = Archive.create(tmp_path / "ark")
    with archive.write() as writer:
        writer.create_run("old", "model", {"n": 12345678901234567890123, "x": 0.1, "text": "\u2028\u202e"})
    driver.import_names(archive.root, "old", ["a.jsonl"])
    return archive.layout


def rewritten(layout: Layout, change: Any) -> None:
    path = layout.manifest("old")
    value = json.loads(path.read_bytes())
    change(value)
    path.write_text(json.dumps(value), encoding="utf-8")


def refused(layout: Layout) -> list[tuple[str, str | None, str | None]]:
    with pytest.raises(InvalidInput) as error:
        layout.read_manifest("old")
    return [(finding.code.id, finding.where.file, finding.where.path) for finding in error.value.findings]


def test_everything_managed_is_binary_to_git() -> None:
    assert GIT_ATTRIBUTES.splitlines() == [
        "/runs/** binary",
        "/item-banks/** binary",
        "/protocols/** binary",
        "/model-panels/** binary",
        "/calibrations/** binary",
        "/releases/** binary",
    ]


def test_a_folder_without_a_manifest_is_no_run(layout: Layout) -> None:
    (layout.runs / "empty").mkdir()
    (layout.runs / "file").write_bytes(b"")
    assert layout.run_ids() == ["old"]
    assert layout.run_folders() == ["empty", "old"]


def test_a_manifest_reads_back_as_it_was_written(layout: Layout) -> None:
    manifest = layout.read_manifest("old")
    assert manifest is not None
    assert encode(manifest) == layout.manifest("old").read_bytes()
    assert manifest.metadata == {"n": 12345678901234567890123, "x": 0.1, "text": "\u2028\u202e"}


def test_there_is_no_manifest_of_a_run_that_is_not_there(layout: Layout) -> None:
    assert layout.read_manifest("new") is None


def _set(key: str, value: object) -> Any:
    def change(manifest: dict[str, Any]) -> None:
        manifest[key] = value

    return change


@pytest.mark.parametrize(
    ("change", "findings"),
    [
        pytest.param(_set("schema_version", 2), [("A011", "$.schema_version")], id="later-version"),
        pytest.param(_set("schema_version", True), [("A010", None)], id="version-that-is-no-number"),
        pytest.param(_set("new_key", 1), [("A010", None)], id="unknown-key"),
        pytest.param(_set("status", "shut"), [("A010", None)], id="unknown-status"),
        pytest.param(_set("imports", None), [("A010", None)], id="wrong-type"),
        pytest.param(_set("run_id", "other"), [("A012", "$.run_id")], id="another-run"),
    ],
)
def test_a_manifest_that_itemproof_does_not_write_is_refused(
    layout: Layout, change: Any, findings: list[tuple[str, str | None]]
) -> None:
    rewritten(layout, change)
    assert refused(layout) == [(code, "runs/old/manifest.json", path) for code, path in findings]


def test_every_path_that_leads_out_of_the_run_is_named(layout: Layout) -> None:
    def change(manifest: dict[str, Any]) -> None:
        manifest["imports"][0]["files"][0]["raw_path"] = "../../etc/passwd"
        manifest["imports"][0]["files"][0]["records_path"] = "runs/new/records/0001.jsonl"
        manifest["attachments"][0]["path"] = "runs/old/raw/0001-note.txt"

    rewritten(layout, change)
    assert refused(layout) == [
        ("D013", "runs/old/manifest.json", "$.imports[0].files[0].raw_path"),
        ("A013", "runs/old/manifest.json", "$.imports[0].files[0].records_path"),
        ("A013", "runs/old/manifest.json", "$.attachments[0].path"),
    ]


@pytest.mark.parametrize(
    ("data", "code"),
    [(b"", "J001"), (b"{", "J001"), (b"[]", "A010"), (b"\xff", "J007"), (b'{"run_id": 1, "run_id": 2}', "J002")],
    ids=["empty", "torn", "list", "bytes", "key-twice"],
)
def test_a_damaged_manifest_is_refused_with_its_name(layout: Layout, data: bytes, code: str) -> None:
    layout.manifest("old").write_bytes(data)
    assert [(found, file) for found, file, _ in refused(layout)] == [(code, "runs/old/manifest.json")]


def test_a_linked_run_is_refused(layout: Layout, tmp_path: Path) -> None:
    layout.run("old").rename(tmp_path / "elsewhere")
    layout.run("old").symlink_to(tmp_path / "elsewhere")
    assert refused(layout) == [("D014", "runs/old/manifest.json", None)]


def test_the_digest_of_a_sealed_manifest_does_not_depend_on_the_order_of_its_keys(layout: Layout) -> None:
    manifest = layout.read_manifest("old")
    assert manifest is not None
    value = msgspec.to_builtins(manifest)
    turned = dict(reversed(value.items()))
    assert sealed_digest(value) == sealed_digest({**turned, "digest": "0" * 64})
    assert sealed_digest(value) != sealed_digest({**value, "model": "other"})
    assert set(RunManifest.__struct_fields__) - set(value) == {"sealed_at", "digest"}


def test_a_run_that_cannot_be_looked_into_is_listed_and_says_why_when_it_is_opened(
    layout: Layout, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = Path.is_file

    def forbidden(self: Path) -> bool:
        if self.name == "manifest.json":
            raise PermissionError(13, "Permission denied", str(self))
        return real(self)

    monkeypatch.setattr(Path, "is_file", forbidden)
    assert layout.run_ids() == ["old"]


@pytest.mark.parametrize("ask", [lambda layout: layout.run_ids(), lambda layout: layout.run_folders()])
def test_runs_at_a_path_that_the_system_refuses_are_a_fault_of_the_disk(tmp_path: Path, ask: Any) -> None:
    with pytest.raises(Unavailable) as refused:
        ask(Layout(tmp_path / ("x" * 300)))
    assert refused.value.code.id == "D004"


def test_a_path_below_one_that_the_system_refuses_is_stored_nowhere_that_can_be_told(tmp_path: Path) -> None:
    with pytest.raises(Unavailable) as refused:
        is_stored(tmp_path / ("x" * 300) / "y")
    assert refused.value.code.id == "D004"
