"""The command generation-eval: prompts out, answers in, a result for people, programs, a browser or an archive."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from itemproof.app.generation import Evaluated, Plan, Settings, evaluate, import_evaluated, prepared, spooled
from itemproof.cli.main import HELD, NOT_HELD
from itemproof.cli.options import (
    archive_of,
    command,
    lock_timeout,
    max_line_bytes,
    metadata_from,
    metadata_options,
    warn_of_keys,
)
from itemproof.cli.output import Table, note, show
from itemproof.files.atomic import new_file
from itemproof.generation.scoring import REMEMBERED

if TYPE_CHECKING:
    from itemproof.archive.archive import Archive
    from itemproof.archive.request import Imported

__all__ = ["generation_eval_command"]

_STDIN: Final = "-"
_FILE: Final = click.Path(exists=True, dir_okay=False, path_type=Path)
_FILE_OR_STDIN: Final = click.Path(exists=True, dir_okay=False, allow_dash=True)
_SHOWN_FAILURES: Final = 20
_ENCODER: Final = json.JSONEncoder(indent=2, allow_nan=False)
_STAGES: Final = (
    ("parse", "parse_ok_count"),
    ("canonical text", "canonicalize_ok_count"),
    ("valid", "validate_ok_count"),
    ("expected head", "expected_top_level_head_ok_count"),
)
#: The options that only one of the two uses of the command knows.
_OF_EXPORT: Final = {
    "request_format": "--request-format",
    "include_reference": "--include-reference",
    "with_primer": "--with-primer",
}
_OF_SCORING: Final = {
    "responses_file": "--responses-file",
    "summary_only": "--summary-only",
    "strict": "--strict",
    "report": "--report",
    "run": "--import",
    "remember": "--remember",
}


@command("generation-eval")
@click.option("--fixture", type=_FILE, help="The cases; else those that come with itemproof.")
@click.option(
    "--level", "levels", multiple=True, metavar="LEVEL", help="Only the cases of this level; may be repeated."
)
@click.option("--export-requests", is_flag=True, help="Write the requests instead of scoring.")
@click.option("--request-format", type=click.Choice(["json", "jsonl"]), help="One batch (json, the default) or lines.")
@click.option("--include-reference", is_flag=True, help="Put a right answer into each request, to test a runner.")
@click.option("--with-primer", is_flag=True, help="Put the page that teaches the language before the instructions.")
@click.option(
    "--responses-file",
    type=_FILE_OR_STDIN,
    metavar="FILE|-",
    help="The answers: JSON Lines, a JSON list or a batch; - is standard input.",
)
@click.option("--summary-only", is_flag=True, help="Leave the single cases out of the result.")
@click.option("--strict", is_flag=True, help="Score by the language's specification; refuse doubtful response files.")
@click.option(
    "--report", type=click.Path(path_type=Path), metavar="FILE.html", help="Write a page to read in a browser."
)
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    help="Write the requests, or the result as JSON (FILE.jsonl: a line a case), to a new file.",
)
@click.option("--import", "run", metavar="RUN", help="Keep the result as records of a run.")
@click.option("--create", is_flag=True, help="Make that run in the same transaction.")
@click.option("--model", help="The evaluated model, with --create.")
@metadata_options
@click.option(
    "--remember",
    type=click.IntRange(min=0),
    metavar="N",
    help=f"Judgements kept for answers that repeat ({REMEMBERED:,}).",
)
@max_line_bytes
@lock_timeout
def generation_eval_command(**given: Any) -> int:
    """Export prompts for a model, or score what it answered.

    Scoring calls no model and repairs nothing; the same answers get the same result everywhere. Exit 0 says that every
    case passes, 1 that one does not, 2 that a file is at fault.

    Example: itemproof generation-eval --responses-file answers.jsonl --report answers.html
    """
    _refuse_contradictions(given)
    plan = prepared(given["fixture"], given["levels"], strict=given["strict"])
    if given["export_requests"]:
        _export(plan, given)
        return HELD
    return _score(plan, given)


def _refuse_contradictions(given: Mapping[str, Any]) -> None:
    others, use = (_OF_SCORING, "scores") if given["export_requests"] else (_OF_EXPORT, "exports requests")
    for name, option in others.items():
        if given[name] not in (None, False):
            with_or_without = "without" if given["export_requests"] else "with"
            raise click.UsageError(
                f"{option} belongs to a command that {use}; use it {with_or_without} --export-requests."
            )
    if given["run"] is None and (given["create"] or given["model"] is not None):
        raise click.UsageError("--create and --model belong to --import RUN.")
    if given["create"] != (given["model"] is not None):
        raise click.UsageError("A new run needs both: --create and --model.")
    if not given["create"] and (given["meta"] or given["metadata_file"] is not None):
        raise click.UsageError("--meta and --metadata describe a new run: add --create.")


def _export(plan: Plan, given: Mapping[str, Any]) -> None:
    from itemproof.generation.requests import Export, batch, requests

    export = Export(
        include_reference=given["include_reference"], page_of=plan.language if given["with_primer"] else None
    )
    whole = given["request_format"] != "jsonl"
    documents = [batch(plan.fixture, export)] if whole else list(requests(plan.fixture, export))
    if given["output"] is None:
        for document in documents:
            show(document, [], as_json=True)
        return
    with new_file(given["output"]) as file:
        for document in documents:
            file.write(json.dumps(document, indent=2 if whole else None, ensure_ascii=False).encode() + b"\n")
    count = len(plan.fixture.cases)
    written = {"file": str(given["output"]), "requests": count}
    show(written, [f"wrote {count:,} requests to {given['output']}"], as_json=given["as_json"])


def _score(plan: Plan, given: Mapping[str, Any]) -> int:
    archive = archive_of(given["root"]) if given["run"] is not None else None
    shown: str | None = given["responses_file"]
    keep = not given["summary_only"] or archive is not None or given["report"] is not None or _wants_lines(given)
    remember = REMEMBERED if given["remember"] is None else given["remember"]
    settings = Settings(
        strict=given["strict"], keep_answers=keep, remember=remember, max_line_bytes=given["max_line_bytes"]
    )
    with ExitStack() as stack:
        if shown is None:
            note("note: no --responses-file was given, so the fixture's own references were scored.")
            responses = None
        elif shown == _STDIN:
            responses = stack.enter_context(spooled(sys.stdin.buffer))
        else:
            responses = Path(shown)
        evaluated = evaluate(plan, responses, settings, shown=shown)
        for warning in evaluated.warnings:
            note(f"warning: {warning}")
        # Files appear when the block ends, so that none is there when the import is refused, and the other way round.
        _write(evaluated, given, stack)
        imported = None if archive is None else _import(archive, evaluated, given)
    result = _shown_result(evaluated, given)
    if imported is not None:
        result["itemproof"] = {**result["itemproof"], "imported": _imported(imported)}
    show(result, list(_page(evaluated, given, imported)), as_json=given["as_json"])
    return HELD if evaluated.is_ok else NOT_HELD


def _import(archive: Archive, evaluated: Evaluated, given: Mapping[str, Any]) -> Imported:
    from itemproof.app.imports import Means
    from itemproof.archive.transaction import NewRun

    metadata = metadata_from(given["meta"], given["metadata_file"])
    warn_of_keys(metadata, "run metadata")
    create = NewRun(model=given["model"], metadata=metadata) if given["create"] else None
    means = Means(lock_timeout_s=given["lock_timeout_s"])
    return import_evaluated(archive, given["run"], evaluated, create=create, means=means)


def _write(evaluated: Evaluated, given: Mapping[str, Any], stack: ExitStack) -> None:
    """The files that were asked for are written; they have their names when the stack is closed."""
    if given["output"] is not None:
        file = stack.enter_context(new_file(given["output"]))
        if _wants_lines(given):
            from itemproof.generation.archive_lines import write_lines

            write_lines(evaluated.scored, evaluated.plan.language, file, strict=evaluated.strict)
        else:
            file.writelines(part.encode("ascii") for part in _ENCODER.iterencode(_shown_result(evaluated, given)))
            file.write(b"\n")
    if given["report"] is not None:
        from itemproof.generation.report import page

        stack.enter_context(new_file(given["report"])).write(page(evaluated.scored, evaluated.result))


def _wants_lines(given: Mapping[str, Any]) -> bool:
    """Whether the result is to be written as a line for each case, which can be imported and compared."""
    return given["output"] is not None and given["output"].suffix == ".jsonl"


def _shown_result(evaluated: Evaluated, given: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in evaluated.result.items() if name != "cases" or not given["summary_only"]}


def _imported(imported: Imported) -> dict[str, Any]:
    entry = imported.entry
    return {"run_id": imported.run_id, "import": entry.id, "records": sum(file.records for file in entry.files)}


def _page(evaluated: Evaluated, given: Mapping[str, Any], imported: Imported | None) -> Iterator[str | Table]:
    result = evaluated.result
    total, extra = result["summary"], result["itemproof"]
    cases = total["case_count"]
    how = "strictly, by the specification" if evaluated.strict else "as the reference tool scores"
    yield f"{result['answer_source']}: {cases:,} cases of {result['fixture_path']}, scored {how}"
    yield ""
    passed = cases - result["failure_case_count"]
    verdict = "all cases pass" if evaluated.is_ok else "not all cases pass"
    yield f"{verdict}: {_of(passed, cases)}"
    yield ""
    rows = [(name, *_counted(total[key], cases)) for name, key in _STAGES]
    exact, bare = extra["exact_match"]["count"], extra["bare_head"]["count"]
    rows.append(("same program as the reference", *_counted(exact, cases)))
    yield Table(("stage", "cases", "share"), rows, frozenset({1, 2}))
    yield f"An expected head alone, without arguments, would have passed {_of(bare, cases)}."
    yield ""
    yield Table(_LEVEL_HEADER, [_level_row(level, result) for level in result["level_summary"]], frozenset(range(1, 6)))
    maturity = result["maturity"]
    yield f"mature up to {maturity['highest_contiguous_level']}" + (
        f", blocked at {maturity['blocked_level']}" if maturity["blocked_level"] else ""
    )
    decisions = " · ".join(f"{name} {count:,}" for name, count in extra["preflight"]["decisions"].items())
    yield f"preflight: {decisions or 'nothing to decide'}"
    yield from _failures(result)
    if imported is not None:
        yield f"kept as {imported.entry.id} of {imported.run_id}"
    for name in ("output", "report"):
        if given[name] is not None:
            yield f"wrote {given[name]}"


_LEVEL_HEADER: Final = ("level", "cases", "pass", "valid", "expected head", "same program")


def _level_row(level: str, result: Mapping[str, Any]) -> tuple[str, ...]:
    summary = result["level_summary"][level]
    counts = (
        summary["case_count"],
        result["itemproof"]["passed"]["by_level"][level]["count"],
        summary["validate_ok_count"],
        summary["expected_top_level_head_ok_count"],
        result["itemproof"]["exact_match"]["by_level"][level]["count"],
    )
    return (level, *(f"{number:,}" for number in counts))


def _failures(result: Mapping[str, Any]) -> Iterator[str | Table]:
    categories = result["summary"]["failure_category_counts"]
    if not categories:
        return
    yield "fails: " + " · ".join(f"{name} {count:,}" for name, count in categories.items())
    around = result["itemproof"]["around"]
    if around:
        yield "beside the expression: " + " · ".join(f"{name} {count:,}" for name, count in around.items())
    failures = result["failure_cases"]
    remarks = {case["case_id"]: case["itemproof"]["diagnostics"] for case in result.get("cases", ())}
    rows = [
        (one["case_id"], one["level"], ", ".join(one["failure_categories"]), _why(one, remarks.get(one["case_id"])))
        for one in failures[:_SHOWN_FAILURES]
    ]
    yield ""
    yield Table(("case", "level", "fails at", "why"), rows)
    if len(failures) > len(rows):
        yield f"and {len(failures) - len(rows):,} more"


def _why(failure: Mapping[str, Any], remarks: Sequence[Mapping[str, Any]] | None) -> str:
    """The language's reason, and the first remark on the output where they were kept."""
    said = failure["parse_error"] or ", ".join(failure["hallucinated_heads"])
    remark = remarks[0]["text"].partition(": ")[2].partition(". ")[0].rstrip(".") if remarks else ""
    return " · ".join(part for part in (said, remark) if part)


def _share(count: int, cases: int) -> str:
    from itemproof.stats import display

    return display.show(count / cases, display.PERCENT)


def _counted(count: int, cases: int) -> tuple[str, str]:
    return f"{count:,}", _share(count, cases)


def _of(count: int, cases: int) -> str:
    return f"{count:,} of {cases:,} ({_share(count, cases)})"
