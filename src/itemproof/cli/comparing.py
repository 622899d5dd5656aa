"""The command that compares two sides: compare."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import Any, Final

import click

from itemproof.app.compare_options import Options
from itemproof.app.compared import FORMATS, Compared, format_of
from itemproof.app.comparing import compare_sides
from itemproof.app.imports import Means
from itemproof.cli.main import HELD, NOT_HELD
from itemproof.cli.options import archive_of, command, max_line_bytes
from itemproof.cli.output import Table, counted, note, show
from itemproof.records.comparison import Comparison, Difference, Group
from itemproof.report.words import (
    categories,
    certainty,
    change,
    delta,
    documents_line,
    gate_line,
    leftovers,
    p_of,
    title,
    unit_of,
)

__all__ = ["compare_command"]

_OUTCOMES: Final = (
    *("changed", "both_correct", "both_wrong", "correct_to_wrong", "wrong_to_correct", "unscored"),
    *("left_only", "right_only", "better", "worse", "equal"),
)
#: What is said of a difference in a few words.
_LABELS: Final = {"chat_template_sha": "chat template", "system_instruction_sha": "system instruction"}
#: Parts of the model's name, which is told once.
_OF_THE_MODEL: Final = frozenset({"model_name", "model_args", "model_sha"})
_SHORT: Final = 8
_LONGEST: Final = 24
_DIFFERENCES: Final = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class _Outputs:
    """The files to write, and how."""

    items: Path | None
    format: str | None
    only: tuple[str, ...]
    excel: bool
    markdown: Path | None


_DECLARED: Final = (
    click.option("--baseline", default="original", show_default=True, help="The wording on the left."),
    click.option("--variant", help="The wording on the right; in one run the only other one, else the baseline."),
    click.option("--id-field", multiple=True, metavar="PATH", help="Field that names a question, or auto."),
    click.option("--metric", help="Compare this metric instead of correctness."),
    click.option("--benchmark", help="Only this benchmark."),
    click.option("--language", help="Only this language."),
    click.option("--filter", "filter_", help="Only this filter."),
    click.option("--cluster", metavar="FIELD", help="Records of one value are not independent."),
    click.option("--seed", type=int, default=0, show_default=True, help="Of all resampling."),
    click.option(
        "--level",
        type=click.FloatRange(0.5, 0.9999, min_open=True),
        default=0.95,
        show_default=True,
        help="Of the intervals.",
    ),
    click.option(
        "--non-inferiority",
        type=click.FloatRange(0, 1, min_open=True, max_open=True),
        metavar="M",
        help="Is the right side worse by less than M (0.02 is two points)",
    ),
    click.option("--gate", "gates", multiple=True, metavar="GATE", help="A condition that must hold, or exit 1."),
    click.option("--fail-on-regression", is_flag=True, help='The same as --gate "correct_to_wrong == 0".'),
    click.option("--floor", metavar="SIDE", help="A rerun of the left side: how many items change by themselves."),
    click.option("--name-pattern", metavar="PATTERN", help='Of paths: "{benchmark}_{language}".'),
    click.option("--timestamp", metavar="latest|TS", help="Of paths: which evaluation of several."),
    click.option("--as-repeats", is_flag=True, help="Of paths: keep several evaluations of a task as repeats."),
    max_line_bytes,
    click.option("--items", "-o", type=click.Path(path_type=Path), help="Write every item; by suffix csv or jsonl."),
    click.option("--format", "format_", type=click.Choice([*FORMATS, "html"]), help="Of --items."),
    click.option("--only", multiple=True, type=click.Choice(_OUTCOMES), help="Only these items in --items."),
    click.option("--excel", is_flag=True, help="Mark CSV so that Excel reads it as UTF-8."),
    click.option("--markdown", type=click.Path(path_type=Path), help="Write a page for a pull request."),
)


def _gathered(function: Callable[..., Any]) -> Callable[..., Any]:
    """The options of a comparison and of its outputs; they reach the command as `options` and `outputs`."""

    @wraps(function)
    def gathered(**given: Any) -> Any:
        outputs = _Outputs(format=given.pop("format_"), **{name: given.pop(name) for name in _OUTPUTS})
        names = [name for name in Options.__dataclass_fields__ if name in given]
        options = Options(filter=given.pop("filter_"), **{name: given.pop(name) for name in names})
        return function(options=options, outputs=outputs, **given)

    wrapped: Callable[..., Any] = gathered
    for option in reversed(_DECLARED):
        wrapped = option(wrapped)
    return wrapped


_OUTPUTS: Final = ("items", "only", "excel", "markdown")


@command("compare")
@click.argument("left")
@click.argument("right", required=False)
@click.option("--other-run", help="The same as RIGHT.")
@_gathered
def compare_command(
    left: str,
    right: str | None,
    other_run: str | None,
    options: Options,
    outputs: _Outputs,
    root: Path | None,
    *,
    as_json: bool,
) -> int:
    """Compare LEFT with RIGHT, question by question. Each is a run, or a path to logs; nothing is stored.

    Example: itemproof compare out/a out/b --gate not-worse
    """
    if right is not None and other_run is not None:
        raise click.UsageError("RIGHT and --other-run are the same: give one of them.")
    if options.timestamp is not None and options.as_repeats:
        raise click.UsageError("--timestamp takes one evaluation, --as-repeats keeps all: give one of them.")
    if outputs.items is not None:
        format_of(outputs.items, outputs.format)
    elif outputs.format or outputs.only or outputs.excel:
        raise click.UsageError("--format, --only and --excel shape the file of --items: name one.")
    with compare_sides(left, right or other_run, options, archive=lambda: archive_of(root), means=Means()) as compared:
        written = list(_write(compared, outputs))
        page = [*_page(compared), *written]
        document = compared.summary
    show(document, page, as_json=as_json)
    return HELD if all(gate.holds for gate in compared.value.gates) else NOT_HELD


def _write(compared: Compared, outputs: _Outputs) -> Iterator[str]:
    if outputs.items is not None:
        count = compared.write_items(
            outputs.items, format=outputs.format, only=outputs.only, excel=outputs.excel, note=note
        )
        yield f"wrote {counted(count, 'item')} to {outputs.items}"
    if outputs.markdown is not None:
        compared.write_markdown(outputs.markdown)
        yield f"wrote {outputs.markdown}"


def _page(compared: Compared) -> Iterator[str | Table]:
    value = compared.value
    yield from _heading(compared)
    yield from _pairs(compared)
    yield from _differences(value)
    yield ""
    yield from _headlines(value)
    if value.floor is not None:
        yield f"a rerun of the left side ({value.floor.run}) changes {value.floor.changed:,} of {value.floor.pairs:,}"
    yield from (f"warning: {text}" for text in value.warnings)
    yield from (f"gate {gate_line(gate)}" for gate in value.gates)


def _heading(compared: Compared) -> Iterator[str]:
    value = compared.value
    for name, side in (("left", value.left), ("right", value.right)):
        yield f"{name:<5}  {side.run or side.path}   {side.model}   variant {side.variant}"
    paths = [side.given for side in compared.sides if side.is_path]
    if paths:
        what = "nothing is stored" if len(paths) == len(compared.sides) else f"{paths[0]} is not stored"
        yield f"{what} (keep it: itemproof add {' '.join(map(shlex.quote, dict.fromkeys(paths)))})"
    yield from _origin(compared)
    notices = dict.fromkeys(text for side in compared.sides for text in side.notices)
    yield from (f"note: {text}" for text in notices)


def _origin(compared: Compared) -> Iterator[str]:
    """What made the logs, and how far the harness's own tables were reproduced."""
    manifests = {one.run.folder: one.run.manifest for one in compared.sides}.values()
    producers = {_producer(manifest.metadata.get("producer")) for manifest in manifests} - {""}
    if producers:
        yield f"{' and '.join(sorted(producers))} · {counted(len(compared.value.groups), 'group')}"
    tables = [entry.reproduced for manifest in manifests for entry in manifest.imports if entry.reproduced]
    agree = sum(table["agree"] for table in tables)
    every = agree + sum(len(table["differ"]) for table in tables)
    if every:
        yield f"harness's own table reproduced: {agree} of {counted(every, 'mean')}"


def _producer(producer: object) -> str:
    if not isinstance(producer, dict):
        return producer if isinstance(producer, str) else ""
    return " ".join(str(producer[name]) for name in ("name", "version") if name in producer)


def _pairs(compared: Compared) -> Iterator[str]:
    value, counts = compared.value, compared.value.counts
    if not counts.matched:
        return
    most = max(counts.left_records, counts.right_records)
    chosen = ", ".join(value.identity.selected)
    by = chosen if chosen not in ("", "auto") else " and ".join(compared.paired_by()) or "identity"
    parts = [f"paired by {by}: {counts.matched:,} of {most:,}", documents_line(value)]
    parts += [part for part in leftovers(counts) if not part.startswith("unscored")]
    yield " · ".join(filter(None, parts))
    if value.identity.reidentified:
        yield "the identities were read from the raw lines; the archive stays as it is"
    if value.identity.ambiguous:
        yield f"{value.identity.ambiguous:,} records share their document with another, so it names neither"


def _differences(value: Comparison) -> Iterator[str]:
    told = [_told(one) for one in value.differences if one.key not in _OF_THE_MODEL]
    prompts = value.prompts
    arrow = f" -> prompts differ on {prompts.different:,} of {value.counts.matched:,}" if prompts.different else ""
    if told:
        more = f" · and {len(told) - _DIFFERENCES} more (--json)" if len(told) > _DIFFERENCES else ""
        yield f"the runs differ in: {' · '.join(told[:_DIFFERENCES])}{more}{arrow}"
    elif prompts.different:
        yield f"prompts differ on {prompts.different:,} of {value.counts.matched:,}, and nothing known says why"


def _told(one: Difference) -> str:
    label = _LABELS.get(one.key, one.key)
    sides = [_brief(side) for side in (one.left, one.right)]
    if one.key == "model" or max(map(len, sides)) > _LONGEST:
        return label
    return f"{label} ({sides[0]} -> {sides[1]})"


def _brief(value: object) -> str:
    if value is None:
        return "none"
    text = value if isinstance(value, str) else str(value)
    return text[:_SHORT] if len(text) == 64 and text.isalnum() else text


def _headlines(value: Comparison) -> Iterator[str | Table]:
    groups = [group for group in value.groups if group.counts.matched]
    if not groups:
        yield "no pairs"
        yield from (f"  {text}" for text in (*leftovers(value.counts), *value.explanation))
        return
    rows = [_row(group) for group in groups]
    if len(groups) == 1:
        yield "  " + "   ".join(part for part in rows[0] if part)
        yield f"  {categories(groups[0])}"
        yield from (f"  {text}" for text in _sure(groups[0]))
        return
    header = ("benchmark", "metric", "n", "left -> right", "difference", "verdict", "p")
    yield Table(header, [(*row[:2], row[2].removeprefix("n "), *row[3:]) for row in rows], frozenset({2}))
    yield ""
    for group in groups:
        yield f"  {title(group)}: {categories(group)}"
        yield from (f"    {text}" for text in _sure(group))
    left = len(value.groups) - len(groups)
    if left:
        yield f"  {counted(left, 'group')} more without a pair"


def _row(group: Group) -> tuple[str, ...]:
    pairs = (group.means or group.accuracy).pairs
    return (
        title(group),
        group.metric,
        f"n {pairs:,}",
        change(group),
        delta(group),
        group.verdict or "n/a",
        p_of(group.statistics),
    )


def _sure(group: Group) -> list[str]:
    said = [part for part in (unit_of(group.statistics), *certainty(group)) if part]
    return [" · ".join(said)] if said else []
