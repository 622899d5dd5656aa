"""Answer choices: every index points at one of them, and every array of measurements has one entry for each.

Indices count from 0. A key that was counted from 1 can be told only where it points behind the last choice; it is never
shifted.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from itemproof.core.findings import Code, Finding
from itemproof.core.where import Where

__all__ = ["INDEX_NAMES", "Choices", "check_indices", "described"]

BAD_INDEX: Final = Code("R020", "a choice index is no integer from 0")
OUT_OF_RANGE: Final = Code("R021", "a choice index points at no choice")
BAD_ARRAY: Final = Code("R022", "a score array is no list of numbers")
BAD_COUNT: Final = Code("R023", "an array has another length than there are choices")

#: The names of the indices in a choice prediction: raw, by normalised and by PMI scores.
INDEX_NAMES: Final[tuple[str, ...]] = ("index", "index_norm", "index_pmi")

_NUMBERS: Final = frozenset((int, float, type(None)))
_SHOWN_CHARACTERS: Final = 40


class Choices:
    """The choices of one wording, against which its indices and arrays are checked.

    A list of choices says how many there are. Without one the first array does, since an array is itself a statement
    of how many choices were measured; a text or an object under the same name says nothing.

    Args:
        given: What stands where choices are due, or None.
        path: Its JSON path.
        faults: Where faults are put.
    """

    def __init__(self, given: Any, path: str, faults: list[Finding]) -> None:
        self._count = len(given) if type(given) is list else None
        self._path = path
        self._faults = faults

    @property
    def known(self) -> bool:
        """Whether anything says how many choices there are."""
        return self._count is not None

    def array(self, found: Any, path: str) -> None:
        """Checks an array of numbers, null where one is unknown (R022), and its length (R023)."""
        if type(found) is not list:
            self._fault(BAD_ARRAY, path, f"found {described(found)}, expected a list of numbers, one for each choice.")
            return
        if not _NUMBERS.issuperset(map(type, found)):
            for at, value in enumerate(found):
                if type(value) not in _NUMBERS:
                    self._fault(BAD_ARRAY, f"{path}[{at}]", f"found {described(value)}, expected a number or null.")
        self.length(found, path)

    def length(self, found: list[Any], path: str) -> None:
        """Checks that a list has one entry for each choice (R023)."""
        if self._count is None:
            self._count, self._path = len(found), path
        elif len(found) != self._count:
            text = f"found a list of {len(found)}, but {self._path} has {self._count}; each choice needs an entry."
            self._fault(BAD_COUNT, path, text)

    def index(self, found: Any, path: str) -> int | None:
        """The index of a choice, or None where it is unknown or faulty (R020, R021)."""
        if found is None:
            return None
        if type(found) is not int or found < 0:
            text = f"found {described(found)}, expected an index of a choice: an integer, 0 for the first, or null."
            self._fault(BAD_INDEX, path, text)
            return None
        if self._count is not None and found >= self._count:
            self._fault(OUT_OF_RANGE, path, self._behind(found))
            return None
        return found

    def _behind(self, found: int) -> str:
        if not self._count:
            return f"found index {found}, but {self._path} is empty; remove the index or supply the choices."
        text = f"found index {found}, but {self._path} has {self._count}, so {self._count - 1} is the last one."
        if found == self._count:
            text += " It looks counted from 1: if it is, lower every index of the file by one, then import again."
        return text

    def _fault(self, code: Code, path: str, text: str) -> None:
        self._faults.append(Finding(code, text, Where(path=path)))


def check_indices(found: Any, path: str, choices: Choices) -> None:
    """Checks a target or prediction that is an object of choice indices and nothing else; any other is left alone."""
    if type(found) is dict and found and all(name in INDEX_NAMES for name in found):
        for name, value in found.items():
            choices.index(value, f"{path}.{name}")


def described(value: Any) -> str:
    """What was found, in words for a message; a long text is cut."""
    if value is None or value is True or value is False:
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, str):
        return repr(value if len(value) <= _SHOWN_CHARACTERS else f"{value[:_SHOWN_CHARACTERS]}…")
    if isinstance(value, int | float):
        return f"the number {value!r}"
    return "an object" if isinstance(value, Mapping) else "a list"
