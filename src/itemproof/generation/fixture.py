"""The cases of an evaluation: read from a file, or the ones that come with the package."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Any, Final

import msgspec

from itemproof.core.errors import InvalidInput, invalid
from itemproof.core.findings import SHOWN, Code, Finding, Findings
from itemproof.core.where import NOWHERE, Where
from itemproof.files.compression import text_blocks
from itemproof.generation.described import described
from itemproof.generation.document import Elements, read_document
from itemproof.generation.languages import DEFAULT_LANGUAGE
from itemproof.generation.levels import in_order
from itemproof.records.record import Name

__all__ = ["FIXTURE", "PACKAGED", "Case", "Fixture", "packaged_file", "read_fixture"]

NOT_A_FIXTURE: Final = Code("G001", "a fixture has another form")
OTHER_VERSION: Final = Code("G002", "a fixture has another schema version")
NO_CASE: Final = Code("G003", "a fixture has no case")
CASE_TWICE: Final = Code("G004", "a case id stands twice in a fixture")
BAD_CASE: Final = Code("G005", "a case of a fixture has another form")
NO_SUCH_LEVEL: Final = Code("G006", "a fixture has no case of a level")

#: The schema version of a fixture.
FIXTURE: Final = "coglang-generation-eval-fixture/v0.1"
#: How results name the fixture of the package, the same on every machine.
PACKAGED: Final = "itemproof/generation/data/coglang-core.json"

_TEXTS: Final = ("case_id", "level", "prompt", "reference_expr")
_NOTHING: Final = "Nothing was scored."
_ESCAPED_COLON: Final = re.compile(rb"\\u003[aA]")


class Case(msgspec.Struct, gc=False, eq=False):
    """One case.

    Attributes:
        case_id: Names it, once in a fixture.
        level: Its maturity level.
        prompt: What is asked.
        reference_expr: A right answer.
        expected_top_level_heads: The outermost heads that are accepted, at least one.
    """

    case_id: Name
    level: Name
    prompt: Name
    reference_expr: Name
    expected_top_level_heads: Annotated[tuple[Name, ...], msgspec.Meta(min_length=1)]


class Fixture(msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """The cases of an evaluation.

    Attributes:
        name: The fixture's own name, or its file's.
        shown: Its path as results show it.
        file: Where it lies.
        language: What its answers are written in.
        defined_levels: The levels that it defines, in order, with cases or without.
        cases: In order, at least one.
        left_out: The ids of cases that a choice of levels left out.
    """

    name: str
    shown: str
    file: Path
    language: str
    defined_levels: Sequence[str]
    cases: Sequence[Case]
    left_out: Collection[str] = frozenset()

    def only(self, levels: Collection[str]) -> Fixture:
        """The same fixture with the cases of some levels.

        Raises:
            InvalidInput: It has no case of one of them (G006).
        """
        there = in_order(case.level for case in self.cases)
        for level in levels:
            if level not in there:
                text = f"--level {level}: the fixture has no case of it; it has {', '.join(there)}."
                raise invalid(NO_SUCH_LEVEL, text, Where(file=self.shown), outcome=_NOTHING)
        left_out = frozenset(case.case_id for case in self.cases if case.level not in levels)
        return msgspec.structs.replace(
            self, cases=[case for case in self.cases if case.level in levels], left_out=left_out
        )


def packaged_file() -> Path:
    """The fixture that comes with the package."""
    return Path(str(files("itemproof.generation"))) / "data" / Path(PACKAGED).name


def read_fixture(path: Path | None) -> Fixture:
    """The fixture in a file; of None, the one that comes with the package.

    Raises:
        InvalidInput: The file is no fixture; every fault of every case is told (J001 to J008, G001 to G005).
        Unavailable: The disk did not give it.
    """
    shown = PACKAGED if path is None else str(path)
    file = packaged_file() if path is None else path
    where = Where(file=shown)
    # The bytes are handed over, not held, so that they are gone once they are cut.
    document = read_document(b"".join(text_blocks(file, name=shown)), ("cases",), where)
    top = document.value
    faults = Findings()
    if not isinstance(top, dict) or "cases" not in document.lists:
        raise invalid(NOT_A_FIXTURE, "a fixture is a JSON object with a list of cases.", where, outcome=_NOTHING)
    _check_top(top, where, faults)
    cases = _Cases(document.lists["cases"], faults).read()
    if not faults and not cases:
        text = "the list of cases is empty; a score over no case means nothing. Add at least one."
        faults.add(Finding(NO_CASE, text, replace(where, path="$.cases")))
    if faults:
        raise InvalidInput(faults, _NOTHING)
    return Fixture(
        name=top.get("name") or Path(shown).stem,
        shown=shown,
        file=file,
        language=top.get("language", DEFAULT_LANGUAGE),
        defined_levels=in_order(top.get("defined_levels") or (case.level for case in cases)),
        cases=cases,
    )


def _check_top(top: Mapping[str, Any], where: Where, faults: Findings) -> None:
    version = top.get("schema_version")
    if version != FIXTURE:
        text = f"found {described(version)}, expected {FIXTURE!r}; this itemproof reads no other."
        faults.add(Finding(OTHER_VERSION, text, replace(where, path="$.schema_version")))
    for name in ("name", "language"):
        if name in top and not _is_name(top[name]):
            text = f"found {described(top[name])}, expected a text, or no {name} at all."
            faults.add(Finding(NOT_A_FIXTURE, text, replace(where, path=f"$.{name}")))
    levels = top.get("defined_levels", [])
    if not isinstance(levels, list) or not all(map(_is_name, levels)):
        text = f'found {described(levels)}, expected a list of levels such as "L1".'
        faults.add(Finding(NOT_A_FIXTURE, text, replace(where, path="$.defined_levels")))


def _is_name(value: Any) -> bool:
    return isinstance(value, str) and value != ""


def _all_at_once(text: bytes) -> list[Case] | None:
    """The cases of a list in which each has the five members of a case, each once, and nothing else; else None.

    The decoder would not notice a member that stands twice or has another name; the colons do.
    """
    try:
        cases = msgspec.json.decode(text, type=list[Case])
    except msgspec.DecodeError:
        return None
    if _ESCAPED_COLON.search(text):
        return None
    texts = "".join([f"{case.case_id}{case.level}{case.prompt}{case.reference_expr}" for case in cases])
    in_heads = sum("".join(case.expected_top_level_heads).count(":") for case in cases)
    colons = len(Case.__struct_fields__) * len(cases) + texts.count(":") + in_heads
    return cases if text.count(b":") == colons else None


class _Cases:
    """Makes cases of a fixture's elements."""

    def __init__(self, elements: Elements, faults: Findings) -> None:
        self._elements = elements
        self._faults = faults

    def read(self) -> list[Case]:
        """All cases in order; of no use once there are faults."""
        cases = _all_at_once(self._elements.text)
        if cases is None:
            cases = self._one_by_one()
        levels: dict[str, str] = {}
        heads: dict[tuple[str, ...], tuple[str, ...]] = {}
        for case in cases:
            # Levels and heads repeat from case to case; one object of each is kept.
            case.level = levels.setdefault(case.level, case.level)
            own = case.expected_top_level_heads
            case.expected_top_level_heads = heads.setdefault(own, own)
        if len({case.case_id for case in cases}) < len(cases):
            self._find_faults()
        return cases

    def _one_by_one(self) -> list[Case]:
        cases: list[Case] = []
        is_sound = True
        for _, value in self._elements.values(self._faults):
            try:
                cases.append(msgspec.convert(value, Case))
            except msgspec.ValidationError:
                is_sound = False
        if not is_sound:
            self._find_faults()
            return []
        return cases

    def _find_faults(self) -> None:
        first_at: dict[str, int] = {}
        for index, value in self._elements.values(Findings()):
            if not isinstance(value, dict):
                self._fault(index, "", f"found {described(value)}, expected an object for each case.")
                continue
            self._find_faults_of(index, value)
            case_id = value.get("case_id")
            if isinstance(case_id, str) and first_at.setdefault(case_id, index) != index:
                text = f"{case_id!r} names $.cases[{first_at[case_id]}] already; give each case an id of its own."
                self._fault(index, ".case_id", text, code=CASE_TWICE)

    def _find_faults_of(self, index: int, value: Mapping[str, Any]) -> None:
        for name in _TEXTS:
            text = value.get(name)
            if not _is_name(text):
                self._fault(index, f".{name}", f"found {described(text)}, expected a text.")
        heads = value.get("expected_top_level_heads")
        if not isinstance(heads, list) or not heads or not all(map(_is_name, heads)):
            text = f"found {described(heads)}, expected a list of at least one head; a case without can never pass."
            self._fault(index, ".expected_top_level_heads", text)

    def _fault(self, index: int, path: str, text: str, *, code: Code = BAD_CASE) -> None:
        where = self._elements.place(index, path) if len(self._faults.kept) < SHOWN else NOWHERE
        self._faults.add(Finding(code, text, where))
