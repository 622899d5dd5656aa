"""One line through an adapter, as tests of several adapters need it."""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from itemproof.adapters.base import Adapter, FileContext, LineRefused, Normaliser, Options, Tally
from itemproof.core.findings import Finding
from itemproof.records.identity import parse_id_selection
from itemproof.records.record import RecordDict

RAW_SHA256 = "5a" * 32


def file_context(
    *, metadata: Mapping[str, Any] | None = None, id_field: Sequence[str] = (), **options: Any
) -> FileContext:
    """The file `items.jsonl` of the run `run-1` of the model `m`; further keywords are options of the import."""
    return FileContext(
        run_id="run-1",
        model="m",
        metadata=metadata or {},
        name="items.jsonl",
        task=None,
        raw_path="runs/run-1/raw/0001-items.jsonl",
        raw_sha256=RAW_SHA256,
        options=Options(ids=parse_id_selection(id_field), **options),
    )


def normalised(adapter: Adapter, line: dict[str, Any], context: FileContext) -> tuple[list[RecordDict], Tally]:
    """The records of a line that stands seventh, and what was counted."""
    normaliser = adapter.normaliser(context)
    return copy.deepcopy(list(normaliser.records(line, 7))), normaliser.take()


def faults(adapter: Adapter, line: dict[str, Any], context: FileContext) -> list[Finding]:
    """All that an adapter holds against a line, in order."""
    with pytest.raises(LineRefused) as refused:
        adapter.normaliser(context).records(line, 7)
    return list(refused.value.findings)


def attempt(normaliser: Normaliser, line: dict[str, Any]) -> tuple[list[RecordDict], list[Finding]]:
    """The records of a line that stands seventh, or all that is held against it; one of the two is empty."""
    try:
        return copy.deepcopy(list(normaliser.records(line, 7))), []
    except LineRefused as refused:
        return [], list(refused.findings)


def places(findings: list[Finding]) -> list[tuple[str, str | None]]:
    """The code and the JSON path of each finding."""
    return [(finding.code.id, finding.where.path) for finding in findings]
