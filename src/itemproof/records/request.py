"""What a model is asked: one request of generation-eval, and the batch that holds all of them."""

from __future__ import annotations

from typing import Final

import msgspec

__all__ = ["REQUEST", "REQUEST_BATCH", "RequestRecord"]

#: The schema version of one request.
REQUEST: Final = "coglang-generation-eval-request/v0.1"
#: The schema version of a batch of them.
REQUEST_BATCH: Final = "coglang-generation-eval-request-batch/v0.1"


class RequestRecord(msgspec.Struct, frozen=True, kw_only=True):
    """One request (contract 2).

    Attributes:
        schema_version: `REQUEST`.
        case_id: To be copied into the response.
        level: The maturity level.
        prompt: What is asked.
        instructions: How to answer; the language's page stands before them where that was asked for.
        expected_top_level_heads: What the scorer accepts as the outermost head.
        reference_expr: A right answer; absent unless it was asked for.
    """

    schema_version: str = REQUEST
    case_id: str
    level: str
    prompt: str
    instructions: str
    expected_top_level_heads: tuple[str, ...]
    reference_expr: str | msgspec.UnsetType = msgspec.UNSET
