"""Commands for one CogLang expression: parse, canonicalize, validate, preflight."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Final

import click

from itemproof.cli.main import HELD, NOT_HELD
from itemproof.cli.options import command
from itemproof.cli.output import finding_document, note, show
from itemproof.coglang.budget import DEFAULT_BUDGET, Budget
from itemproof.coglang.diagnostics import diagnose
from itemproof.coglang.failure import ParseFailure
from itemproof.coglang.preflight import Policy, preflight
from itemproof.coglang.reading import Reading, read
from itemproof.coglang.tree import tree_json
from itemproof.coglang.validate import check_specification, validate
from itemproof.core.errors import invalid
from itemproof.core.where import Where
from itemproof.files.exact_json import NOT_UTF8

__all__ = ["coglang_command"]

_STDIN: Final = "-"
_NO_ASCII: Final = re.compile(r"[^\x20-\x7e]")
_AS_JSON: Final = "itemproof.coglang.as_json"

_EXPRESSION: Final = click.argument("expression", metavar="[EXPR|-]", default=_STDIN)


@click.group("coglang")
@click.option("--root", type=click.Path(path_type=Path), help="Taken as by every command; no archive is needed here.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document on standard output.")
@click.pass_context
def coglang_command(ctx: click.Context, root: Path | None, *, as_json: bool) -> None:
    """Look at one CogLang expression.

    The expression is an argument, or is read from standard input when it is - or absent. Nothing is trimmed or
    repaired. Exit 1 says that it does not parse, is not valid, or is rejected.

    Example: itemproof coglang validate
    """
    del root
    ctx.meta[_AS_JSON] = as_json


def _command(name: str) -> Callable[[Callable[..., Any]], click.Command]:
    """A command of the group; it takes an expression and gives its reading and whether JSON is asked for."""

    def decorate(function: Callable[..., Any]) -> click.Command:
        def run(expression: str, root: Path | None, *, as_json: bool, **given: Any) -> Any:
            del root
            as_json = as_json or bool(click.get_current_context().meta.get(_AS_JSON))
            return function(read(_text(expression)), as_json=as_json, **given)

        run.__doc__ = function.__doc__
        run.__click_params__ = getattr(function, "__click_params__", [])  # type: ignore[attr-defined]
        made = command(name)(_EXPRESSION(run))
        coglang_command.add_command(made)
        return made

    return decorate


def _text(expression: str) -> str:
    if expression != _STDIN:
        return expression
    data = sys.stdin.buffer.read()
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        text = f"the bytes at {error.start + 1} are no UTF-8; save the expression as UTF-8."
        raise invalid(NOT_UTF8, text, Where(file="standard input")) from None


@_command("parse")
def parse_command(reading: Reading, *, as_json: bool) -> int:
    """Parse EXPR and print it; with --json its tree, and what there is to say about it.

    Example: itemproof coglang parse "Equal[1, 1]"
    """
    document = {
        "ok": not reading.is_failure,
        "canonical": reading.canonical,
        "parse_error": _parse_error(reading),
        "diagnostics": _diagnostics(reading),
    }
    if as_json:
        # The tree may be nested deeper than the JSON writer goes, so its own text is set in.
        tree = _NO_ASCII.sub(lambda found: json.dumps(found[0])[1:-1], tree_json(reading.parsed))
        show({}, [f'{json.dumps(document)[:-1]}, "tree": {tree}}}'], as_json=False)
    else:
        show({}, [reading.canonical], as_json=False)
        _tell(reading)
    return NOT_HELD if reading.is_failure else HELD


@_command("canonicalize")
def canonicalize_command(reading: Reading, *, as_json: bool) -> int:
    """Print the one canonical text of EXPR.

    Example: itemproof coglang canonicalize "List[1 2]"
    """
    document = {
        "ok": not reading.is_failure,
        "canonical": None if reading.is_failure else reading.canonical,
        "parse_error": _parse_error(reading),
    }
    show(document, [reading.canonical], as_json=as_json)
    if reading.is_failure and not as_json:
        _tell(reading)
    return NOT_HELD if reading.is_failure else HELD


@_command("validate")
def validate_command(reading: Reading, *, as_json: bool) -> int:
    """Say whether EXPR is valid, where it is not, and what else the specification asks for.

    Example: itemproof coglang validate "If[True[], 1]"
    """
    broken = [] if reading.survey is None else list(validate(reading.survey, reading.text))
    outside = [] if reading.survey is None else list(check_specification(reading.survey, reading.text))
    document = {
        "ok": reading.is_valid,
        "parse_error": _parse_error(reading),
        "hallucinated_heads": reading.hallucinated,
        "findings": list(map(finding_document, broken)),
        "specification": list(map(finding_document, outside)),
        "diagnostics": _diagnostics(reading),
    }
    lines = ["valid" if reading.is_valid else "not valid", *map(str, broken)]
    lines += [f"outside of the specification: {finding}" for finding in outside]
    show(document, lines, as_json=as_json)
    if not as_json:
        _tell(reading)
    return HELD if reading.is_valid else NOT_HELD


def _limits(function: Callable[..., Any]) -> Callable[..., Any]:
    for name, what in (
        ("execution-ms", "milliseconds; told only"),
        ("unification-branches", "uses of Unify and Match"),
        ("result-count", "results"),
        ("visited-nodes", "nodes; told only"),
        ("traversal-depth", "Traverse within Traverse"),
    ):
        help_ = f"Limit: {what}. Any limit replaces all of the default."
        function = click.option(f"--max-{name}", type=click.IntRange(min=0), metavar="N", help=help_)(function)
    return function


@_command("preflight")
@click.option("--correlation-id", metavar="ID", help="Repeated in the decision.")
@click.option("--allow-writes-without-review", is_flag=True, help="Ask for no review of expressions that write.")
@click.option("--enabled-capability", multiple=True, metavar="CAP", help="What the host allows; may be repeated.")
@_limits
def preflight_command(
    reading: Reading,
    correlation_id: str | None,
    enabled_capability: tuple[str, ...],
    *,
    allow_writes_without_review: bool,
    as_json: bool,
    **limits: Any,
) -> int:
    """Decide whether EXPR may run, by its effects, a budget and what the host allows. Nothing is run.

    Example: itemproof coglang preflight "AllNodes[]" --enabled-capability graph.read
    """
    policy = Policy(
        budget=Budget(**limits) if any(limit is not None for limit in limits.values()) else DEFAULT_BUDGET,
        capabilities=frozenset(enabled_capability) if enabled_capability else None,
        review_writes=not allow_writes_without_review,
    )
    decision = preflight(reading, policy)
    document = decision.as_json(reading, correlation_id=correlation_id)
    lines = [
        decision.decision,
        f"reasons: {_listed(decision.reasons)}",
        f"effects: {_listed(decision.effects.effects)}",
        f"needs: {_listed(decision.effects.capabilities)}",
        f"may end in: {_listed(decision.possible_errors)}",
        f"review required: {'yes' if decision.required_review else 'no'}",
    ]
    show(document, lines, as_json=as_json)
    if not as_json and reading.is_failure:
        _tell(reading)
    return NOT_HELD if decision.decision == "rejected" else HELD


def _listed(names: Iterable[str]) -> str:
    return ", ".join(names) or "none"


def _parse_error(reading: Reading) -> dict[str, Any] | None:
    """Why an expression does not parse: the language's reason and token, and the place for people."""
    if not reading.is_failure:
        return None
    failure = reading.parsed
    if not isinstance(failure, ParseFailure):
        return {"text": reading.canonical, "reason": None, "position": 0, "line": 1, "column": 1, "excerpt": None}
    place = failure.place
    return {
        "text": reading.canonical,
        "reason": failure.reason,
        "position": failure.position,
        "line": place.line,
        "column": place.column,
        "excerpt": failure.excerpt,
    }


def _diagnostics(reading: Reading) -> list[dict[str, Any]]:
    return [
        {
            **finding_document(one.finding),
            "name": one.flag.name,
            "column": one.place.column,
            "count": one.count,
            "outside_specification": one.flag.is_outside,
        }
        for one in diagnose(reading)
    ]


def _tell(reading: Reading) -> None:
    """What there is to say beside a result, on standard error."""
    if isinstance(reading.parsed, ParseFailure):
        note(str(reading.parsed.finding), *reading.parsed.excerpt.splitlines())
    for one in diagnose(reading):
        note(str(one.finding))
