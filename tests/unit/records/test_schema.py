"""The published schemas say what the classes say."""

from __future__ import annotations

from pathlib import Path

import jsonschema
import msgspec
import pytest

from itemproof.records.record import FIELDS, Record
from itemproof.records.schema import PUBLISHED, SCHEMAS, schema_of, schema_text


@pytest.mark.parametrize("name", PUBLISHED)
def test_a_published_schema_is_the_one_the_classes_give(name: str) -> None:
    published = (SCHEMAS / f"{name}.schema.json").read_bytes().decode("utf-8")
    assert published == schema_text(name), "run docs/generate.py"


def test_nothing_else_is_published() -> None:
    assert {path.name for path in Path(SCHEMAS).iterdir()} == {f"{name}.schema.json" for name in PUBLISHED}


@pytest.mark.parametrize("name", PUBLISHED)
def test_a_published_schema_is_a_schema_and_says_what_it_is(name: str) -> None:
    schema = schema_of(name)
    jsonschema.Draft202012Validator.check_schema(schema)
    assert schema["$id"] == f"urn:itemproof:{name}"
    assert schema["title"] == PUBLISHED[name].__name__


def test_every_field_of_a_record_is_required_and_explained() -> None:
    schema = schema_of("record-v1")
    assert schema["required"] == list(FIELDS)
    assert [field for field in FIELDS if not schema["properties"][field]["description"]] == []
    assert schema["properties"]["rephrasing_model"]["description"] == ("The model that wrote the variant, when known.")


def test_a_record_may_have_further_fields_and_a_manifest_may_not() -> None:
    assert "additionalProperties" not in schema_of("record-v1")
    assert schema_of("run-manifest-v1")["additionalProperties"] is False


def test_an_attribute_told_in_two_lines_is_one_description(monkeypatch: pytest.MonkeyPatch) -> None:
    class Told(msgspec.Struct):
        """What it is.

        Attributes:
            long: The first line
                and the second.
            short: One.
        """

        long: int
        short: int

    monkeypatch.setattr("itemproof.records.schema.PUBLISHED", {"told": Told})
    schema = schema_of("told")
    assert schema["description"] == "What it is."
    assert schema["properties"]["long"]["description"] == "The first line and the second."
    assert schema["properties"]["short"]["description"] == "One."


def test_the_class_and_the_schema_refuse_the_same_record() -> None:
    record = {**dict.fromkeys(FIELDS), "schema_version": 1}
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(record, Record)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(record, schema_of("record-v1"))
