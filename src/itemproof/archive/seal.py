"""A run is closed for ever: its bytes are checked once more, and a digest of its manifest is what others pin."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import msgspec

from itemproof.archive.archive import Archive
from itemproof.archive.layout import MISSING, OTHER_BYTES, OTHER_SIZE, Layout
from itemproof.archive.rules.base import Registered, judge
from itemproof.archive.rules.line_ends import LINE_ENDS
from itemproof.archive.rules.lists import STORED_RULES
from itemproof.archive.rules.see_stored import see_stored
from itemproof.core.clock import Clock, system_clock
from itemproof.core.errors import InvalidInput, Refused, refused
from itemproof.core.findings import Code, Findings
from itemproof.files.paths import LINK
from itemproof.records.manifest import RunManifest, sealed_digest

__all__ = ["DAMAGE", "damaged_files", "seal"]

NOTHING_TO_SEAL: Final = Code("W010", "a run without records cannot be sealed")

#: What a run is refused for whose files are not those that were registered: a check that does not hold.
DAMAGE: Final = frozenset({MISSING, OTHER_SIZE, OTHER_BYTES, LINE_ENDS, LINK})

_NOT_SEALED = "The run stays open; nothing was changed."


def seal(
    archive: Archive,
    run_id: str,
    *,
    lock_timeout_s: float = 10.0,
    clock: Clock = system_clock,
    progress: Callable[[int], None] = lambda _: None,
) -> RunManifest:
    """The run is sealed, and its manifest carries the time and the digest.

    Args:
        archive: Where the run lies.
        run_id: The run, which is open.
        lock_timeout_s: How long to wait for another writer.
        clock: Says when it was sealed.
        progress: Told how many bytes more are done.

    Raises:
        InvalidInput: There is no such run (W002).
        Refused: The run is sealed already (W003), has no records (W010), or its files are not those that were
            registered (A001 to A004, D014; the first 20 are named); or another writer holds the lock (D008).
        Unavailable: The disk refused; the run stays open.
    """
    with (
        archive.write(lock_timeout_s=lock_timeout_s, clock=clock, command="seal") as writer,
        writer.change(run_id) as change,
    ):
        if not change.manifest.imports:
            text = f"The run {run_id!r} has no import. Import first, or discard it."
            raise refused(NOTHING_TO_SEAL, text, outcome=_NOT_SEALED)
        damage = damaged_files(archive.layout, change.manifest, progress=progress)
        if damage:
            raise Refused(damage, _NOT_SEALED)
        sealed = msgspec.structs.replace(change.manifest, status="sealed", sealed_at=writer.now())
        content: dict[str, Any] = msgspec.to_builtins(sealed)
        sealed = msgspec.structs.replace(sealed, digest=sealed_digest(content))
        change.commit(sealed)
    return sealed


def damaged_files(
    layout: Layout, manifest: RunManifest, *, progress: Callable[[int], None] = lambda _: None
) -> Findings:
    """Each registered file of the run that is not byte for byte what was registered, in the manifest's order.

    Raises:
        Unavailable: A file cannot be read.
    """
    faults = Findings()
    for registered in manifest.registered:
        try:
            seen = see_stored(layout, Registered(*registered), progress, lambda _: None)
        except InvalidInput as error:
            faults.extend(error.findings)
            continue
        for fault in judge(STORED_RULES, seen):
            faults.add(fault)
    return faults
