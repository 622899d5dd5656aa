"""What a record is called by: a producer's id pairs, anything else is unlike every other."""

from __future__ import annotations

import pytest

from itemproof.adapters.fields import Identity
from itemproof.adapters.naming import ID_FIELD_ABSENT, SAID_RUN_LOCAL, Named, Naming, Note
from normalising import RAW_SHA256, file_context

LOCAL = f"{RAW_SHA256}:3"
ABSENT = Note(ID_FIELD_ABSENT, "the line lacks the field of --id-field a, b=c; it counts in summaries, not in pairs")


@pytest.mark.parametrize(
    ("identity", "named"),
    [
        pytest.param(Identity("q"), Named("q", "stable"), id="an id"),
        pytest.param(Identity(None), Named(LOCAL, "run-local"), id="none"),
        pytest.param(Identity(None, asked_for=True), Named(LOCAL, "run-local", ABSENT), id="none, though asked for"),
    ],
)
def test_an_identity_gives_a_name(identity: Identity, named: Named) -> None:
    assert Naming(file_context(id_field=["a", "b=c"])).of(identity, 3) == named


@pytest.mark.parametrize(
    ("own", "said"),
    [
        pytest.param("q", "the producer calls this identity run-local; its own id was 'q'", id="with an id"),
        pytest.param(None, "the producer calls this identity run-local", id="without"),
    ],
)
def test_a_line_that_calls_itself_run_local_keeps_its_own_id_in_a_warning(own: str | None, said: str) -> None:
    named = Naming(file_context()).as_said(own, 3)
    assert named == Named(LOCAL, "run-local", Note(SAID_RUN_LOCAL, said))
