"""One JSON document that holds a long list: its elements read strictly, a few at a time, each with its place.

A decoder cuts the list into the bytes of its elements, so that a document costs its bytes and little more.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

import msgspec

from itemproof.core.errors import InvalidInput
from itemproof.core.findings import SHOWN, Findings
from itemproof.core.where import Where
from itemproof.files.strict_json import loads, loads_many
from itemproof.generation.halves import Forgive, never

__all__ = ["Document", "Elements", "member_names", "read_document"]

#: What is read strictly in one go: so little that the strict reader counts without numpy, which takes longer to load
#: than it saves here.
_BATCH_BYTES: Final = 12 << 10
#: What stands before the value of a member.
_KEY: Final = re.compile(rb'[ \t\r\n,]*"(?:[^"\\]|\\.)*+"[ \t\r\n]*:[ \t\r\n]*', re.DOTALL)
_WHITE: Final = b" \t\r\n"
_BETWEEN: Final = _WHITE + b","
_BOM: Final = b"\xef\xbb\xbf"
#: An escaped backslash, or the escape of half a surrogate pair.
_HALF: Final = re.compile(rb"\\\\|(\\u[dD][89a-fA-F][0-9a-fA-F]{2})")


class Elements(msgspec.Struct, frozen=True, eq=False):
    """The elements of a list.

    Attributes:
        text: The list.
        masked: The same without halves of surrogate pairs, at which the decoder that cuts would stop.
        where: The document; its path is the list's.
        first_line: The line on which the list begins, from 1.
    """

    text: bytes
    masked: bytes
    where: Where
    first_line: int

    def values(self, findings: Findings, forgive: Forgive = never) -> Iterator[tuple[int, Any]]:
        """The index and value of each sound element, in order; the faults of the others go to the findings.

        Args:
            findings: Grows while elements are taken.
            forgive: Asked about each faulty element.
        """
        for first, batch in self._batches():
            joined = b"[" + b",".join(batch) + b"]"
            together = loads_many([joined], joined)
            if together is not None:
                yield from enumerate(together[0], first)
                continue
            for index, text in enumerate(batch, first):
                try:
                    yield index, loads(text)
                except InvalidInput as error:
                    forgiven = forgive(text, error.findings)
                    if forgiven is None:
                        self._add(index, error.findings, findings)
                    else:
                        yield index, forgiven

    def place(self, index: int, path: str = "") -> Where:
        """Where an element stands, or a value below it at a path such as `.case_id`."""
        at = next(start for number, start in enumerate(_starts(self.text, self._cut())) if number == index)
        line = self.first_line + self.text.count(b"\n", 0, at)
        return replace(self.where, line=line, path=f"{self.where.path}[{index}]{path}")

    def _cut(self) -> Sequence[bytes | msgspec.Raw]:
        """The bytes of each element."""
        cut = msgspec.json.decode(self.masked, type=list[msgspec.Raw])
        if self.masked is self.text:
            return cut
        starts = zip(_starts(self.masked, cut), cut, strict=True)
        return [self.text[at : at + len(memoryview(one))] for at, one in starts]

    def _batches(self) -> Iterator[tuple[int, list[bytes]]]:
        first, held = 0, 0
        batch: list[bytes] = []
        for index, element in enumerate(self._cut()):
            text = bytes(element)
            if batch and held + len(text) > _BATCH_BYTES:
                yield first, batch
                first, held, batch = index, 0, []
            batch.append(text)
            held += len(text)
        if batch:
            yield first, batch

    def _add(self, index: int, faults: Findings, findings: Findings) -> None:
        """Adds the faults of an element with their places, which are worked out only for those that are kept."""
        placed = Findings()
        for fault in faults if len(findings.kept) < SHOWN else ():
            placed.add(replace(fault, where=self.place(index, (fault.where.path or "$")[1:])))
        placed.count = faults.count
        findings.extend(placed)


class Document(msgspec.Struct, frozen=True, eq=False):
    """A JSON document.

    Attributes:
        value: The document without the elements of its long lists.
        lists: Those lists by name; a document that is a list itself has the name `""`.
    """

    value: Any
    lists: Mapping[str, Elements]


def read_document(data: bytes, names: Sequence[str], where: Where) -> Document:
    """The document that the bytes hold.

    Args:
        data: UTF-8; a byte order mark may stand before it.
        names: The members of an object that are long lists, if they are lists.
        where: The file, for the faults.

    Raises:
        InvalidInput: The bytes are no JSON, or something outside of the lists is at fault (J001 to J008); the faults
            of elements come with them.
    """
    text = data.removeprefix(_BOM)
    start = text.lstrip(_WHITE)[:1]
    try:
        if start == b"[":
            masked = _masked(text)
            msgspec.json.decode(masked, type=msgspec.Raw)
            return Document([], {"": Elements(text, masked, replace(where, path="$"), 1)})
        if start == b"{":
            return _object(text, names, where)
    except (msgspec.DecodeError, RecursionError):
        pass
    return Document(loads(text, where), {})


def member_names(text: bytes) -> Collection[str] | None:
    """The names of the members of an object, or None for a text that is no object."""
    try:
        return msgspec.json.decode(_masked(text), type=dict[str, msgspec.Raw]).keys()
    except (msgspec.DecodeError, RecursionError):
        return None


def _object(text: bytes, names: Sequence[str], where: Where) -> Document:
    masked = _masked(text)
    members = msgspec.json.decode(masked, type=dict[str, msgspec.Raw])
    places = _places(masked, members)
    lists: dict[str, Elements] = {}
    shell = text
    # From the last on, so that the places of those before stay.
    for name in sorted(members.keys() & names, key=places.__getitem__, reverse=True):
        start, end = places[name]
        member = masked[start:end]
        if member.startswith(b"["):
            own = member if masked is text else text[start:end]
            line = 1 + text.count(b"\n", 0, start)
            lists[name] = Elements(own, member, replace(where, path=f"$.{name}"), line)
            shell = shell[:start] + b"[]" + shell[end:]
    return Document(loads(shell, where), lists)


def _places(text: bytes, members: Mapping[str, msgspec.Raw]) -> dict[str, tuple[int, int]]:
    """Where the value of each member begins and ends.

    Raises:
        DecodeError: A name stands twice, so that the members are not all of the text.
    """
    places: dict[str, tuple[int, int]] = {}
    at = text.find(b"{") + 1
    for name, value in members.items():
        key = _KEY.match(text, at)
        start = at if key is None else key.end()
        at = start + len(memoryview(value))
        if key is None or text[start:at] != bytes(value):
            raise msgspec.DecodeError
        places[name] = (start, at)
    return places


def _masked(text: bytes) -> bytes:
    """As many bytes without halves of surrogate pairs; the text itself where there are none."""
    if b"\\ud" not in text and b"\\uD" not in text:
        return text
    return _HALF.sub(lambda found: rb"\u0000" if found[1] else found[0], text)


def _starts(text: bytes, cut: Sequence[bytes | msgspec.Raw]) -> Iterator[int]:
    """Where each element begins; between two there are blanks and a comma."""
    at = text.find(b"[") + 1
    for element in cut:
        while text[at] in _BETWEEN:
            at += 1
        yield at
        at += len(memoryview(element))
