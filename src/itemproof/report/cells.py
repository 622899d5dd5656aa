"""The parts of a stored record line, without reading more of it than is asked for."""

from __future__ import annotations

from typing import Final

import msgspec

__all__ = ["Parts", "parts_of"]

#: The fields of a record, each as the JSON text that stands on its line.
Parts = dict[str, msgspec.Raw]

_decode: Final = msgspec.json.Decoder(Parts).decode


def parts_of(line: bytes | None) -> Parts:
    """The fields of a record line; none where there is no line."""
    return _decode(line) if line is not None else {}
