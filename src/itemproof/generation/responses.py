"""Response files to case ids and outputs: JSON Lines, a JSON list, or a batch object; every fault with its place.

A file of lines is read as it streams, a JSON document as a whole. Nothing is trimmed or repaired.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from itertools import chain
from pathlib import Path
from typing import Any, Final, TypeAlias

from itemproof.core.errors import InvalidInput, invalid
from itemproof.core.findings import SHOWN, Code, Finding, Findings
from itemproof.core.where import NOWHERE, Where
from itemproof.files.jsonl import MAX_LINE_BYTES, read_blocks
from itemproof.generation.described import described
from itemproof.generation.document import Document, Elements, member_names, read_document
from itemproof.generation.halves import forgive_output, output_field
from itemproof.generation.lines import Reading, objects
from itemproof.records.response import OUTPUT_FIELDS, RESPONSE, RESPONSE_BATCH

__all__ = ["Response", "ResponseFile", "is_record"]

NO_OBJECT: Final = Code("G010", "a response is no object")
NO_CASE_ID: Final = Code("G011", "a response does not say which case it answers")
NOT_TEXT: Final = Code("G012", "an output is no text")
OTHER_VERSION: Final = Code("G013", "a response has another schema version")
NO_LIST: Final = Code("G014", "a response file has no list of responses")
TWO_LISTS: Final = Code("G015", "a batch has both responses and answers")
OTHER_BATCH_VERSION: Final = Code("G016", "a batch of responses has another schema version")

#: The members of a batch object that may be its list.
_LISTS: Final = ("responses", "answers")
_WHITE: Final = b" \t\r\n"
_BOM: Final = b"\xef\xbb\xbf"
_NOTHING: Final = "Nothing was scored."

#: A case id, its output or None, and the number by which the file knows the place of the response.
Response: TypeAlias = "tuple[str, str | None, int]"
#: Gives the place of a response by its number, or of a value in it at a path such as `.case_id`.
_Place: TypeAlias = "Callable[[int, str], Where]"


class ResponseFile:
    """A file of responses in any of the three forms of the contract; it may be read again.

    Args:
        path: Where it lies.
        shown: How the user named it.
        strict: Whether a batch's wrong schema version is a fault instead of a warning.
        max_line_bytes: Longer lines are refused.
    """

    def __init__(self, path: Path, shown: str, *, strict: bool = False, max_line_bytes: int = MAX_LINE_BYTES) -> None:
        self.path = path
        self.shown = shown
        self.warnings: list[Finding] = []
        self._strict = strict
        self._max_line_bytes = max_line_bytes
        self._place: _Place = self._line

    def place(self, number: int, path: str = "") -> Where:
        """The place of a response of the last reading."""
        return self._place(number, path)

    def read(self, findings: Findings) -> Iterator[Response]:
        """Every sound response, in order; the faults of the others go to the findings.

        Raises:
            InvalidInput: The file as a whole is none of the three forms (J001 to J008, J020 to J024, G014 to G016).
            Unavailable: The disk did not give it.
        """
        self.warnings.clear()
        for number, value in self._records(findings):
            # Nearly every response is like this, and there may be millions.
            if type(value) is dict and value.get("schema_version", RESPONSE) == RESPONSE:
                case_id, output = value.get("case_id"), value.get("output")
                if type(case_id) is str and type(output) is str:
                    yield case_id, output, number
                    continue
            response = self._response(number, value, findings)
            if response is not None:
                yield response

    def _records(self, findings: Findings) -> Iterator[tuple[int, Any]]:
        blocks = read_blocks(self.path, name=self.shown, max_line_bytes=self._max_line_bytes)
        first = next(blocks, None)
        if first is None:
            return
        if _is_document(first.data):
            data = b"".join(chain([first.data], (block.data for block in blocks)))
            yield from self._of_document(data, findings)
            return
        self._place = self._line
        reading = Reading(
            findings=findings, file=self.shown, forgive=forgive_output, max_line_bytes=self._max_line_bytes
        )
        yield from objects(chain([first], blocks), reading)

    def _of_document(self, data: bytes, findings: Findings) -> Iterator[tuple[int, Any]]:
        try:
            document = read_document(data, _LISTS, Where(file=self.shown))
        except InvalidInput as error:
            record = forgive_output(data.removeprefix(_BOM), error.findings)
            if record is None:
                raise
            document = Document(record, {})
        if isinstance(document.value, dict) and is_record(document.value):
            self._place = self._whole
            yield 0, document.value
            return
        elements = self._list(document, findings)
        self._place = elements.place
        yield from elements.values(findings, forgive_output)

    def _list(self, document: Document, findings: Findings) -> Elements:
        """The responses of a list or a batch."""
        batch = document.value
        where = Where(file=self.shown, path="$")
        if isinstance(batch, dict):
            self._check_batch(batch, findings)
        named = [name for name in _LISTS if isinstance(batch, dict) and name in batch]
        if len(named) == len(_LISTS):
            raise invalid(
                TWO_LISTS, "found responses and answers; keep the one that is meant.", where, outcome=_NOTHING
            )
        if document.lists:
            return next(iter(document.lists.values()))
        found = f"{named[0]} is {described(batch[named[0]])}" if named else "found neither responses nor answers"
        text = f"{found}; expected lines or a list of responses, or an object with a list under responses."
        raise invalid(NO_LIST, text, where, outcome=_NOTHING)

    def _check_batch(self, batch: Mapping[str, Any], findings: Findings) -> None:
        version = batch.get("schema_version", RESPONSE_BATCH)
        if version != RESPONSE_BATCH:
            text = f"found {described(version)}, expected {RESPONSE_BATCH!r}."
            finding = Finding(OTHER_BATCH_VERSION, text, Where(file=self.shown, path="$.schema_version"))
            if self._strict:
                findings.add(finding)
            else:
                self.warnings.append(finding)

    def _response(self, number: int, value: Any, findings: Findings) -> Response | None:
        if type(value) is not dict:
            text = f"found {described(value)}, expected an object for each response."
            self._fault(findings, NO_OBJECT, number, "", text)
            return None
        before = findings.count
        case_id: Any = value.get("case_id")
        if type(case_id) is not str:
            self._fault(findings, NO_CASE_ID, number, ".case_id", _no_case_id(case_id, value))
        if value.get("schema_version", RESPONSE) != RESPONSE:
            text = f"found {described(value['schema_version'])}, expected {RESPONSE!r} or no version at all."
            self._fault(findings, OTHER_VERSION, number, ".schema_version", text)
        name = output_field(value)
        output: Any = value.get(name)
        if output is not None and type(output) is not str:
            text = f"found {described(output)}, expected the text that the model wrote, as it is."
            self._fault(findings, NOT_TEXT, number, f".{name}", text)
        return (case_id, output, number) if findings.count == before else None

    def _fault(self, findings: Findings, code: Code, number: int, path: str, text: str) -> None:
        where = self._place(number, path) if len(findings.kept) < SHOWN else NOWHERE
        findings.add(Finding(code, text, where))

    def _line(self, number: int, path: str) -> Where:
        return Where(file=self.shown, line=number, path=f"${path}")

    def _whole(self, _: int, path: str) -> Where:
        return Where(file=self.shown, path=f"${path}")


def _no_case_id(found: Any, record: Mapping[str, Any]) -> str:
    text = f"found {described(found)}, expected the case_id of the request, copied exactly."
    if "custom_id" in record:
        text += " A custom_id looks like a provider's own envelope: write its answer as case_id and output instead."
    return text


def is_record(members: Collection[str]) -> bool:
    """Whether an object with these members is one response by itself."""
    return "case_id" in members and any(name in members for name in OUTPUT_FIELDS)


def _is_document(block: bytes) -> bool:
    """Whether a file that begins with these whole lines is one JSON document: a list, a batch, or a single response."""
    text = block.removeprefix(_BOM).lstrip(_WHITE)
    if not text.startswith(b"{"):
        return text.startswith(b"[")
    line, _, rest = text.partition(b"\n")
    members = member_names(line)
    if members is None:
        # The first line goes on, unless the next one begins a response of its own.
        return bool(rest.strip(_WHITE)) and not rest.lstrip(_WHITE).startswith(b"{")
    return not is_record(members) and any(name in members for name in _LISTS)
