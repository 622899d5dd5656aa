"""Responses to the cases they answer: by id alone, each case once; what matches nothing is counted and named."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterator
from typing import Final

import msgspec

from itemproof.core.errors import InvalidInput
from itemproof.core.findings import SHOWN, Code, Finding, Findings
from itemproof.core.where import NOWHERE, Where
from itemproof.generation.fixture import Fixture
from itemproof.generation.responses import ResponseFile

__all__ = ["Matching", "Unknown"]

ANSWERED_TWICE: Final = Code("G018", "a case has two responses")
UNKNOWN_CASE: Final = Code("G019", "a response answers a case that the fixture does not have")

#: How many unknown ids are named; the others are counted.
NAMED: Final = 1000
_NOTHING: Final = "Nothing was scored."


class Unknown(msgspec.Struct):
    """Responses to cases that the fixture does not have.

    Attributes:
        count: How many there are.
        ids: The first thousand of their case ids, in order.
    """

    count: int = 0
    ids: list[str] = []


class Matching:
    """Gives each response to its case.

    What is kept of a response is eight bytes, be its case known or not, so that a file may hold millions.

    Args:
        fixture: The cases.
        responses: The file.
        strict: Whether a response to an unknown case is a fault.
    """

    def __init__(self, fixture: Fixture, responses: ResponseFile, *, strict: bool) -> None:
        self.unknown = Unknown()
        self._responses = responses
        self._left_out = fixture.left_out
        self._strict = strict
        self._index = {case.case_id: number for number, case in enumerate(fixture.cases)}
        #: For each case one more than the number of its response, 0 before there is one.
        self._taken = array("q", bytes(8 * len(fixture.cases)))
        self._others = array("q")

    def pairs(self) -> Iterator[tuple[int, str | None]]:
        """The number of a case and its output, for each response in the order of the file.

        Raises:
            InvalidInput: Behind the last good response, with every fault of the file (J001 to J024, G010 to G019); what
                was given until then is of no use.
            Unavailable: The disk did not give the file.
        """
        findings = Findings()
        taken, index = self._taken, self._index
        for case_id, output, number in self._responses.read(findings):
            case = index.get(case_id)
            if case is None:
                self._other(case_id, number, findings)
            elif taken[case]:
                self._twice(case_id, taken[case] - 1, number, findings)
            else:
                taken[case] = number + 1
                yield case, output
        if repeated := _repeated(self._others):
            self._name(repeated, findings)
        if findings:
            findings.kept.sort(key=lambda finding: finding.where.line or 0)
            raise InvalidInput(findings, _NOTHING)

    @property
    def warnings(self) -> list[Finding]:
        """What there is to say of the file although it was taken."""
        said = list(self._responses.warnings)
        if self.unknown.count:
            few = ", ".join(map(repr, self.unknown.ids[:5]))
            more = ", …" if self.unknown.count > 5 else ""
            are = (
                "1 response answers a case"
                if self.unknown.count == 1
                else f"{self.unknown.count:,} responses answer cases"
            )
            text = f"{are} that the fixture does not have: {few}{more}."
            said.append(Finding(UNKNOWN_CASE, text, Where(file=self._responses.shown)))
        return said

    def _other(self, case_id: str, number: int, findings: Findings) -> None:
        self._others.append(hash(case_id))
        if case_id in self._left_out:
            return
        self.unknown.count += 1
        if len(self.unknown.ids) < NAMED:
            self.unknown.ids.append(case_id)
        if self._strict:
            text = f"the fixture has no case {case_id!r}; remove the response, or name the fixture it belongs to."
            self._add(UNKNOWN_CASE, number, text, findings)

    def _name(self, repeated: set[int], findings: Findings) -> None:
        """Reads the file once more for the places of ids that repeat among those that are no cases here."""
        first: dict[str, int] = {}
        for case_id, _, number in self._responses.read(Findings()):
            if hash(case_id) in repeated and case_id not in self._index:
                before = first.setdefault(case_id, number)
                if before != number:
                    self._twice(case_id, before, number, findings)

    def _twice(self, case_id: str, before: int, number: int, findings: Findings) -> None:
        place = ""
        if len(findings.kept) < SHOWN:
            earlier = self._responses.place(before)
            place = f"line {earlier.line}" if earlier.line is not None else f"{earlier.path}"
        text = f"{case_id!r} is answered already ({place}); keep the one answer that is to be scored."
        self._add(ANSWERED_TWICE, number, text, findings)

    def _add(self, code: Code, number: int, text: str, findings: Findings) -> None:
        where = self._responses.place(number, ".case_id") if len(findings.kept) < SHOWN else NOWHERE
        findings.add(Finding(code, text, where))


def _repeated(hashes: array[int]) -> set[int]:
    """The numbers that stand more than once."""
    if len(hashes) <= NAMED:
        return {number for number, times in Counter(hashes).items() if times > 1}
    import numpy as np

    # Sorted where they are, so that they need no memory again.
    numbers = np.frombuffer(hashes, dtype=np.int64)
    numbers.sort()
    return set(numbers[1:][numbers[1:] == numbers[:-1]].tolist())
