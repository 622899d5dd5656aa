"""The page of the published schemas, from the classes that they describe."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from generator.markdown import MADE, table
from itemproof.records.schema import PUBLISHED, schema_of

__all__ = ["schemas_page"]

_HEAD = """
# Schemas

What an archive holds is described by JSON Schemas (draft 2020-12). They are made from the classes that read and write
the files. A record may carry further fields of its producer behind these; a manifest may not.
"""

_TITLES = {"record": "One record", "run-manifest": "The manifest of a run", "comparison": "A comparison of runs"}


def schemas_page() -> str:
    """The page, a section for each schema and for each part of it."""
    lines = [MADE, _HEAD]
    for name in PUBLISHED:
        schema = schema_of(name)
        file = f"../../src/itemproof/records/schemas/{name}.schema.json"
        lines += [f"## {_TITLES[name.rpartition('-v')[0]]}", "", f"[`{name}.schema.json`]({file})", ""]
        lines += _part(schema)
        for part, within in schema["$defs"].items():
            lines += [f"### {part}", "", *_part(within)]
    return "\n".join(lines).rstrip() + "\n"


def _part(schema: Mapping[str, Any]) -> Iterator[str]:
    yield schema["description"]
    yield ""
    due = schema.get("required", [])
    rows = (
        (f"`{name}`" if name in due else f"`{name}` (may be absent)", _type(one), one.get("description", ""))
        for name, one in schema["properties"].items()
    )
    yield from table(("field", "type", "meaning"), rows)


def _type(one: Mapping[str, Any]) -> str:
    if "$ref" in one:
        return str(one["$ref"]).rpartition("/")[2]
    if "enum" in one:
        return " or ".join(f"`{json.dumps(value)}`" for value in one["enum"])
    if "anyOf" in one:
        return " or ".join(_type(each) for each in one["anyOf"])
    kind = one.get("type", "any JSON")
    if kind == "array":
        return f"list of {_type(one.get('items', {}))}"
    if kind == "object" and isinstance(one.get("additionalProperties"), Mapping) and one["additionalProperties"]:
        return f"object of {_type(one['additionalProperties'])}"
    return str(kind)
