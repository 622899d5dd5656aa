"""A sealed run is what its seal says."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from itemproof.archive.rules.base import RunSeen
from itemproof.core.findings import Code, Finding
from itemproof.records.manifest import sealed_digest

__all__ = ["sealed_run"]

BROKEN_SEAL: Final = Code("A041", "a sealed run's digest or time is missing or does not hold")

_MEND = "The manifest was changed after the sealing: bring it back from a copy of the archive."


def sealed_run(seen: RunSeen) -> Iterator[Finding]:
    """A sealed manifest has the time of its sealing and the digest of what it says."""
    manifest = seen.manifest
    if manifest.status != "sealed":
        return
    if manifest.sealed_at is None:
        yield Finding(BROKEN_SEAL, f"The run is sealed and sealed_at is missing. {_MEND}", seen.at("$.sealed_at"))
    due = sealed_digest(seen.content)
    if manifest.digest != due:
        found = "missing" if manifest.digest is None else manifest.digest
        text = f"The run's digest is {found}; what the manifest says has {due}. {_MEND}"
        yield Finding(BROKEN_SEAL, text, seen.at("$.digest"))
