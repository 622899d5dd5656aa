"""What a dead writer left is finished or undone, without another write; every write begins with the same."""

from __future__ import annotations

from collections.abc import Sequence

from itemproof.archive.archive import Archive
from itemproof.archive.journal import Settled
from itemproof.core.clock import Clock, system_clock

__all__ = ["recover"]


def recover(archive: Archive, *, lock_timeout_s: float = 10.0, clock: Clock = system_clock) -> Sequence[Settled]:
    """Nothing of a dead writer is left; says what became of each of its writes, in the order of their journals.

    Raises:
        Refused: A writer is alive and holds the lock (D008).
        InvalidInput: What was left cannot be read; it was not touched.
        Unavailable: The disk refused.
    """
    with archive.write(lock_timeout_s=lock_timeout_s, clock=clock, command="recover") as writer:
        return writer.healed
