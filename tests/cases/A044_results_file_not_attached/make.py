"""A manifest names a results file that is no attachment."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from builders import an_archive, change_manifest


def make(folder: Path) -> None:
    def name(content: dict[str, Any]) -> None:
        content["imports"][0]["files"][0]["results_path"] = "runs/run-1/attachments/0002-results.json"

    change_manifest(an_archive(folder), name)
