"""What a record is called by once its line's identity is read: its id, how far that reaches, and what to say of it."""

from __future__ import annotations

from typing import Final, NamedTuple

from itemproof.adapters.base import FileContext
from itemproof.adapters.fields import Identity
from itemproof.core.findings import Code
from itemproof.records.identity import run_local_id
from itemproof.records.record import Scope

__all__ = ["Named", "Naming", "Note"]

ID_FIELD_ABSENT: Final = Code("I010", "a line lacks the field that --id-field asked for")
SAID_RUN_LOCAL: Final = Code("I011", "a line calls its own identity run-local")


class Note(NamedTuple):
    """A warning for a record: its code is counted, its text is kept."""

    code: Code
    text: str


class Named(NamedTuple):
    """A record's id, whether it pairs across runs, and what a reader should know about it."""

    question_id: str
    scope: Scope
    note: Note | None = None


class Naming:
    """Gives the records of one file their names."""

    def __init__(self, context: FileContext) -> None:
        self._raw_sha256 = context.raw_sha256
        asked = ", ".join(context.options.ids.given)
        text = f"the line lacks the field of --id-field {asked}; it counts in summaries, not in pairs"
        self._absent = Note(ID_FIELD_ABSENT, text)

    def of(self, identity: Identity, number: int) -> Named:
        """The name that an identity gives the records of a line."""
        if identity.question_id is not None:
            return Named(identity.question_id, "stable")
        return self._run_local(number, self._absent if identity.asked_for else None)

    def as_said(self, own: str | None, number: int) -> Named:
        """The name for a line that calls its identity run-local, with the producer's own id in the warning."""
        text = "the producer calls this identity run-local"
        return self._run_local(number, Note(SAID_RUN_LOCAL, text if own is None else f"{text}; its own id was {own!r}"))

    def _run_local(self, number: int, note: Note | None) -> Named:
        return Named(run_local_id(self._raw_sha256, number), "run-local", note)
