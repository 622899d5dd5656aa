"""The schema versions that are read and written."""

from __future__ import annotations

from typing import Final

__all__ = ["ARCHIVE", "RECORD"]

#: `archive.json` and every manifest in it.
ARCHIVE: Final = 1
#: One normalised record.
RECORD: Final = 1
