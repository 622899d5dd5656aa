"""A manifest counts what the files do not give."""

from __future__ import annotations

from pathlib import Path

from builders import an_archive, change_manifest


def make(folder: Path) -> None:
    counts = {
        "lines": 4,
        "records": 2,
        "longest_record_bytes": 1,
        "scopes": {"stable": 1, "run-local": 1, "ambiguous": 2},
        "warnings": {"H010": 1},
    }
    change_manifest(an_archive(folder), lambda content: content["imports"][0]["files"][0].update(counts))
