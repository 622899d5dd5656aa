"""The published JSON Schemas, made from the classes, so that the two cannot drift apart."""

from __future__ import annotations

import inspect
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import msgspec

from itemproof.records import versions
from itemproof.records.comparison import Comparison
from itemproof.records.manifest import RunManifest
from itemproof.records.record import Record

__all__ = ["PUBLISHED", "SCHEMAS", "schema_of", "schema_text"]

#: Where the published files lie.
SCHEMAS: Final = Path(__file__).with_name("schemas")

#: Each published schema's name, which is its file's name without `.schema.json`, and the class it describes.
PUBLISHED: Final[Mapping[str, type[msgspec.Struct]]] = {
    f"record-v{versions.RECORD}": Record,
    f"run-manifest-v{versions.ARCHIVE}": RunManifest,
    "comparison-v1": Comparison,
}


def schema_of(name: str) -> dict[str, Any]:
    """The schema (draft 2020-12) of a published name, with the classes' own words as descriptions.

    Raises:
        KeyError: No schema of that name is published.
    """
    described = PUBLISHED[name]
    _, parts = msgspec.json.schema_components([described], ref_template="#/$defs/{name}")
    for part in parts.values():
        _describe(part)
    root = parts.pop(described.__name__)
    schema = {"$schema": "https://json-schema.org/draft/2020-12/schema", "$id": f"urn:itemproof:{name}", **root}
    return {**schema, "$defs": dict(sorted(parts.items()))}


def schema_text(name: str) -> str:
    """The text of the published file: the same bytes whenever the classes are the same.

    Raises:
        KeyError: No schema of that name is published.
    """
    return json.dumps(schema_of(name), indent=2, ensure_ascii=False) + "\n"


def _describe(part: dict[str, Any]) -> None:
    """Moves what a class's docstring says of each attribute to the attribute."""
    summary, _, attributes = inspect.cleandoc(part["description"]).partition("\n\nAttributes:\n")
    part["description"] = summary
    for line in inspect.cleandoc(attributes).replace("\n    ", " ").splitlines():
        name, _, text = line.partition(": ")
        part["properties"][name]["description"] = text
