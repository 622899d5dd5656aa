"""Every fault among the fields that the run and the options may fill, where reading them stops at the first."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from itemproof.adapters.base import FileContext, LineRefused
from itemproof.adapters.fields import FieldReader
from itemproof.core.findings import Finding

__all__ = ["COMMON", "CommonFaults"]

#: The fields that the run and the options may fill.
COMMON: Final = (
    "run_id",
    "model",
    "benchmark",
    "language",
    "script",
    "variant_id",
    "filter",
    "repeat_id",
    "rephrasing_model",
)


class CommonFaults:
    """Reads the common fields of a line one at a time; for lines that are known to be faulty.

    Args:
        context: The file.
        default_variant: As for the `FieldReader` of the format.
    """

    def __init__(self, context: FileContext, *, default_variant: str | None) -> None:
        self._fields = FieldReader(context, default_variant=default_variant)
        self._sound = {"benchmark": context.options.benchmark or "any", "variant_id": "any"}

    def of(self, line: Mapping[str, Any], doc: Mapping[str, Any]) -> list[Finding]:
        """The faults, in the order of `COMMON`."""
        faults: list[Finding] = []
        for name in COMMON:
            alone = {**self._sound, name: line.get(name)}
            try:
                self._fields.read(alone, {name: doc.get(name)})
            except LineRefused as refused:
                faults.extend(refused.findings)
        return faults
