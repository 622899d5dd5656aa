"""Lines as lm-evaluation-harness writes them, version by version, with digests made by the standard library alone."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from typing import Any

from itemproof.adapters.base import Decisions, FileContext
from normalising import file_context

CHOICES = ("a red fox", "a grey fox", "no fox")
PROMPT = "Question: which fox?\nAnswer:"


def digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


def harness_context(
    *,
    task: str | None = "foxes",
    results: dict[str, Any] | None = None,
    decisions: Decisions | None = None,
    **options: Any,
) -> FileContext:
    """As `file_context`, of a task."""
    return replace(file_context(**options), task=task, results=results, decisions=decisions or Decisions())


def hashed(line: dict[str, Any]) -> dict[str, Any]:
    """The line with the three digests of what stands on it, where the harness puts them."""
    arguments = line["arguments"]
    first = list(next(iter(arguments.values())).values()) if isinstance(arguments, dict) else arguments[0]
    prompt = first[0][0] if isinstance(first[0], list) else first[0]
    hashes = {
        "doc_hash": digest(json.dumps(line["doc"], indent=2, ensure_ascii=False)),
        "prompt_hash": digest(prompt),
        "target_hash": digest(str(line["target"])),
    }
    return {**line, **hashes}


def gen_args(*requests: tuple[Any, ...]) -> dict[str, dict[str, Any]]:
    """The arguments of requests in the form of 0.4.3 and later."""
    return {
        f"gen_args_{number}": {f"arg_{place}": value for place, value in enumerate(request)}
        for number, request in enumerate(requests)
    }


def choice_line(number: int = 0, **changes: Any) -> dict[str, Any]:
    """A multiple-choice line of 0.4.13; keywords change it before the digests are made."""
    leaves = [["-3.5", "False"], ["-0.25", "True"], ["-12.0", "False"]]
    line: dict[str, Any] = {
        "doc_id": number,
        "doc": {"id": f"q{number}", "question": "which fox?", "choices": list(CHOICES), "answer": 1},
        "target": "1",
        "arguments": gen_args(*((PROMPT, f" {choice}") for choice in CHOICES)),
        "resps": [[leaf] for leaf in leaves],
        "filtered_resps": leaves,
        "filter": "none",
        "metrics": ["acc", "acc_norm"],
        "acc": 1.0,
        "acc_norm": 0.0,
    }
    return hashed({**line, **changes})


def text_line(number: int = 0, **changes: Any) -> dict[str, Any]:
    """A generation line of 0.4.13 whose document carries no id."""
    line: dict[str, Any] = {
        "doc_id": number,
        "doc": {"question": f"{number} + 1?"},
        "target": str(number + 1),
        "arguments": gen_args((f"{number} + 1 =", {"until": ["\n"]})),
        "resps": [[f"it is {number + 1}", "dunno"]],
        "filtered_resps": [str(number + 1)],
        "filter": "strict-match",
        "metrics": ["exact_match"],
        "exact_match": 1.0,
    }
    return hashed({**line, **changes})


def as_version(line: dict[str, Any], version: str) -> dict[str, Any]:
    """A multiple-choice line of 0.4.13 as an earlier version would have written it."""
    if version == "0.4.13":
        return line
    older = {key: value for key, value in line.items() if key not in {"filter", "metrics"}}
    if version == "0.4.5":
        return older
    older["target"] = int(line["target"])
    if version == "0.4.3":
        return older
    assert version == "0.4.0"
    leaves = [[float(number), flag == "True"] for number, flag in line["filtered_resps"]]
    older["arguments"] = [[*request.values()] for request in line["arguments"].values()]
    older |= {"resps": [[leaf] for leaf in leaves], "filtered_resps": leaves}
    return {key: value for key, value in older.items() if not key.endswith("_hash")}
