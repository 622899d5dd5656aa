"""Half of a surrogate pair in an output: models write it, UTF-8 cannot hold it, and it is scored all the same."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, Final, TypeAlias

from itemproof.core.findings import Findings
from itemproof.files.exact_json import LONE_SURROGATE
from itemproof.records.response import OUTPUT_FIELDS

__all__ = ["Forgive", "forgive_output", "never", "output_field"]

#: Given a JSON text and its faults, the value if the faults do not matter, else None.
Forgive: TypeAlias = "Callable[[bytes, Findings], Any | None]"

_ABSENT: Final = "output"


def never(text: bytes, faults: Findings) -> None:
    """No fault is forgiven."""
    del text, faults


def output_field(record: dict[str, Any]) -> str:
    """The field that is scored: the first of output, text and completion that is present and not null."""
    return next((name for name in OUTPUT_FIELDS if record.get(name) is not None), _ABSENT)


def forgive_output(text: bytes, faults: Findings) -> dict[str, Any] | None:
    """The response, if all that is wrong with its JSON is half of a surrogate pair in the output that is scored."""
    if faults.count != 1 or faults.kept[0].code is not LONE_SURROGATE:
        return None
    value = json.loads(text)
    if not isinstance(value, dict) or faults.kept[0].where.path != f"$.{output_field(value)}":
        return None
    return value
