"""The records of a whole file, made again whenever its end tells something that its beginning could not know.

A file is normalised optimistically. A metric that is not binary after all, and a document that stands there twice, are
decisions; when the end changes one, the file is normalised again with it.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Final

from itemproof.adapters.base import Decisions
from itemproof.archive.duplicates import KeyedFile, find_duplicates
from itemproof.archive.normalise import Normalised, Piece, RecordsFile, Sink, Work, normalise_block, summed
from itemproof.core.findings import Finding
from itemproof.core.where import Where
from itemproof.files.atomic import disk_faults
from itemproof.files.early_sync import EarlySync
from itemproof.files.jsonl import NO_RECORD, read_blocks

__all__ = ["normalise_file", "pieces_by_blocks"]

_NO_RECORD_TEXT: Final = "found no record, expected at least one line with an object."


def pieces_by_blocks(work: Work, sink: Sink) -> Iterator[Piece]:
    """The pieces of a plain or compressed file in order, as its text unfolds."""
    normaliser = work.adapter.normaliser(work.context)
    for block in read_blocks(work.raw, name=work.shown, max_line_bytes=work.max_line_bytes):
        yield normalise_block(work, normaliser, block, sink)


def normalise_file(work: Work, destination: Path, pieces: Callable[[Work, Sink], Iterator[Piece]]) -> Normalised:
    """The file's records stand in the destination, with every decision that its end asked for.

    Args:
        work: What to do, with the decisions that are known.
        destination: Is written anew for each pass.
        pieces: The pieces of the file for given decisions, in order; each one's record lines have gone to the sink
            when it is given.

    Raises:
        Unavailable: The disk did not take it.
    """
    while True:
        with (
            _without_cycles(work),
            disk_faults(destination),
            destination.open("wb", buffering=0) as file,
            EarlySync(file) as out,
        ):
            records = RecordsFile(out)
            done = summed(pieces(work, records), records)
        if not done.findings and not done.records:
            done.findings.add(Finding(NO_RECORD, _NO_RECORD_TEXT, Where(file=work.shown)))
        if not done.findings:
            for finding in (reviewed := work.adapter.review(work.context, done.tally)):
                done.findings.add(finding.at(file=work.shown))
            done.findings.count += reviewed.count - len(reviewed.kept)
        if done.findings:
            return done
        decisions = _decided(work.context.decisions, done, destination)
        if decisions == work.context.decisions:
            return done
        work = replace(work, context=replace(work.context, decisions=decisions))


@contextmanager
def _without_cycles(work: Work) -> Iterator[None]:
    """Within the block nobody looks for cycles of garbage, of which our own adapters make none."""
    was_enabled = gc.isenabled()
    if not work.check:
        gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def _decided(before: Decisions, done: Normalised, records: Path) -> Decisions:
    """The decisions with what this pass found out."""
    not_binary = before.not_binary | (done.tally.not_binary & done.tally.populated)
    ambiguous = before.ambiguous
    if done.tally.content_lines:
        content = set(done.tally.content_lines)
        ambiguous |= {
            (key.benchmark, key.filter, key.repeat_id, key.question_id)
            for key, places in find_duplicates([KeyedFile(records, done.keys)])
            if all(place.raw_line in content for place in places)
        }
    return Decisions(not_binary=frozenset(not_binary), ambiguous=frozenset(ambiguous))
