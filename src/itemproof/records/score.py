"""What the scorer says of one output, and of many: the shapes of a generation-eval result."""

from __future__ import annotations

from typing import Final

import msgspec

__all__ = [
    "HALLUCINATED",
    "HEAD_MISMATCH",
    "MISSING",
    "PARSE_ERROR",
    "RESULT",
    "SPECIFICATION_ERROR",
    "VALIDATION_ERROR",
    "Score",
    "Summary",
]

#: The schema version of a result.
RESULT: Final = "coglang-generation-eval-result/v0.1"

MISSING: Final = "missing_output"
PARSE_ERROR: Final = "parse_error"
VALIDATION_ERROR: Final = "validation_error"
HEAD_MISMATCH: Final = "top_level_head_mismatch"
HALLUCINATED: Final = "hallucinated_operator"
#: Of strict scoring only: valid by the language's reference tool, but not by its specification.
SPECIFICATION_ERROR: Final = "specification_error"


class Score(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """The verdict on one case.

    Attributes:
        categories: Why it fails, in the order of the stages; none when it passes.
        has_output: Whether there is a text to judge.
        parse_ok: Whether the text is one expression; it then has a canonical text, too.
        validate_ok: Whether the expression is valid.
        head_ok: Whether its outermost head is one of the expected.
        hallucinated: The heads that the language does not have, each once, by code point.
        decision: Whether it may run; None without an output.
        parse_error: Why it is no expression.
        exact: Whether its canonical text is the reference's.
    """

    categories: tuple[str, ...]
    has_output: bool = True
    parse_ok: bool = False
    validate_ok: bool = False
    head_ok: bool = False
    hallucinated: tuple[str, ...] = ()
    decision: str | None = None
    parse_error: str | None = None
    exact: bool = False


class Summary(msgspec.Struct, frozen=True, kw_only=True):
    """Counts over cases; every share is of all cases, missing and unparsable ones included.

    Attributes:
        case_count: All cases.
        missing_output_count: Without an output.
        parse_ok_count: One expression.
        parse_ok_rate: Its share, from 0 to 1.
        canonicalize_ok_count: The same as `parse_ok_count`.
        canonicalize_ok_rate: Its share.
        validate_ok_count: Valid.
        validate_ok_rate: Its share.
        expected_top_level_head_ok_count: With an expected outermost head.
        expected_top_level_head_ok_rate: Its share.
        hallucinated_operator_count: With at least one head that the language does not have.
        ok: Whether every case passes.
        failure_category_counts: Cases by category; absent in the summary of a level.
    """

    case_count: int
    missing_output_count: int
    parse_ok_count: int
    parse_ok_rate: float
    canonicalize_ok_count: int
    canonicalize_ok_rate: float
    validate_ok_count: int
    validate_ok_rate: float
    expected_top_level_head_ok_count: int
    expected_top_level_head_ok_rate: float
    hallucinated_operator_count: int
    ok: bool
    failure_category_counts: dict[str, int] | msgspec.UnsetType = msgspec.UNSET
