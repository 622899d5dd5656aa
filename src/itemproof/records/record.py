"""One normalised record: a model's result for one question, variant, filter and repeat of a run.

A record travels as a plain dictionary, so that a producer's own fields survive; `Record` is its checked shape.
"""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal, NamedTuple, TypeAlias

import msgspec

__all__ = ["FIELDS", "Key", "Name", "Record", "RecordDict", "Scope", "Source", "key_of"]

#: A record as it stands on its line: the contract's 21 fields in the order of its table, then the producer's own.
RecordDict: TypeAlias = dict[str, Any]

#: `stable` pairs across runs; `run-local` counts in summaries only.
Scope: TypeAlias = Literal["stable", "run-local"]

#: A text that names something, so it is not empty.
Name: TypeAlias = Annotated[str, msgspec.Meta(min_length=1)]


class Source(msgspec.Struct, frozen=True, kw_only=True):
    """Where the record came from.

    Attributes:
        path: The archived raw file, relative to the archive, with `/`.
        line: Its line, from 1; in a compressed file the line of the decompressed text.
    """

    path: Name
    line: Annotated[int, msgspec.Meta(ge=1)]


class Record(msgspec.Struct, frozen=True, kw_only=True):
    """The shape of a record; further fields of the producer may follow these.

    Attributes:
        schema_version: The record schema, 1.
        run_id: The run's folder.
        question_id: The persistent identity of the question, shared by its variants.
        variant_id: The wording, such as `original`.
        benchmark: The benchmark or task.
        script: The writing system, or null.
        language: The language, or null; never guessed.
        model: The evaluated model.
        rephrasing_model: The model that wrote the variant, when known.
        filter: The harness's processing pipeline, `none` where it has none.
        repeat_id: The deliberate repetition, 0 where there is one.
        identity_scope: Whether the identity may be paired.
        input: What of question, prompt, choices, document and arguments was given.
        target: The reference as supplied.
        prediction: The prediction as supplied.
        correct: True, false, or null when unknown.
        scores: Likelihoods and score arrays, in the order of the requests.
        metrics: The producer's metrics, unchanged.
        response: The generated text, or the raw and filtered responses.
        source: The raw file and line.
        warnings: What a reader should know about this record.
    """

    schema_version: Literal[1]
    run_id: Name
    question_id: Name
    variant_id: Name
    benchmark: Name
    script: Name | None
    language: Name | None
    model: Name
    rephrasing_model: Name | None
    filter: Name
    repeat_id: int | Name
    identity_scope: Scope
    input: dict[str, Any]
    target: Any
    prediction: Any
    correct: bool | None
    scores: dict[str, Any]
    metrics: dict[str, Any]
    response: Any
    source: Source
    warnings: list[str]


#: The 21 names in the contract's order.
FIELDS: Final[tuple[str, ...]] = Record.__struct_fields__


class Key(NamedTuple):
    """What may occur only once in a run."""

    benchmark: str
    language: str | None
    script: str | None
    question_id: str
    variant_id: str
    filter: str
    repeat_id: int | str


def key_of(record: RecordDict) -> Key:
    """The key of a record."""
    return Key(
        record["benchmark"],
        record["language"],
        record["script"],
        record["question_id"],
        record["variant_id"],
        record["filter"],
        record["repeat_id"],
    )
