"""The way out of run-local identities, measured on the files that lack one: which fields would name their questions."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from itemproof.core.findings import Findings
from itemproof.files.jsonl import parse_block, read_blocks

__all__ = ["Candidate", "WayOut", "measure"]

#: Names under which documents carry their identity, besides those that the contract looks up.
_NAMES: Final = frozenset(
    {"idx", "ind", "uid", "_id", "task_id", "key", "query_id", "example_id", "sample_id", "problem_id", "item_id"}
    | {"story_id", "pairid", "record id", "qid", "uuid", "guid", "instance_id"}
)
#: Longer files are measured on this much of their text.
_MEASURED_BYTES: Final = 64 << 20


@dataclass(frozen=True, slots=True)
class Candidate:
    """A field that could name the questions of a file.

    Attributes:
        field: For `--id-field`.
        values: Lines that have a usable value.
        distinct: Different values among them, counted within each filter.
    """

    field: str
    values: int
    distinct: int


@dataclass(frozen=True, slots=True)
class WayOut:
    """What was measured on one file.

    Attributes:
        lines: The lines that were looked at.
        documents: Different documents among them.
        filters: Different filters among them.
        is_whole: Whether that was the whole file.
        candidates: Fields that name every line uniquely within its filter; the document's digest first.
    """

    lines: int
    documents: int
    filters: int
    is_whole: bool
    candidates: tuple[Candidate, ...]


def measure(path: Path, *, name: str) -> WayOut:
    """Which fields of the lines of a harness log are there on every line and unique within each filter."""
    lines, seen_bytes, is_whole = 0, 0, True
    filters: set[str] = set()
    seen: dict[str, set[tuple[str, str]]] = {}
    counts: dict[str, int] = {}
    findings = Findings()
    for block in read_blocks(path, name=name):
        if seen_bytes > _MEASURED_BYTES:
            is_whole = False
            break
        seen_bytes += len(block.data)
        for _, line in parse_block(block, findings=findings):
            lines += 1
            filter_ = str(line.get("filter", "none"))
            filters.add(filter_)
            for field, value in _values(line):
                counts[field] = counts.get(field, 0) + 1
                seen.setdefault(field, set()).add((filter_, value))
    candidates = [Candidate(field, counts[field], len(values)) for field, values in seen.items()]
    fitting = [one for one in candidates if one.values == one.distinct == lines]
    fitting.sort(key=lambda one: (one.field != "doc_hash", one.field))
    documents = len({value for _, value in seen.get("doc_hash", set())})
    return WayOut(lines, documents, len(filters), is_whole, tuple(fitting))


def _values(line: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    doc = line.get("doc")
    stated = line.get("doc_hash")
    if stated is not None and stated == _doc_hash(doc):
        yield "doc_hash", stated
    if isinstance(doc, Mapping):
        for key, value in doc.items():
            if (
                (key.casefold() in _NAMES or key.casefold() == "id")
                and type(value) in (int, str)
                and str(value).strip()
            ):
                yield f"doc.{key}", str(value)


def _doc_hash(doc: Any) -> str:
    return hashlib.sha256(json.dumps(doc, indent=2, ensure_ascii=False).encode("utf-8", "surrogatepass")).hexdigest()
