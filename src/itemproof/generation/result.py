"""A result as others read it: the contract's keys, and what itemproof adds under a key of its own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from itemproof.core.findings import Finding
from itemproof.generation.fixture import FIXTURE, Case
from itemproof.generation.language import Language, Remark
from itemproof.generation.levels import maturity
from itemproof.generation.matching import Unknown
from itemproof.generation.requests import TOOL
from itemproof.generation.scoring import Answer, Scored
from itemproof.generation.summary import by_level, further_counts, summary_of, whole
from itemproof.records.score import RESULT, Score

__all__ = ["Source", "case_results", "result"]


class Source(msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """Where the outputs came from.

    Attributes:
        shown: As results name it.
        strict: Whether they were scored strictly.
        unknown: Responses that answer no case.
        warnings: What there is to say of the file.
    """

    shown: str
    strict: bool = False
    unknown: Unknown = msgspec.field(default_factory=Unknown)
    warnings: Sequence[Finding] = ()


def result(scored: Scored, source: Source, language: Language) -> dict[str, Any]:
    """The result; it holds `cases` where the answers were kept.

    The same fixture and outputs give the same result, on every machine and in every order of the responses.
    """
    levels = by_level(scored)
    total = summary_of(scored.table, whole(levels), with_categories=True)
    level_summary = {level: summary_of(scored.table, counts) for level, counts in levels.items()}
    failures = list(_failures(scored))
    passed = {level: summary.ok for level, summary in level_summary.items()}
    kept = {} if scored.answers is None else {"cases": list(case_results(scored, language))}
    return {
        "schema_version": RESULT,
        "tool": TOOL,
        "fixture_schema_version": FIXTURE,
        "answer_source": source.shown,
        "ok": total.ok,
        "case_count": total.case_count,
        "summary": msgspec.to_builtins(total),
        "level_summary": msgspec.to_builtins(level_summary),
        "maturity": maturity(passed, scored.fixture.defined_levels),
        "failure_case_count": len(failures),
        "failure_cases": failures,
        **kept,
        "fixture_path": scored.fixture.shown,
        "itemproof": {
            "language": scored.fixture.language,
            "strict": source.strict,
            **further_counts(scored, levels),
            "missing_case_ids": [case.case_id for case, score in _pairs(scored) if not score.has_output],
            "unknown_case_ids": {"count": source.unknown.count, "ids": source.unknown.ids},
            "warnings": [str(warning) for warning in source.warnings],
        },
    }


def _pairs(scored: Scored) -> Iterator[tuple[Case, Score]]:
    for case, number in zip(scored.fixture.cases, scored.of_case, strict=True):
        yield case, scored.table[number]


def _failures(scored: Scored) -> Iterator[dict[str, Any]]:
    for case, score in _pairs(scored):
        if score.categories:
            yield {
                "case_id": case.case_id,
                "level": case.level,
                "failure_categories": score.categories,
                "hallucinated_heads": score.hallucinated,
                "parse_error": score.parse_error,
            }


def case_results(scored: Scored, language: Language) -> Iterator[dict[str, Any]]:
    """The result of each case, in the fixture's order; the answers must have been kept.

    Raises:
        ValueError: They were not.
    """
    if scored.answers is None:
        raise ValueError("the answers were not kept")
    remarks: dict[str | None, list[dict[str, Any]]] = {None: []}
    for (case, score), answer in zip(_pairs(scored), scored.answers, strict=True):
        if answer.output not in remarks:
            remarks[answer.output] = [_remark(one) for one in language.remarks(answer.output or "")]
        yield _case(case, score, answer, remarks[answer.output])


def _case(case: Case, score: Score, answer: Answer, remarks: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        "case_id": case.case_id,
        "level": case.level,
        "prompt": case.prompt,
        "output": answer.output,
        "parse_ok": score.parse_ok,
        "canonicalize_ok": score.parse_ok,
        "validate_ok": score.validate_ok,
        "expected_top_level_head_ok": score.head_ok,
        "hallucinated_heads": score.hallucinated,
        "failure_categories": score.categories,
        "preflight_decision": score.decision,
        "canonical": answer.canonical,
        "parse_error": score.parse_error,
        "itemproof": {"exact_match": score.exact, "diagnostics": remarks},
    }


def _remark(remark: Remark) -> dict[str, Any]:
    return {
        "code": remark.code,
        "name": remark.name,
        "line": remark.line,
        "column": remark.column,
        "count": remark.count,
        "outside_specification": remark.is_outside,
        "text": remark.text,
    }
