"""Why two sides have no pairs, and which field would make some: measured on both, suggested, never applied."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from pathlib import Path
from typing import Final

from itemproof.app.sides import OpenSide
from itemproof.app.way_out import measure
from itemproof.comparing.pairing import Pairing
from itemproof.files.jsonl import read_objects
from itemproof.records.identity import parse_id_selection, value_at

__all__ = ["explain"]

#: Longer files are not looked into for a field that would pair them.
_MEASURED_BYTES: Final = 64 << 20
_SHOWN: Final = 5


def explain(sides: tuple[OpenSide, OpenSide], pairing: Pairing) -> list[str]:
    """What stands in the way of a pair, line by line."""
    return [*_parts(pairing), *_run_local(pairing), *_documents(pairing), *_fields(sides, pairing)]


def _parts(pairing: Pairing) -> Iterator[str]:
    """Which part of the identity the sides do not share."""
    left, right = pairing.left.headlines, pairing.right.headlines
    for side, found in (("left", left), ("right", right)):
        if not found:
            yield f"no record of the {side} side was selected."
    if not left or not right:
        return
    for at, name in enumerate(("benchmark", "language", "script", "filter")):
        mine: set[str | None] = {one[at] for one in left}
        theirs: set[str | None] = {one[at] for one in right}
        if not mine & theirs:
            yield f"the sides have no {name} in common: {_listed(mine)} on the left, {_listed(theirs)} on the right."
    if not left & right:
        return
    before, after = ({one for one, rows in side.contexts.items() if rows} for side in (pairing.left, pairing.right))
    if before & after:
        yield "the sides share no question id."
    elif before and after and not {one.repeat_id for one in before} & {one.repeat_id for one in after}:
        repeats = [_listed({str(one.repeat_id) for one in side}) for side in (before, after)]
        yield f"the sides have no repeat in common: {repeats[0]} on the left, {repeats[1]} on the right."


def _listed(values: AbstractSet[str | None] | AbstractSet[str]) -> str:
    names = sorted("null" if value is None else str(value) for value in values)
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return ", ".join(names[:_SHOWN]) + more


def _run_local(pairing: Pairing) -> Iterator[str]:
    left, right = (sum(side.run_local.values()) for side in (pairing.left, pairing.right))
    if left or right:
        yield (
            f"run-local, so not paired: {left:,} records on the left, {right:,} on the right. "
            "They carry no id that would hold beyond their run."
        )


def _documents(pairing: Pairing) -> Iterator[str]:
    mine, theirs = ({*side.documents, *side.local_documents} - {0} for side in (pairing.left, pairing.right))
    if mine and theirs:
        yield f"documents that are byte-identical on both sides: {len(mine & theirs):,}."


def _fields(sides: tuple[OpenSide, OpenSide], pairing: Pairing) -> Iterator[str]:
    """The fields that are unique on both sides and have values in common."""
    if not pairing.left.headlines & pairing.right.headlines:
        return
    if any(file.raw_bytes > _MEASURED_BYTES for side in sides for file in side.run.manifest.files):
        return
    mine, theirs = (_candidates(side) for side in sides)
    found = [(len(mine[name] & theirs[name]), name) for name in mine if name in theirs]
    found = [(count, name) for count, name in found if count]
    command = " ".join(shlex.quote(side.given) for side in sides)
    for count, name in sorted(found, key=lambda pair: (-pair[0], pair[1] != "doc_hash", pair[1]))[:3]:
        yield (
            f"{name} is unique on both sides and equal on {count:,} questions; if it names the question: "
            f"itemproof compare {command} --id-field {shlex.quote(name)}"
        )


def _candidates(side: OpenSide) -> dict[str, set[tuple[str, str]]]:
    """The values, with their filters, of each field that names every line of every file uniquely."""
    found: dict[str, set[tuple[str, str]]] | None = None
    for file in side.run.manifest.files:
        path = side.run.layout.stored(file.raw_path)
        if not path.is_file():
            return {}
        fields = [one.field for one in measure(path, name=file.name).candidates]
        values = _values(path, file.name, fields)
        if found is None:
            found = values
        else:
            kept = [name for name in found if name in values and not found[name] & values[name]]
            found = {name: found[name] | values[name] for name in kept}
    return found or {}


def _values(path: Path, name: str, fields: Sequence[str]) -> dict[str, set[tuple[str, str]]]:
    places = {field: parse_id_selection([field]).everywhere[0].parts for field in fields if "=" not in field}
    values: dict[str, set[tuple[str, str]]] = {field: set() for field in places}
    for _, line in read_objects(path, name=name):
        filter_ = str(line.get("filter", "none"))
        for field, parts in places.items():
            values[field].add((filter_, str(value_at(line, parts))))
    return values
