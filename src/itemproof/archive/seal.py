"""A run is closed for ever: its bytes are checked once more, and a digest of its manifest is what others pin."""

from __future__ import annotations

import hashlib
from typing import Any, Final

import msgspec

from itemproof.archive.archive import Archive
from itemproof.archive.layout import MISSING, Layout
from itemproof.core.clock import Clock, system_clock
from itemproof.core.errors import InvalidInput, Refused, refused
from itemproof.core.findings import Code, Finding, Findings
from itemproof.core.where import Where
from itemproof.files.atomic import disk_faults
from itemproof.records.manifest import Registered, RunManifest, sealed_digest

__all__ = ["damaged_files", "seal"]

OTHER_SIZE: Final = Code("A002", "a registered file has another size")
OTHER_BYTES: Final = Code("A003", "a registered file has other bytes")
NOTHING_TO_SEAL: Final = Code("W010", "a run without records cannot be sealed")

_NOT_SEALED = "The run stays open; nothing was changed."


def seal(archive: Archive, run_id: str, *, lock_timeout_s: float = 10.0, clock: Clock = system_clock) -> RunManifest:
    """The run is sealed, and its manifest carries the time and the digest.

    Raises:
        InvalidInput: There is no such run (W002).
        Refused: The run is sealed already (W003), has no records (W010), or its files are not those that were
            registered (A001 to A003, D014; the first 20 are named); or another writer holds the lock (D008).
        Unavailable: The disk refused; the run stays open.
    """
    with (
        archive.write(lock_timeout_s=lock_timeout_s, clock=clock, command="seal") as writer,
        writer.change(run_id) as change,
    ):
        if not change.manifest.imports:
            text = f"The run {run_id!r} has no import. Import first, or discard it."
            raise refused(NOTHING_TO_SEAL, text, outcome=_NOT_SEALED)
        damage = damaged_files(archive.layout, change.manifest)
        if damage:
            raise Refused(damage, _NOT_SEALED)
        sealed = msgspec.structs.replace(change.manifest, status="sealed", sealed_at=writer.now())
        content: dict[str, Any] = msgspec.to_builtins(sealed)
        sealed = msgspec.structs.replace(sealed, digest=sealed_digest(content))
        change.commit(sealed)
    return sealed


def damaged_files(layout: Layout, manifest: RunManifest) -> Findings:
    """Each registered file of the run that is not byte for byte what was registered, in the manifest's order.

    Raises:
        Unavailable: A file cannot be read.
    """
    faults = Findings()
    for registered in manifest.registered:
        try:
            fault = _damage(layout, registered)
        except InvalidInput as error:
            faults.extend(error.findings)
            continue
        if fault:
            faults.add(fault)
    return faults


def _damage(layout: Layout, registered: Registered) -> Finding | None:
    stored, size_bytes, sha256 = registered
    path = layout.stored(stored)
    where = Where(file=stored)
    mend = "Bring back the file as it was, from a copy of the archive."
    with disk_faults(path):
        if not path.is_file():
            return Finding(MISSING, f"It is not there; {size_bytes} bytes were registered. {mend}", where)
        found_bytes = path.stat().st_size
        if found_bytes != size_bytes:
            return Finding(OTHER_SIZE, f"It has {found_bytes} bytes; {size_bytes} were registered. {mend}", where)
        with path.open("rb") as file:
            found = hashlib.file_digest(file, "sha256").hexdigest()
    if found != sha256:
        return Finding(OTHER_BYTES, f"Its SHA-256 is {found}; {sha256} was registered. {mend}", where)
    return None
