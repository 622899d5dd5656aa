"""Every record is of the run and the model that it is filed under."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from itemproof.archive.rules.base import RecordSeen
from itemproof.core.findings import Code, Finding
from itemproof.core.where import Where

__all__ = ["other_context"]

OTHER_CONTEXT: Final = Code("A031", "a record names another run or model than its manifest")


def other_context(seen: RecordSeen) -> Iterator[Finding]:
    """The record's run and model are the manifest's."""
    for name in ("run_id", "model"):
        found, due = getattr(seen.record, name), getattr(seen.run, name)
        if found != due:
            text = f"The record's {name} is {found!r} and its run's is {due!r}. Bring back whichever was changed."
            yield Finding(OTHER_CONTEXT, text, Where(line=seen.line, path=f"$.{name}"))
