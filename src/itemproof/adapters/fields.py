"""What all formats read alike: identity, and the fields that options may fill."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from itemproof.adapters.base import FileContext, LineRefused
from itemproof.core.findings import Code, Finding
from itemproof.core.where import Where
from itemproof.records.identity import LOOKUP, IdField, join_parts, value_at

__all__ = [
    "ID_PLACES",
    "CommonFields",
    "FieldReader",
    "IdPlace",
    "Identity",
    "IdentityReader",
    "looked_up",
]

BAD_ID: Final = Code("I002", "a value at an identity's place can name no question")
BAD_TEXT: Final = Code("R001", "a field that must be a text is none")
CONFLICT: Final = Code("R002", "a line says otherwise than the run or an option")
NO_BENCHMARK: Final = Code("R003", "a line names no benchmark and nothing else does")
NO_VARIANT: Final = Code("R004", "a line names no variant and nothing else does")
BAD_REPEAT: Final = Code("R005", "a repeat_id is neither an integer nor a text")

_EMPTY: Final[Mapping[str, Any]] = {}
#: The integers of 64 bits with a sign, and how many digits they have at most.
_INTEGERS: Final = range(-(1 << 63), 1 << 63)
_DIGITS: Final = 19


def line_refused(code: Code, path: str, text: str) -> LineRefused:
    """The signal for one fault at a JSON path of the line."""
    return LineRefused(Finding(code, text, Where(path=path)))


class Identity(NamedTuple):
    """What a line is known by.

    Attributes:
        question_id: The persistent id, or None for a run-local record.
        is_content: Whether the id is a digest of the document rather than a producer's name for it.
        asked_for: Whether a field was asked for by name and the line lacks it, which deserves a warning.
    """

    question_id: str | None
    is_content: bool = False
    asked_for: bool = False


_RUN_LOCAL: Final = Identity(None)
_MISSING: Final = Identity(None, asked_for=True)


class IdPlace(NamedTuple):
    """One place of the look-up: whether it is in the document, the key there, and the whole path."""

    in_doc: bool
    key: str
    path: str


#: The contract's places in their order.
ID_PLACES: Final = tuple(IdPlace(path.startswith("doc."), path.removeprefix("doc."), path) for path in LOOKUP)


def looked_up(line: Mapping[str, Any], doc: Mapping[str, Any], places: Sequence[IdPlace]) -> str | None:
    """The id at the first of some places that has one; None if none has.

    Raises:
        LineRefused: A value at a place can name nothing (I002).
    """
    for in_doc, key, path in places:
        value = doc.get(key) if in_doc else line.get(key)
        if value is not None:
            name = _as_name(value, path)
            if name is not None:
                return name
    return None


class IdentityReader:
    """Reads the identity of each line of one file by the run's id selection.

    Args:
        context: The file.
        content_field: The line's field that holds a digest of its document, or None where the format has none.
    """

    def __init__(self, context: FileContext, *, content_field: str | None = None) -> None:
        self._selection = context.options.ids
        self._content_field = content_field
        self._by_name = bool(self._selection.everywhere or self._selection.by_benchmark)

    def read(self, line: Mapping[str, Any], benchmark: str, content_id: str | None = None) -> Identity:
        """The identity of a line.

        Args:
            line: The parsed line.
            benchmark: Its benchmark, for a field that was chosen for one benchmark.
            content_id: The verified digest of its document, if there is one.

        Raises:
            LineRefused: A value at the identity's place can name nothing (I002).
        """
        if self._by_name:
            fields = self._selection.fields_for(benchmark)
            if fields:
                return self._named(line, fields, content_id)
        doc = line.get("doc")
        name = looked_up(line, doc if type(doc) is dict else _EMPTY, ID_PLACES)
        if name is not None:
            return Identity(name)
        if self._selection.auto and content_id is not None:
            return Identity(content_id, is_content=True)
        return _RUN_LOCAL

    def _named(self, line: Mapping[str, Any], fields: tuple[IdField, ...], content_id: str | None) -> Identity:
        if any(field.is_position for field in fields):
            return _RUN_LOCAL
        if len(fields) == 1 and fields[0].text == self._content_field:
            return _MISSING if content_id is None else Identity(content_id, is_content=True)
        names = []
        for field in fields:
            value = value_at(line, field.parts)
            if value is None:
                if _is_absent(line, field.parts):
                    return _MISSING
                raise line_refused(BAD_ID, f"$.{field.text}", "found null where --id-field asked for an id.")
            name = _as_name(value, field.text)
            if name is None:
                kind = "a list" if isinstance(value, list) else "an object"
                raise line_refused(BAD_ID, f"$.{field.text}", f"found {kind} where --id-field asked for an id.")
            names.append(name)
        return Identity(join_parts(names))


def _is_absent(line: Mapping[str, Any], parts: tuple[str, ...]) -> bool:
    parent = value_at(line, parts[:-1])
    return not isinstance(parent, Mapping) or parts[-1] not in parent


def _as_name(value: Any, path: str) -> str | None:
    """The id that a value names, or None for a list or an object, which the look-up passes over."""
    kind = type(value)
    if kind is str:
        if value and not value.isspace():
            return str(value)
        raise line_refused(BAD_ID, f"$.{path}", "found an empty or blank text; an id must name its question.")
    if kind is int:
        return str(value)
    if kind is bool:
        raise line_refused(BAD_ID, f"$.{path}", f"found {str(value).lower()}; an id is a text or an integer.")
    if kind is float:
        raise line_refused(BAD_ID, f"$.{path}", f"found the number {value!r}; an id is a text or an integer.")
    return None


@dataclass(slots=True)
class CommonFields:
    """The fields of a line that options may fill."""

    benchmark: str
    language: str | None
    script: str | None
    variant_id: str
    filter: str
    repeat_id: int | str
    rephrasing_model: str | None


class FieldReader:
    """Reads the common fields of each line of one file, by what the line, its document, the options and the run say.

    Args:
        context: The file.
        default_variant: The variant of a line that names none; None refuses such a line.
        fallback_benchmark: The benchmark when neither line, option nor run name one; None refuses such a line.
    """

    def __init__(
        self, context: FileContext, *, default_variant: str | None, fallback_benchmark: str | None = None
    ) -> None:
        options = context.options
        self._options = options
        self._model = context.model
        self._run_id = context.run_id
        self._default_variant = default_variant
        given = context.metadata.get("benchmark")
        self._benchmark = options.benchmark or (given if isinstance(given, str) and given else fallback_benchmark)

    def read(self, line: Mapping[str, Any], doc: Mapping[str, Any]) -> CommonFields:
        """The common fields of a line and its document (an empty mapping where it has none).

        Raises:
            LineRefused: A field has another type, is missing, or contradicts the run or an option (R001 to R005).
        """
        get = line.get
        if "model" in line:
            self._same("model", get("model"), self._model)
        if "run_id" in line:
            self._same("run_id", get("run_id"), self._run_id)
        options = self._options
        # --variant stands in for whatever a document's column holds, but hides no fault of the line's own field.
        variant = _text("variant_id", line, doc if options.variant is None else _EMPTY)
        return CommonFields(
            benchmark=self._filled("benchmark", line, doc, options.benchmark) or self._default_benchmark(),
            language=self._filled("language", line, doc, options.language),
            script=self._filled("script", line, doc, options.script),
            variant_id=options.variant or variant or self._variant(),
            filter=self._filled("filter", line, _EMPTY, options.filter) or "none",
            repeat_id=self._repeat(get("repeat_id")),
            rephrasing_model=_text("rephrasing_model", line, doc),
        )

    def _default_benchmark(self) -> str:
        if self._benchmark is None:
            raise line_refused(NO_BENCHMARK, "$.benchmark", "found no benchmark; name it with --benchmark.")
        return self._benchmark

    def _variant(self) -> str:
        if self._default_variant is None:
            raise line_refused(NO_VARIANT, "$.variant_id", "found no variant; name it with --variant.")
        return self._default_variant

    @staticmethod
    def _same(name: str, found: Any, due: str) -> None:
        if found is not None and found != due:
            text = f"found {found!r}, but the run has {due!r}; remove the field or import into the run it names."
            raise line_refused(CONFLICT, f"$.{name}", text)

    @staticmethod
    def _filled(name: str, line: Mapping[str, Any], doc: Mapping[str, Any], option: str | None) -> str | None:
        found = _text(name, line, doc)
        if option is None or found is None:
            return found or option
        if found != option:
            text = f"found {found!r}, but --{name} says {option!r}; options fill only what a line leaves open."
            raise line_refused(CONFLICT, f"$.{name}", text)
        return found

    def _repeat(self, found: Any) -> int | str:
        option = self._options.repeat_id
        if found is None:
            return 0 if option is None else option
        value = _repeat_id(found)
        if option is not None and value != option:
            text = f"found {value!r}, but the repeats were numbered {option!r} for this file."
            raise line_refused(CONFLICT, "$.repeat_id", text)
        return value


def _text(name: str, line: Mapping[str, Any], doc: Mapping[str, Any]) -> str | None:
    """The text that the line, else its document has under a name; None where it is absent or null."""
    value = line.get(name)
    if value is None:
        value = doc.get(name)
        if value is None:
            return None
    if type(value) is str and value and not value.isspace():
        return value
    kind = "an empty or blank text" if isinstance(value, str) else _kind(value)
    path = f"$.{name}" if line.get(name) is not None else f"$.doc.{name}"
    raise line_refused(BAD_TEXT, path, f"found {kind}, expected a text.")


def _kind(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int | float):
        return f"the number {value!r}"
    return "a list" if isinstance(value, list) else "an object"


def _repeat_id(found: Any) -> int | str:
    # A number and its decimal text are one repeat: an integer where 64 bits hold it, else a text.
    if type(found) is int:
        return found if found in _INTEGERS else str(found)
    if type(found) is str and found and not found.isspace():
        digits = found.removeprefix("-")
        plain = digits.isascii() and digits.isdigit() and (digits == "0" or digits[0] != "0") and found != "-0"
        return int(found) if plain and len(digits) <= _DIGITS and int(found) in _INTEGERS else found
    kind = "an empty or blank text" if isinstance(found, str) else _kind(found)
    raise line_refused(BAD_REPEAT, "$.repeat_id", f"found {kind}, expected an integer or a text.")
