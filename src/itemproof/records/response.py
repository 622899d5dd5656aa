"""What a model answered: the schema versions of responses and the fields that may hold an output."""

from __future__ import annotations

from typing import Final

__all__ = ["OUTPUT_FIELDS", "RESPONSE", "RESPONSE_BATCH"]

#: The schema version of one response.
RESPONSE: Final = "coglang-generation-eval-response/v0.1"
#: The schema version of a batch of them.
RESPONSE_BATCH: Final = "coglang-generation-eval-response-batch/v0.1"
#: The fields of a response that may hold its output; the first that is present and not null does (contract 4).
OUTPUT_FIELDS: Final = ("output", "text", "completion")
