"""Time is handed in, never fetched; it is UTC, and written with a `Z`."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

__all__ = ["Clock", "system_clock", "utc_text"]

#: Gives the present moment, aware and in UTC.
Clock = Callable[[], datetime]


def system_clock() -> datetime:
    """The present moment by the machine's clock."""
    return datetime.now(UTC)


def utc_text(moment: datetime) -> str:
    """The moment to the second, for instance `2026-11-30T13:33:32Z`.

    Raises:
        ValueError: The moment has no time zone.
    """
    if moment.tzinfo is None:
        raise ValueError("a moment without a time zone names no point in time")
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
