"""An earlier version of the adapter made the records, and one of a format that is not installed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from builders import an_archive, change_manifest


def make(folder: Path) -> None:
    def age(content: dict[str, Any]) -> None:
        content["imports"][0]["normaliser_version"] = 0
        content["imports"][1]["format"] = "elsewhere"

    change_manifest(an_archive(folder, imports=2), age)
