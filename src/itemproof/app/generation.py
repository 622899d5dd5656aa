"""generation-eval from end to end: a fixture and responses to a result, and the result into a run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Final

import msgspec

from itemproof.core.findings import Finding
from itemproof.core.where import Where
from itemproof.files.atomic import disk_faults
from itemproof.files.jsonl import MAX_LINE_BYTES
from itemproof.generation.fixture import Fixture, read_fixture
from itemproof.generation.language import Language
from itemproof.generation.languages import language
from itemproof.generation.matching import Matching
from itemproof.generation.responses import ResponseFile
from itemproof.generation.result import Source, result
from itemproof.generation.scoring import REMEMBERED, Scored, score

if TYPE_CHECKING:
    from itemproof.app.imports import Means
    from itemproof.archive.archive import Archive
    from itemproof.archive.request import Imported
    from itemproof.archive.transaction import NewRun

__all__ = ["FROM_REFERENCES", "Evaluated", "Plan", "Settings", "evaluate", "import_evaluated", "prepared", "spooled"]

#: How a result names its source when the fixture's own references were scored.
FROM_REFERENCES: Final = "fixture_reference"

_CHUNK_BYTES: Final = 1 << 20


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """How outputs are scored.

    Attributes:
        strict: By the language's specification, and no doubtful response file passes.
        keep_answers: Whether the result holds each case's output.
        remember: How many judgements are kept for outputs that repeat.
        max_line_bytes: Longer lines are refused.
    """

    strict: bool = False
    keep_answers: bool = True
    remember: int = REMEMBERED
    max_line_bytes: int = MAX_LINE_BYTES


class Plan(msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """A fixture that was read, and its language."""

    fixture: Fixture
    language: Language


class Evaluated(msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """A result and what it was made of.

    Attributes:
        plan: The fixture and its language.
        scored: The scores.
        result: What others read.
        warnings: What there is to say of the response file.
        responses: The response file; None when the references were scored.
        strict: Whether the scoring was strict.
    """

    plan: Plan
    scored: Scored
    result: Mapping[str, Any]
    warnings: Sequence[Finding]
    responses: Path | None
    strict: bool

    @property
    def is_ok(self) -> bool:
        """Whether every case passes."""
        return bool(self.result["ok"])


def prepared(fixture: Path | None, levels: Sequence[str] = (), *, strict: bool = False) -> Plan:
    """The fixture, with the cases of some levels or of all.

    Args:
        fixture: Its file; None for the one of the package.
        levels: Which levels; empty for all.
        strict: For the language.

    Raises:
        InvalidInput: It is no fixture (J001 to J008, G001 to G005), lacks a level (G006), or is in another language
            (G007).
        Unavailable: The disk did not give it.
    """
    found = read_fixture(fixture)
    spoken = language(found.language, Where(file=found.shown, path="$.language"), strict=strict)
    return Plan(fixture=found.only(levels) if levels else found, language=spoken)


def evaluate(plan: Plan, responses: Path | None, settings: Settings, *, shown: str | None = None) -> Evaluated:
    """Every case of the plan is scored.

    Args:
        plan: What to score.
        responses: The response file; None scores the fixture's own references.
        settings: How.
        shown: How the user named the file; its path when None.

    Raises:
        InvalidInput: The file is at fault; all faults are told (J001 to J024, G010 to G019).
        Unavailable: The disk did not give it.
    """
    if responses is None:
        source = Source(shown=FROM_REFERENCES, strict=settings.strict)
        scored = _score(plan, enumerate(case.reference_expr for case in plan.fixture.cases), settings)
    else:
        name = str(responses) if shown is None else shown
        file = ResponseFile(responses, name, strict=settings.strict, max_line_bytes=settings.max_line_bytes)
        matching = Matching(plan.fixture, file, strict=settings.strict)
        scored = _score(plan, matching.pairs(), settings)
        source = Source(shown=name, strict=settings.strict, unknown=matching.unknown, warnings=matching.warnings)
    return Evaluated(
        plan=plan,
        scored=scored,
        result=result(scored, source, plan.language),
        warnings=source.warnings,
        responses=responses,
        strict=settings.strict,
    )


def _score(plan: Plan, pairs: Iterator[tuple[int, str | None]], settings: Settings) -> Scored:
    return score(plan.fixture, pairs, plan.language, keep_answers=settings.keep_answers, remember=settings.remember)


@contextmanager
def spooled(stream: BinaryIO) -> Iterator[Path]:
    """Within the block a file holds what the stream gave, so that it can be read more than once and archived.

    Raises:
        Unavailable: The disk did not take it.
    """
    from tempfile import TemporaryDirectory

    with TemporaryDirectory(prefix="itemproof-") as folder:
        path = Path(folder) / "responses.jsonl"
        with disk_faults(path), path.open("wb") as file:
            while chunk := stream.read(_CHUNK_BYTES):
                file.write(chunk)
        yield path


def import_evaluated(
    archive: Archive, run_id: str, evaluated: Evaluated, *, create: NewRun | None, means: Means
) -> Imported:
    """The run holds a record for each case, with the response file and the fixture beside them; all or nothing.

    The raw file has a line for each case of the fixture. The answers must have been kept.

    Raises:
        InvalidInput: The run holds these cases already, or another rule of the archive is broken.
        Refused: The run is sealed, exists although it was to be created, or another writer holds the archive.
        Unavailable: The disk did not take it.
    """
    from tempfile import TemporaryDirectory

    from itemproof.adapters.base import Options
    from itemproof.adapters.registry import adapter
    from itemproof.archive.ingest import import_files
    from itemproof.archive.request import Request, SourceFile
    from itemproof.generation.archive_lines import FILE_NAME, write_lines
    from itemproof.records.identity import parse_id_selection

    fixture = evaluated.plan.fixture
    beside = [fixture.file] if evaluated.responses is None else [evaluated.responses, fixture.file]
    with TemporaryDirectory(prefix="itemproof-") as folder:
        raw = Path(folder) / FILE_NAME
        with disk_faults(raw), raw.open("wb") as file:
            write_lines(evaluated.scored, evaluated.plan.language, file, strict=evaluated.strict)
        request = Request(
            run_id=run_id,
            sources=[SourceFile(path=raw, options=Options(ids=parse_id_selection(())))],
            create=create,
            adapter=adapter("generation-eval"),
            attachments=beside,
            options={"strict": evaluated.strict, "fixture": fixture.shown},
        )
        return import_files(
            archive,
            request,
            jobs=means.jobs,
            clock=means.clock,
            lock_timeout_s=means.lock_timeout_s,
            progress=means.progress,
        )
