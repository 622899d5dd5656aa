"""Which keys of a harness line are metrics, which are the harness's own, and which a producer added.

Lines of one file share few layouts, so each is worked out once and remembered by the keys of the line and its document.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from itemproof.adapters.base import FileContext
from itemproof.adapters.fields import ID_PLACES, IdPlace, line_refused
from itemproof.core.findings import Code
from itemproof.records.record import FIELDS

__all__ = ["PMI", "Layout", "Layouts", "harness_version", "pmi_is_doubtful"]

BAD_METRICS: Final = Code("H002", "metrics are neither a list of names nor an object")
NO_LOG_LINE: Final = Code("H003", "a line lacks what every harness line has")

#: The metric whose requests lm-eval 0.4.5 to 0.4.8 read in the wrong order, and all accuracies of its task with it.
PMI: Final = "acc_mutual_info"

#: The harness's own keys of a line, in every version.
_BASE: Final = frozenset(
    (
        *("doc_id", "doc", "target", "arguments", "resps", "filtered_resps", "filter", "metrics"),
        *("doc_hash", "prompt_hash", "target_hash"),
    )
)
#: Keys that go to `input` where a line has them.
_ASKED: Final = ("question", "prompt", "choices")
_RESPONSES: Final = ("resps", "filtered_resps")
#: Fields of the record that are made of other keys of the line: a key of that name cannot stand beside them.
_MADE: Final = frozenset({"input", "prediction", "correct", "scores", "response"})
#: Fields of the record that a line may set, or that the import sets; no metric has such a name unless it is listed.
_SET: Final = frozenset(FIELDS) - _MADE - _BASE
#: Fields that only the import can know: a line's own value cannot stand there either.
_OF_THE_IMPORT: Final = frozenset({"schema_version", "source"})
_ID_KEYS: Final = frozenset({"id", "original_question_id", "question_id"})
_COMMON: Final = frozenset({"benchmark", "language", "script", "variant_id", "rephrasing_model"})
_COMMON_ON_LINE: Final = _COMMON | {"model", "run_id", "repeat_id"}

_REMEMBERED: Final = 256
_VERSION: Final = re.compile(r"(\d{1,4})\.(\d{1,4})\.(\d{1,4})")


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """What the keys of a line, and the names it lists as metrics, mean.

    Attributes:
        listed: The names under `metrics`: a list, a tuple where they are the keys of an object, or None.
        metrics: The metrics that the line has, in the order of the list, else of the line.
        extras: The producer's own keys, which follow the record's fields.
        asked: The keys that go to `input`.
        responses: The keys that go to `response`.
        lost: Keys that stay in the raw file only, because a field of the record has their name.
        is_plain: Whether line and document leave every common field but the filter, and the scope, to the import.
        has_scope: Whether the line says how far its identity reaches.
        id_places: The places of the identity look-up that line or document has, in its order.
        has_pmi: Whether the line has the metric `acc_mutual_info`.
    """

    listed: list[str] | tuple[str, ...] | None
    metrics: tuple[str, ...]
    extras: tuple[str, ...]
    asked: tuple[str, ...]
    responses: tuple[str, ...]
    lost: tuple[str, ...]
    is_plain: bool
    has_scope: bool
    id_places: tuple[IdPlace, ...]
    has_pmi: bool


class Layouts:
    """Finds the layout of each line of one file.

    Args:
        context: The file; keys that an id field names are no metrics.
    """

    def __init__(self, context: FileContext) -> None:
        selection = context.options.ids
        fields = [*selection.everywhere, *(field for fields in selection.by_benchmark.values() for field in fields)]
        self._no_metrics = _BASE | _SET | _ID_KEYS | {*_ASKED} | {field.parts[0] for field in fields}
        self._known: dict[tuple[str | None, ...], Layout] = {}
        self._last: tuple[list[str], list[str], Layout] | None = None

    def of(self, line: Mapping[str, Any], doc: Any) -> Layout:
        """The layout of a line with its document.

        Raises:
            LineRefused: It lacks a document or every response (H003), or its metrics are in no known form (H002).
        """
        listed = line.get("metrics")
        last = self._last
        if (
            last is not None
            and type(doc) is dict
            and [*line] == last[0]
            and [*doc] == last[1]
            and listed == last[2].listed
        ):
            return last[2]
        key = (*line, None, *doc) if type(doc) is dict else (*line,)
        layout = self._known.get(key)
        if type(listed) is dict:
            listed = (*listed,)
        if doc is None or layout is None or layout.listed != listed:
            layout = self._made(line, doc, listed)
            if len(self._known) < _REMEMBERED:
                self._known[key] = layout
        if type(doc) is dict:
            self._last = ([*line], [*doc], layout)
        return layout

    def _made(self, line: Mapping[str, Any], doc: Any, listed: Any) -> Layout:
        if doc is None or not any(key in line for key in _RESPONSES):
            raise line_refused(NO_LOG_LINE, "$", "expected a document under doc, and resps, filtered_resps or both.")
        if listed is not None and not (isinstance(listed, list | tuple) and all(type(name) is str for name in listed)):
            text = "expected the list of the names of the line's metrics, or an object of metrics by name."
            raise line_refused(BAD_METRICS, "$.metrics", text)
        metrics = self._metrics(line, listed)
        names = frozenset() if type(listed) is tuple else frozenset(metrics)
        others = [
            key for key in line if key not in names and key not in _BASE and key not in _SET and key not in _ASKED
        ]
        kept_raw = [key for key in line if key in _OF_THE_IMPORT and key not in names]
        has_scope = "identity_scope" in line and "identity_scope" not in names
        within = frozenset(doc) if type(doc) is dict else frozenset()
        return Layout(
            listed=listed,
            metrics=metrics,
            extras=tuple(key for key in others if key not in _MADE),
            asked=tuple(key for key in _ASKED if key in line and key not in names),
            responses=tuple(key for key in _RESPONSES if key in line),
            lost=(*(key for key in others if key in _MADE), *kept_raw),
            has_scope=has_scope,
            is_plain=not has_scope and _COMMON_ON_LINE.isdisjoint(line) and _COMMON.isdisjoint(within),
            id_places=tuple(place for place in ID_PLACES if place.key in (within if place.in_doc else line)),
            has_pmi=PMI in metrics,
        )

    def _metrics(self, line: Mapping[str, Any], listed: list[str] | tuple[str, ...] | None) -> tuple[str, ...]:
        if listed is None:
            return tuple(key for key in line if key not in self._no_metrics)
        return listed if isinstance(listed, tuple) else tuple(dict.fromkeys(name for name in listed if name in line))


def harness_version(context: FileContext) -> str | None:
    """The version that wrote the file: of its results file, else of the run's producer; None before 0.4.9 as a rule."""
    found = None if context.results is None else context.results.get("lm_eval_version")
    if isinstance(found, str):
        return found
    producer = context.metadata.get("producer")
    version = producer.get("version") if isinstance(producer, Mapping) else None
    return version if isinstance(version, str) else None


def pmi_is_doubtful(version: str | None) -> bool:
    """Whether lines with `acc_mutual_info` may hold wrong accuracies: 0.4.5 to 0.4.8, or a version that is unknown."""
    match = None if version is None else _VERSION.match(version)
    return match is None or (0, 4, 5) <= tuple(map(int, match.groups())) <= (0, 4, 8)
