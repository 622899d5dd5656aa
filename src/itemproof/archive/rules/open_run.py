"""An open run carries no seal."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from itemproof.archive.rules.base import RunSeen
from itemproof.core.findings import Code, Finding

__all__ = ["open_run"]

SEAL_ON_OPEN: Final = Code("A042", "an open run carries the seal of a closed one")


def open_run(seen: RunSeen) -> Iterator[Finding]:
    """An open manifest has neither a digest nor a time of sealing."""
    if seen.manifest.status != "open":
        return
    for name in ("sealed_at", "digest"):
        if getattr(seen.manifest, name) is not None:
            text = (
                f"The run is open and has {name}, which only a sealed one has. Its status was changed by hand: bring "
                "the manifest back from a copy of the archive."
            )
            yield Finding(SEAL_ON_OPEN, text, seen.at(f"$.{name}"))
