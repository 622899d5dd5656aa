"""Logs to measure with: a multiple-choice harness log with three hashes a line, and small canonical records."""

from __future__ import annotations

import hashlib
import json
import random
from pathlib import Path

_TEXT = """the a of and to in is was for on as with by at from which river mountain city year first second people water
light number animal music history science letter answer question evidence : , . because although during between"""
_WORDS = _TEXT.split()


def _sentence(draw: random.Random, words: int) -> str:
    return " ".join(draw.choices(_WORDS, k=words))


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def harness_line(number: int, draw: random.Random) -> str:
    """One line as lm-evaluation-harness 0.4.13 logs a question with four choices, about 2.5 KB."""
    question, choices = _sentence(draw, 45), [_sentence(draw, 4) for _ in range(4)]
    doc = {
        "question_id": f"q{number:08d}",
        "question": question,
        "choices": choices,
        "answer": number % 4,
        "category": "demo",
    }
    context, target = f"Question: {question}\nAnswer:", str(number % 4)
    pairs = [[str(-40 * draw.random()), str(draw.random() < 0.3)] for _ in choices]
    line = {
        "doc_id": number,
        "doc": doc,
        "target": target,
        "arguments": {f"gen_args_{at}": {"arg_0": context, "arg_1": f" {text}"} for at, text in enumerate(choices)},
        "resps": [[pair] for pair in pairs],
        "filtered_resps": pairs,
        "filter": "none",
        "metrics": ["acc", "acc_norm"],
        "doc_hash": _sha256(json.dumps(doc, indent=2, ensure_ascii=False)),
        "prompt_hash": _sha256(context),
        "target_hash": _sha256(target),
        "acc": float(draw.random() < 0.6),
        "acc_norm": float(draw.random() < 0.65),
    }
    return json.dumps(line, ensure_ascii=False) + "\n"


def harness_log(path: Path, size_bytes: int, seed: int = 1) -> int:
    """The file holds a log of about this size; returns its number of lines."""
    draw, written, number = random.Random(seed), 0, 0
    with path.open("w", encoding="utf-8", newline="\n") as out:
        while written < size_bytes:
            line = harness_line(number, draw)
            out.write(line)
            written += len(line.encode())
            number += 1
    return number


def small_records(path: Path, count: int) -> None:
    """The file holds as many canonical records of about 100 bytes."""
    with path.open("w", encoding="utf-8", newline="\n") as out:
        for number in range(count):
            right = "true" if number * 2654435761 % 100 < 60 else "false"
            out.write(
                f'{{"question_id":"q{number:08d}","variant_id":"original","benchmark":"demo","correct":{right}}}\n'
            )
