"""One wording of a paired line: its `original` or `rephrased` object, checked and sorted into a record's fields."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from itemproof.adapters.choices import Choices, described
from itemproof.adapters.fields import BAD_TEXT, CONFLICT, CommonFields
from itemproof.core.findings import Code, Finding
from itemproof.core.where import Where

__all__ = ["ORIGINAL", "REPHRASED", "Wording", "check_context", "read_wording", "text_at", "texts_at"]

BAD_RESPONSE: Final = Code("P002", "a generated_text is no text")
METRIC_TWICE: Final = Code("P003", "a wording gives one metric twice")

#: The names of the two objects, and of their variants where nothing else is said.
ORIGINAL: Final = "original"
REPHRASED: Final = "rephrased"

_INPUT: Final = ("question", "prompt", "choices", "document", "arguments")
_ARRAYS: Final = ("logprobs", "logprobs_norm", "logprobs_pmi")
_PREDICTIONS: Final = {"pred_acc": "index", "pred_acc_norm": "index_norm", "pred_acc_pmi": "index_pmi"}
#: What the line says for both wordings; one of them may repeat it and may not contradict it.
_CONTEXT: Final = ("benchmark", "language", "script", "filter", "repeat_id")
_NO_METRICS: Final = frozenset(
    (
        *_INPUT,
        *_ARRAYS,
        *_PREDICTIONS,
        *_CONTEXT,
        "correct_index",
        "generated_text",
        "metrics",
        "rephrasing_model",
        "variant_id",
        "warnings",
    )
)


@dataclass(slots=True)
class Wording:
    """One wording, sorted.

    Attributes:
        name: `original` or `rephrased`.
        path: Its JSON path.
        choices: What was given as choices, or None.
        counted: The choices, as far as they are known, for checking further indices.
        has_key: Whether the wording speaks of its answer key, be it null.
        key: The index of its right answer, or None.
        chosen: The index that `pred_acc` names, or None.
        variant_id: Its own name, or None.
        rephrasing_model: The model that wrote it, or None.
        input: What the model was shown.
        prediction: The indices that were predicted, or None.
        scores: The arrays of measurements.
        metrics: Everything else the producer says about it, unchanged.
        response: The generated text, or None.
        warnings: The producer's.
    """

    name: str
    path: str
    choices: Any
    counted: Choices
    has_key: bool
    key: int | None
    chosen: int | None
    variant_id: str | None
    rephrasing_model: str | None
    input: dict[str, Any]
    prediction: dict[str, int] | None
    scores: dict[str, Any]
    metrics: dict[str, Any]
    response: str | None
    warnings: list[str] = field(default_factory=list)


def read_wording(given: Mapping[str, Any], name: str, faults: list[Finding]) -> Wording:
    """The wording of an object; its faults are put into `faults` (P002, P003, R001, R020 to R023).

    Args:
        given: The object.
        name: Its key on the line.
        faults: Where faults are put.
    """
    path = f"$.{name}"
    choices = given.get("choices")
    counted = Choices(choices, f"{path}.choices", faults)
    scores = {key: given[key] for key in _ARRAYS if given.get(key) is not None}
    for key, array in scores.items():
        counted.array(array, f"{path}.{key}")
    predicted = {key: counted.index(given.get(source), f"{path}.{source}") for source, key in _PREDICTIONS.items()}
    prediction = {key: index for key, index in predicted.items() if index is not None}
    return Wording(
        name=name,
        path=path,
        choices=choices,
        counted=counted,
        has_key="correct_index" in given,
        key=counted.index(given.get("correct_index"), f"{path}.correct_index"),
        chosen=predicted["index"],
        variant_id=text_at(given.get("variant_id"), f"{path}.variant_id", faults),
        rephrasing_model=text_at(given.get("rephrasing_model"), f"{path}.rephrasing_model", faults),
        input={key: given[key] for key in _INPUT if given.get(key) is not None},
        prediction=prediction or None,
        scores=scores,
        metrics=_metrics(given, path, faults),
        response=_response(given.get("generated_text"), f"{path}.generated_text", faults),
        warnings=texts_at(given.get("warnings"), f"{path}.warnings", faults),
    )


def check_context(given: Mapping[str, Any], path: str, common: CommonFields, faults: list[Finding]) -> None:
    """Checks that a wording says nothing else of its context than the line (R002)."""
    for name in _CONTEXT:
        found, due = given.get(name), getattr(common, name)
        if found is not None and (found != due or isinstance(found, bool)):
            text = f"found {described(found)}, but the line has {described(due)}; both wordings share the line's."
            faults.append(Finding(CONFLICT, text, Where(path=f"{path}.{name}")))


def text_at(found: Any, path: str, faults: list[Finding]) -> str | None:
    """The text, or None where it is null, blank or none (R001)."""
    if found is None or (isinstance(found, str) and found and not found.isspace()):
        return found
    faults.append(Finding(BAD_TEXT, f"found {described(found)}, expected a text that is not blank.", Where(path=path)))
    return None


def texts_at(found: Any, path: str, faults: list[Finding]) -> list[str]:
    """The list of texts, empty where it is null or none (R001)."""
    if found is None:
        return []
    if isinstance(found, list) and all(isinstance(text, str) for text in found):
        return found
    faults.append(Finding(BAD_TEXT, f"found {described(found)}, expected a list of texts.", Where(path=path)))
    return []


def _response(found: Any, path: str, faults: list[Finding]) -> str | None:
    if found is None or isinstance(found, str):
        return found
    faults.append(Finding(BAD_RESPONSE, f"found {described(found)}, expected a text or null.", Where(path=path)))
    return None


def _metrics(given: Mapping[str, Any], path: str, faults: list[Finding]) -> dict[str, Any]:
    """What `metrics` holds, if it is an object, and all that the wording has no other place for."""
    listed = given.get("metrics")
    metrics = dict(listed) if isinstance(listed, dict) else {} if listed is None else {"metrics": listed}
    for name, value in given.items():
        if name in _NO_METRICS:
            continue
        if name in metrics:
            text = f"found {name!r} here and in {path}.metrics; remove one of the two."
            faults.append(Finding(METRIC_TWICE, text, Where(path=f"{path}.{name}")))
        metrics[name] = value
    return metrics
