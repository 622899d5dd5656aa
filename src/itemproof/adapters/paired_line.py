"""A paired line as a whole: that it has both wordings, and that nothing beside them contradicts or belongs to one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from itemproof.adapters.choices import described
from itemproof.adapters.fields import CONFLICT
from itemproof.adapters.paired_wording import ORIGINAL, REPHRASED, Wording, read_wording, texts_at
from itemproof.core.findings import Code, Finding
from itemproof.core.where import Where
from itemproof.records import versions

__all__ = ["BAD_NAME", "check_line", "read_wordings", "rephrased_variant"]

NO_WORDING: Final = Code("P001", "a paired line lacks its original or its rephrased object")
BAD_NAME: Final = Code("P004", "a wording of a paired line has a name that cannot be its own")
STRAY_FIELD: Final = Code("P005", "a paired line has a field of a finished record that fits neither wording")

#: Fields of a record that only one wording can have, so that beside both they say nothing.
_OF_ONE_WORDING: Final = ("input", "target", "prediction", "correct", "scores", "metrics", "response")


def read_wordings(line: Mapping[str, Any], faults: list[Finding]) -> tuple[Wording, Wording] | None:
    """The original and the rephrasing, or None where one is no object (P001)."""
    found = []
    for name in (ORIGINAL, REPHRASED):
        given = line.get(name)
        if isinstance(given, dict):
            found.append(read_wording(given, name, faults))
        else:
            text = f"found {described(given)}, expected an object with what belongs to this wording."
            faults.append(Finding(NO_WORDING, text, Where(path=f"$.{name}")))
    return (found[0], found[1]) if len(found) == 2 else None


def check_line(line: Mapping[str, Any], faults: list[Finding]) -> list[str]:
    """The producer's warnings for both wordings; fields of a finished record that fit neither are faults (P005)."""
    version, scope = line.get("schema_version", versions.RECORD), line.get("identity_scope")
    if type(version) is not int or version != versions.RECORD:
        text = f"found {described(version)}, expected the integer {versions.RECORD}, or no such field."
        faults.append(Finding(STRAY_FIELD, text, Where(path="$.schema_version")))
    if scope not in (None, "stable", "run-local"):
        text = f'found {described(scope)}, expected "stable" or "run-local", or no such field.'
        faults.append(Finding(STRAY_FIELD, text, Where(path="$.identity_scope")))
    for name in _OF_ONE_WORDING:
        if line.get(name) is not None:
            text = f"found {described(line[name])} beside both wordings; move it into the one that it belongs to."
            faults.append(Finding(STRAY_FIELD, text, Where(path=f"$.{name}")))
    return texts_at(line.get("warnings"), "$.warnings", faults)


def rephrased_variant(
    lines: str | None, wordings: tuple[Wording, Wording], option: str | None, faults: list[Finding]
) -> str:
    """The rephrasing's variant: the option's, else its own, else the line's, else `rephrased` (P004, R002).

    Args:
        lines: The line's own variant_id, or None.
        wordings: The original, which must go by that name, and the rephrasing, which must not.
        option: What `--variant` says.
        faults: Where faults are put.
    """
    original, rephrased = wordings
    if original.variant_id not in (None, ORIGINAL):
        text = f"found {described(original.variant_id)}; the first wording of a paired line is the variant original."
        faults.append(Finding(BAD_NAME, text, Where(path="$.original.variant_id")))
    if original.rephrasing_model is not None:
        text = f"found {described(original.rephrasing_model)}, but no model wrote the original; null was due."
        faults.append(Finding(BAD_NAME, text, Where(path="$.original.rephrasing_model")))
    if option is not None:
        return option
    own = rephrased.variant_id
    if own is not None and lines is not None and own != lines:
        text = f"found {described(own)}, but the line has {described(lines)}; remove one of the two."
        faults.append(Finding(CONFLICT, text, Where(path="$.rephrased.variant_id")))
    if ORIGINAL in (own, lines):
        text = "found 'original', which is the other wording's name; give the rephrasing a name of its own."
        path = "$.rephrased.variant_id" if own == ORIGINAL else "$.variant_id"
        faults.append(Finding(BAD_NAME, text, Where(path=path)))
    return own or lines or REPHRASED
