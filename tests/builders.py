"""Small archives, written file by file without the import, and ways to change them."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from itemproof.archive.layout import GIT_ATTRIBUTES
from itemproof.core.digest import sha256_of
from itemproof.files.strict_json import dumps_line
from itemproof.records.manifest import (
    Attachment,
    FileEntry,
    ImportEntry,
    Marker,
    RunManifest,
    encode,
    sealed_digest,
)
from itemproof.records.record import RecordDict

__all__ = [
    "a_file_entry",
    "a_manifest",
    "a_raw_line",
    "a_record",
    "a_run",
    "an_archive",
    "change_manifest",
    "change_raw",
    "change_records",
    "seal_by_hand",
]

WHEN = "2026-11-30T12:00:00Z"


def a_record(**changes: Any) -> RecordDict:
    """The record of raw line 1 of the first file of run `run-1`, with these fields changed or added."""
    record = {
        "schema_version": 1,
        "run_id": "run-1",
        "question_id": "q1",
        "variant_id": "original",
        "benchmark": "rivers",
        "script": None,
        "language": "en",
        "model": "demo/model",
        "rephrasing_model": None,
        "filter": "none",
        "repeat_id": 0,
        "identity_scope": "stable",
        "input": {"question": "Which river crosses Cologne?"},
        "target": "Rhine",
        "prediction": "Rhine",
        "correct": True,
        "scores": {},
        "metrics": {"exact_match": 1.0},
        "response": "Rhine",
        "source": {"path": "runs/run-1/raw/0001-log.jsonl", "line": 1},
        "warnings": [],
    }
    return {**record, **changes}


def a_raw_line(number: int, *, first: int = 1) -> bytes:
    """Line `number` of a canonical log whose questions count from `first`."""
    line = {"question_id": f"q{first + number - 1}", "variant_id": "original", "correct": True}
    return json.dumps(line).encode() + b"\n"


def a_file_entry(root: Path, raw_path: str, records_path: str, **changes: Any) -> FileEntry:
    """The entry that registers these two files as they lie there, with these fields changed."""
    raw, records = (root / raw_path).read_bytes(), (root / records_path).read_bytes()
    lines = records.splitlines(keepends=True)
    scopes = [json.loads(line)["identity_scope"] for line in lines]
    fields: dict[str, Any] = {
        "name": raw_path.rpartition("-")[2],
        "raw_path": raw_path,
        "raw_bytes": len(raw),
        "raw_sha256": sha256_of(raw),
        "records_path": records_path,
        "records_bytes": len(records),
        "records_sha256": sha256_of(records),
        "longest_record_bytes": max(map(len, lines), default=0),
        "lines": len(raw.splitlines()),
        "records": len(lines),
        "scopes": {scope: scopes.count(scope) for scope in ("stable", "run-local")},
        "warnings": {},
        "metrics_used": {},
    }
    return FileEntry(**{**fields, **changes})


def a_manifest(**changes: Any) -> RunManifest:
    """The manifest of an open run `run-1` without imports, with these fields changed."""
    fields: dict[str, Any] = {
        "schema_version": 1,
        "run_id": "run-1",
        "status": "open",
        "model": "demo/model",
        "created_at": WHEN,
        "tool_version": "0",
        "metadata": {},
        "imports": [],
        "attachments": [],
    }
    return RunManifest(**{**fields, **changes})


def an_import(number: int, files: Sequence[FileEntry], **changes: Any) -> ImportEntry:
    """The entry of the import of this number, with these fields changed."""
    fields: dict[str, Any] = {
        "id": f"import-{number:04d}",
        "timestamp": WHEN,
        "format": "canonical",
        "normaliser_version": 1,
        "variant": None,
        "id_selection": [],
        "options": {},
        "facts": {},
        "reproduced": None,
        "notices": [],
        "files": list(files),
    }
    return ImportEntry(**{**fields, **changes})


def a_run(root: Path, run_id: str, *, records: int = 3, imports: int = 1, attachments: int = 1) -> RunManifest:
    """An open run stands there: each import has one canonical log of so many lines, and other questions."""
    entries = [an_import(at, [_file(root, run_id, at, records)]) for at in range(1, imports + 1)]
    attached = [_attachment(root, run_id, number) for number in range(1, attachments + 1)]
    manifest = a_manifest(run_id=run_id, imports=entries, attachments=attached)
    _write(root / "runs" / run_id / "manifest.json", encode(manifest))
    return manifest


def an_archive(path: Path, *, runs: int = 1, records: int = 3, imports: int = 1) -> Path:
    """An archive that is intact, with open runs `run-1` and so on."""
    marker = Marker(schema_version=1, archive_id="0" * 32, created_at=WHEN, tool_version="0")
    _write(path / "archive.json", encode(marker))
    _write(path / ".gitattributes", GIT_ATTRIBUTES.encode())
    for number in range(1, runs + 1):
        a_run(path, f"run-{number}", records=records, imports=imports)
    return path


def change_manifest(root: Path, change: Callable[[dict[str, Any]], object], *, run_id: str = "run-1") -> None:
    """The run's manifest is what `change` made of its plain values."""
    path = root / "runs" / run_id / "manifest.json"
    content = json.loads(path.read_bytes())
    change(content)
    path.write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")


def change_records(
    root: Path, change: Callable[[list[Any]], object], *, run_id: str = "run-1", number: int = 1
) -> None:
    """That records file is what `change` made of its values, and is registered so with all that it counts.

    A value that is bytes becomes a line as it is.
    """
    path = root / "runs" / run_id / "records" / f"{number:04d}.jsonl"
    values: list[Any] = [json.loads(line) for line in path.read_bytes().splitlines()]
    change(values)
    lines = [value if isinstance(value, bytes) else dumps_line(value) for value in values]
    _write(path, b"".join(lines))
    scopes = [value.get("identity_scope") for value in values if isinstance(value, dict)]
    counts = {
        "records_bytes": sum(map(len, lines)),
        "records_sha256": sha256_of(b"".join(lines)),
        "longest_record_bytes": max(map(len, lines), default=0),
        "records": len(lines),
        "scopes": {scope: scopes.count(scope) for scope in ("stable", "run-local")},
    }
    change_manifest(root, lambda content: content["imports"][number - 1]["files"][0].update(counts), run_id=run_id)


def change_raw(root: Path, data: bytes, *, lines: int, run_id: str = "run-1") -> None:
    """The first raw file holds these bytes and is registered so."""
    _write(root / "runs" / run_id / "raw" / "0001-log.jsonl", data)
    facts = {"raw_bytes": len(data), "raw_sha256": sha256_of(data), "lines": lines}
    change_manifest(root, lambda content: content["imports"][0]["files"][0].update(facts), run_id=run_id)


def seal_by_hand(root: Path, *, run_id: str = "run-1") -> None:
    """The run is sealed."""

    def seal(content: dict[str, Any]) -> None:
        content.update(status="sealed", sealed_at=WHEN)
        content["digest"] = sealed_digest(content)

    change_manifest(root, seal, run_id=run_id)


def _file(root: Path, run_id: str, number: int, records: int) -> FileEntry:
    raw_path = f"runs/{run_id}/raw/{number:04d}-log.jsonl"
    records_path = f"runs/{run_id}/records/{number:04d}.jsonl"
    first = (number - 1) * records + 1
    lines = range(1, records + 1)
    made = [
        a_record(run_id=run_id, question_id=f"q{first + line - 1}", source={"path": raw_path, "line": line})
        for line in lines
    ]
    _write(root / raw_path, b"".join(a_raw_line(line, first=first) for line in lines))
    _write(root / records_path, b"".join(map(dumps_line, made)))
    return a_file_entry(root, raw_path, records_path)


def _attachment(root: Path, run_id: str, number: int) -> Attachment:
    path, data = f"runs/{run_id}/attachments/{number:04d}-notes.txt", b"decoded greedily\n"
    _write(root / path, data)
    return Attachment(name="notes.txt", path=path, bytes=len(data), sha256=sha256_of(data))


def _write(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
