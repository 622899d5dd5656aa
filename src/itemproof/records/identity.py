"""Identity: which field of a line names its question, and whether that name may be paired.

The look-up passes over an absent, null, list or object value. A value that is there but can name nothing (a boolean, a
fraction, an empty or blank text) refuses the batch instead, and so does null where a field was asked for by name.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from itemproof.core.errors import invalid
from itemproof.core.findings import Code

__all__ = ["AUTO", "LOOKUP", "IdField", "IdSelection", "parse_id_selection", "run_local_id", "value_at"]

BAD_SELECTION: Final = Code("I001", "an id field is not written as PATH or BENCHMARK=PATH")

#: The contract's six places, first match wins.
LOOKUP: Final[tuple[str, ...]] = (
    "original_question_id",
    "doc.original_question_id",
    "question_id",
    "doc.question_id",
    "id",
    "doc.id",
)

#: The selection that looks further than the contract, used for comparisons of plain folders.
AUTO: Final = "auto"

#: The harness's position in the split: never a persistent identity.
_POSITION: Final = "doc_id"


@dataclass(frozen=True, slots=True)
class IdField:
    """A dotted path, split once."""

    text: str
    parts: tuple[str, ...]

    @property
    def is_position(self) -> bool:
        """Whether the path is the harness's own `doc_id`, which makes an identity run-local.

        A `doc_id` further down is a field of the dataset, and names what the dataset says.
        """
        return self.parts == (_POSITION,)


@dataclass(frozen=True, slots=True, kw_only=True)
class IdSelection:
    """Which fields name a question.

    Attributes:
        given: The values of `--id-field`, for the manifest.
        auto: Whether a verified `doc_hash` stands in where the look-up finds nothing.
        everywhere: The fields whose values join to the id; empty for the look-up.
        by_benchmark: The same for one benchmark, which comes first.
    """

    given: tuple[str, ...] = ()
    auto: bool = False
    everywhere: tuple[IdField, ...] = ()
    by_benchmark: Mapping[str, tuple[IdField, ...]]

    def fields_for(self, benchmark: str) -> tuple[IdField, ...]:
        """The fields asked for by name for this benchmark; empty means the contract's look-up."""
        return self.by_benchmark.get(benchmark, self.everywhere)


def parse_id_selection(values: Sequence[str]) -> IdSelection:
    r"""The selection that the values of `--id-field` mean: `PATH`, `BENCHMARK=PATH`, or `auto` alone.

    A dot within a key is written `\.`.

    Raises:
        InvalidInput: A value is empty, has an empty part, or `auto` stands beside another (I001).
    """
    if AUTO in values:
        if len(values) > 1:
            raise invalid(BAD_SELECTION, "--id-field auto stands beside another field; name the fields, or auto alone.")
        return IdSelection(given=tuple(values), auto=True, by_benchmark={})
    everywhere: list[IdField] = []
    by_benchmark: dict[str, tuple[IdField, ...]] = {}
    for value in values:
        benchmark, equals, path = value.rpartition("=")
        if equals and not benchmark:
            raise invalid(BAD_SELECTION, f"--id-field {value!r} names no benchmark before the equals sign.")
        field = IdField(path, _split(path, value))
        if benchmark:
            by_benchmark[benchmark] = (*by_benchmark.get(benchmark, ()), field)
        else:
            everywhere.append(field)
    return IdSelection(given=tuple(values), everywhere=tuple(everywhere), by_benchmark=by_benchmark)


def _split(path: str, given: str) -> tuple[str, ...]:
    parts = tuple(part.replace("\0", ".") for part in path.replace("\\.", "\0").split("."))
    if not all(parts):
        raise invalid(BAD_SELECTION, f"--id-field {given!r} has an empty part; write a dotted path such as doc.idx.")
    return parts


def value_at(line: Mapping[str, Any], parts: Sequence[str]) -> Any:
    """The value at a path of object keys, or None where a part is absent or no object."""
    value: Any = line
    for part in parts:
        if not isinstance(value, Mapping):
            return None
        value = value.get(part)
    return value


def join_parts(values: Sequence[str]) -> str:
    r"""One text of several id parts, different for different lists: `a|b`, with `\` before `|` and `\`."""
    if len(values) == 1:
        return values[0]
    return "|".join(value.replace("\\", "\\\\").replace("|", "\\|") for value in values)


def run_local_id(raw_sha256: str, line: int) -> str:
    """An identity that collides with nothing and pairs with nothing."""
    return f"{raw_sha256}:{line}"
