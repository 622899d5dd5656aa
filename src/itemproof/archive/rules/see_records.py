"""A records file is decoded line by line: each line a record, of its run, from a raw line that is there."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from typing import Final

import msgspec

from itemproof.archive.rules.base import BrokenLine, Listing, RecordSeen, RecordsSeen, SourceLine, judge
from itemproof.archive.rules.lists import LINE_RULES, RECORD_RULES, SOURCE_RULES
from itemproof.archive.rules.see_raw import RawLines
from itemproof.archive.rules.see_stored import Tap
from itemproof.core.findings import Finding
from itemproof.records.manifest import RunManifest
from itemproof.records.record import Record, Source

__all__ = ["RecordsReader"]


class _Sourced(msgspec.Struct):
    """As much as can be used of a line that is no record."""

    source: Source


#: Stands for the source line of a record that has none to look at.
_NONE: Final = 0


class RecordsReader:
    """Reads one records file.

    Attributes:
        seen: What its records amount to.
        keys: For each line the hash of its record's key.
        listing: Takes the findings.
    """

    def __init__(self, run: RunManifest, seen: RecordsSeen, raw: RawLines | None, listing: Listing) -> None:
        self.seen = seen
        self.keys = array("q")
        self.listing = listing
        self._run = run
        self._raw = raw
        self._decode = msgspec.json.Decoder(Record).decode
        self._decode_source = msgspec.json.Decoder(_Sourced).decode

    def read(self, tap: Tap) -> None:
        """Reads the file to its end."""
        self.seen.records = 0
        for lines in tap.lines():
            sources = self._sources(lines, self.seen.records)
            if self._raw is not None:
                self._check_sources(self._raw, sources, self.seen.records)
            self.seen.records += len(lines)
            self.seen.longest = max(self.seen.longest, *map(len, lines))

    def _sources(self, lines: Sequence[bytes], before: int) -> list[int]:
        """Each line's source line, or none; everything else about the lines is seen to."""
        entry, run = self.seen.entry, self._run
        run_id, model, raw_path = run.run_id, run.model, entry.raw_path
        decode, key = self._decode, self.keys.append
        stable = warnings = 0
        sources: list[int] = []
        for number, line in enumerate(lines, start=before + 1):
            try:
                record = decode(line)
            except (msgspec.MsgspecError, RecursionError) as error:
                sources.append(self._broken(number, line, error))
                continue
            key(
                hash(
                    (
                        record.benchmark,
                        record.language,
                        record.script,
                        record.question_id,
                        record.variant_id,
                        record.filter,
                        record.repeat_id,
                    )
                )
            )
            source = record.source
            if record.run_id == run_id and record.model == model and source.path == raw_path:
                sources.append(source.line)
            else:
                sources.append(self._odd(RecordSeen(number, record, run, entry)))
            stable += record.identity_scope == "stable"
            warnings += len(record.warnings)
        self.seen.stable += stable
        self.seen.warnings += warnings
        return sources

    def _broken(self, number: int, line: bytes, error: Exception) -> int:
        """A line without a record keeps its place among the keys, with a hash that no record has but by chance."""
        self.seen.broken += 1
        self.keys.append(hash((self.seen.entry.records_path, number)))
        self._list(judge(LINE_RULES, BrokenLine(number, str(error))))
        try:
            return self._own_line(self._decode_source(line).source)
        except (msgspec.MsgspecError, RecursionError):
            return _NONE

    def _odd(self, seen: RecordSeen) -> int:
        self._list(judge(RECORD_RULES, seen))
        return self._own_line(seen.record.source)

    def _own_line(self, source: Source) -> int:
        return source.line if source.path == self.seen.entry.raw_path else _NONE

    def _list(self, findings: Iterable[Finding]) -> None:
        self.listing.extend(finding.at(file=self.seen.entry.records_path) for finding in findings)

    def _check_sources(self, raw: RawLines, sources: Sequence[int], before: int) -> None:
        for at in raw.recorded(sources):
            seen = SourceLine(before + at + 1, sources[at], self.seen.entry.raw_path, len(raw))
            self._list(judge(SOURCE_RULES, seen))
