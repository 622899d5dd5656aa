"""A manifest gives back what was written, and takes nothing that it does not know."""

from __future__ import annotations

import json
from typing import Any

import jsonschema
import msgspec
import pytest

from itemproof.core.digest import sha256_of
from itemproof.core.errors import InvalidInput
from itemproof.records.manifest import Marker, RunManifest, decode_closed, decode_manifest, encode, sealed_digest
from itemproof.records.schema import schema_of

FILE = "runs/run-1/manifest.json"


def manifest(**changes: Any) -> dict[str, Any]:
    """An open run with one import of one file, and one attachment."""
    file = {
        "name": "samples é.jsonl",
        "raw_path": "runs/run-1/raw/0001-samples__.jsonl",
        "raw_bytes": 10**20,
        "raw_sha256": "0" * 64,
        "records_path": "runs/run-1/records/0001.jsonl",
        "records_bytes": 7,
        "records_sha256": "1" * 64,
        "longest_record_bytes": 7,
        "lines": 2,
        "records": 1,
        "scopes": {"stable": 1, "run-local": 0, "ambiguous": 0},
        "warnings": {"P010": 1},
        "metrics_used": {"b": {"none": ["acc"]}},
        "task": "b_en",
        "options": {"language": "en"},
        "results_path": "runs/run-1/attachments/0001-r.json",
    }
    entry = {
        "id": "import-0001",
        "timestamp": "2026-11-30T13:33:32Z",
        "format": "paired",
        "normaliser_version": 1,
        "variant": None,
        "id_selection": [],
        "options": {},
        "facts": {},
        "reproduced": None,
        "notices": [],
        "files": [file],
        "metadata": {"a": {"b": 1.5}},
    }
    attachment = {"name": "r.json", "path": "runs/run-1/attachments/0001-r.json", "bytes": 2, "sha256": "2" * 64}
    return {
        "schema_version": 1,
        "run_id": "run-1",
        "status": "open",
        "model": "m",
        "created_at": "2026-11-30T13:33:32Z",
        "tool_version": "1.0",
        "metadata": {"a": {"b": 1.5}},
        "imports": [entry],
        "attachments": [attachment],
        **changes,
    }


def written(value: dict[str, Any]) -> bytes:
    return json.dumps(value).encode()


def read(value: dict[str, Any]) -> RunManifest:
    return decode_manifest(written(value), run_id="run-1", file=FILE)


@pytest.mark.parametrize("changes", [{}, {"status": "sealed", "sealed_at": "2026-12-01T00:00:00Z", "digest": "3" * 64}])
def test_what_is_written_is_read_again(changes: dict[str, Any]) -> None:
    value = manifest(**changes)
    assert json.loads(encode(read(value))) == value
    assert read(json.loads(encode(read(value)))) == read(value)
    jsonschema.validate(value, schema_of("run-manifest-v1"))


def test_it_counts_its_files_and_records() -> None:
    found = read(manifest())
    assert [file.name for file in found.files] == ["samples é.jsonl"]
    assert found.records == 1


def test_it_knows_where_each_path_is_named() -> None:
    assert read(manifest()).paths == {
        "runs/run-1/raw/0001-samples__.jsonl": "$.imports[0].files[0].raw_path",
        "runs/run-1/records/0001.jsonl": "$.imports[0].files[0].records_path",
        "runs/run-1/attachments/0001-r.json": "$.attachments[0].path",
    }


def test_the_digest_is_of_everything_but_itself() -> None:
    canonical = json.dumps(manifest(), sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    assert sealed_digest(manifest()) == sha256_of(canonical.encode())
    assert sealed_digest(manifest(digest="anything")) == sealed_digest(manifest())
    assert sealed_digest(manifest(model="other")) != sealed_digest(manifest())


def refused(value: dict[str, Any], *, run_id: str = "run-1") -> list[tuple[str, str | None, str | None]]:
    with pytest.raises(InvalidInput) as error:
        decode_manifest(written(value), run_id=run_id, file=FILE)
    return [(finding.code.id, finding.where.file, finding.where.path) for finding in error.value.findings]


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        pytest.param({"later": 1}, [("A010", FILE, None)], id="an unknown key"),
        pytest.param({"status": "closed"}, [("A010", FILE, None)], id="an unknown status"),
        pytest.param({"model": None}, [("A010", FILE, None)], id="a null model"),
        pytest.param({"schema_version": 2, "later": 1}, [("A011", FILE, "$.schema_version")], id="a later version"),
        pytest.param(
            {"attachments": [{"name": "x", "path": "runs/run-2/attachments/0001-x", "bytes": 0, "sha256": "0" * 64}]},
            [("A013", FILE, "$.attachments[0].path")],
            id="a path of another run",
        ),
        pytest.param(
            {"attachments": [{"name": "x", "path": "runs/run-1/../x", "bytes": 0, "sha256": "0" * 64}]},
            [("D013", FILE, "$.attachments[0].path")],
            id="a path that leaves",
        ),
    ],
)
def test_a_manifest_that_itemproof_did_not_write_is_refused(
    changes: dict[str, Any], expected: list[tuple[str, str | None, str | None]]
) -> None:
    assert refused(manifest(**changes)) == expected


def test_another_runs_manifest_is_refused() -> None:
    assert refused(manifest(), run_id="run-2") == [("A012", FILE, "$.run_id")]


def test_bytes_that_are_no_json_are_refused() -> None:
    with pytest.raises(InvalidInput) as error:
        decode_closed(b'{"schema_version": 1', Marker, file="archive.json")
    assert error.value.where.file == "archive.json"


def test_a_marker_gives_back_its_values() -> None:
    marker = Marker(schema_version=1, archive_id="a", created_at="2026-11-30T13:33:32Z", tool_version="1.0")
    assert decode_closed(encode(marker), Marker, file="archive.json") == marker
    assert list(json.loads(encode(marker))) == list(Marker.__struct_fields__)


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_a_number_that_is_none_is_not_written(value: float) -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        encode(msgspec.structs.replace(read(manifest()), metadata={"a": value}))
