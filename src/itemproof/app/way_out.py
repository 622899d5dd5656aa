"""The way out of run-local identities, measured on the files that lack one: which fields would name their questions."""

from __future__ import annotations

import hashlib
import json
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from itemproof.core.errors import ItemproofError
from itemproof.core.findings import Findings
from itemproof.files.jsonl import parse_block, read_blocks

__all__ = ["Candidate", "WayOut", "measure"]

#: Names under which documents carry their identity, besides those that the contract looks up.
_NAMES: Final = frozenset(
    {"idx", "ind", "uid", "_id", "task_id", "key", "query_id", "example_id", "sample_id", "problem_id", "item_id"}
    | {"story_id", "pairid", "record id", "qid", "uuid", "guid", "instance_id"}
)
#: The harness's digest of a document, which names a question where it recomputes.
_DIGEST: Final = "doc_hash"
#: Longer files are measured on this much of their text.
_MEASURED_BYTES: Final = 64 << 20


@dataclass(frozen=True, slots=True)
class Candidate:
    """A field that is there on every line of a file.

    Attributes:
        field: For `--id-field`.
        unique: The lines whose value stands on no other line of their filter.
    """

    field: str
    unique: int


@dataclass(frozen=True, slots=True)
class WayOut:
    """What was measured on one file.

    Attributes:
        lines: The lines that were looked at.
        documents: As many as the filter with the most lines has.
        filters: Different filters among them.
        is_whole: Whether that was the whole file.
        candidates: Fields that name every line uniquely within its filter; the document's digest first.
        nearly: The document's digest, where it recomputes on every line and some documents are equal; else None.
    """

    lines: int
    documents: int
    filters: int
    is_whole: bool
    candidates: tuple[Candidate, ...]
    nearly: Candidate | None = None


def measure(path: Path, *, name: str) -> WayOut:
    """Which fields of the lines of a harness log would name its questions; of a file that is damaged, no line is seen.

    Args:
        path: The log.
        name: The name that it was given by, which decides how it is read.
    """
    try:
        return _measured(path, name)
    except (ItemproofError, OSError):
        return WayOut(0, 0, 0, is_whole=False, candidates=())


def _measured(path: Path, name: str) -> WayOut:
    seen_bytes, is_whole = 0, True
    filters: Counter[str] = Counter()
    seen: dict[str, Counter[tuple[str, str]]] = {}
    findings = Findings()
    for block in read_blocks(path, name=name, max_line_bytes=sys.maxsize):
        if seen_bytes > _MEASURED_BYTES:
            is_whole = False
            break
        seen_bytes += len(block.data)
        for _, line in parse_block(block, findings=findings, max_line_bytes=sys.maxsize):
            filter_ = str(line.get("filter", "none"))
            filters[filter_] += 1
            for field, value in _values(line):
                seen.setdefault(field, Counter())[filter_, value] += 1
    lines = filters.total()
    everywhere = {field: counts for field, counts in seen.items() if counts.total() == lines}
    found = [Candidate(field, sum(1 for n in counts.values() if n == 1)) for field, counts in everywhere.items()]
    fitting = sorted((one for one in found if one.unique == lines), key=lambda one: (one.field != _DIGEST, one.field))
    nearly = next((one for one in found if one.field == _DIGEST and 0 < one.unique < lines), None)
    return WayOut(lines, max(filters.values(), default=0), len(filters), is_whole, tuple(fitting), nearly)


def _values(line: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    doc = line.get("doc")
    stated = line.get(_DIGEST)
    if stated is not None and stated == _doc_hash(doc):
        yield _DIGEST, stated
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
