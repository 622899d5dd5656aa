"""Random texts through the language front-end and through the public CogLang package: where do the two differ?

    python benchmarks/coglang_parity.py --reference PYTHON [--count 20000] [--seed 1]

PYTHON is the interpreter of a virtual environment of its own with `coglang==1.1.6`. Compared are the verdict, the
canonical text or the error with its position, the partial expression, validity, heads, hallucinated heads and the whole
preflight decision. The one documented difference, quotes and backslashes in dict keys, is undone before texts are
compared, and counted. Exit 1 if anything else differs.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "src"))

from itemproof.coglang.ast import Application, Value
from itemproof.coglang.failure import ParseFailure
from itemproof.coglang.preflight import preflight
from itemproof.coglang.printer import canonical
from itemproof.coglang.reading import read
from itemproof.coglang.vocabulary import VOCABULARY

_REFERENCE = """
import json, sys
import coglang
for line in sys.stdin:
    text = json.loads(line)
    answer = {}
    try:
        parsed = coglang.parse(text)
        answer["canonical"] = coglang.canonicalize(parsed)
        answer["partial"] = None if parsed.partial is None else coglang.canonicalize(parsed.partial)
        answer["valid"] = parsed.head != "ParseError" and bool(coglang.valid_coglang(parsed))
        answer["preflight"] = coglang.preflight_expression(text).to_dict()
        case = coglang.GenerationEvalCase("c", "L1", "", "", [parsed.head])
        scored = coglang.score_generation_eval([case], {"c": text}, answer_source="x")["cases"][0]
        answer["hallucinated"] = scored["hallucinated_heads"]
        answer["parse_ok"] = scored["parse_ok"]
    except (RecursionError, UnicodeEncodeError) as error:
        answer = {"crash": type(error).__name__}
    print(json.dumps(answer))
"""

_HEADS = [*VOCABULARY, "Foo", "f", "Equal2", "Éq", "Foo_Bar", "a.b"]
_TEXTS = ["a", "born in", 'q"q', "b\\s", "\\n", "nl\n", "é", "变量", "\u2028", "a]b", "", " ", "{", "\t", "😀"]
_WORDS = [
    "a",
    "Abc",
    "True",
    "null",
    "+1",
    "1e5",
    "--1",
    "0x10",
    "1_000",
    "²",
    "'a'",
    "\u00a01",
    "-",
    ".",
    "inf",
    "f.g",
]
_NUMBERS = [
    "0",
    "-7",
    "007",
    "-0",
    "1.",
    ".5",
    "-.5",
    "-0.0",
    "\u0663",
    "1.\u0665",
    "0.00001",
    "1" * 30,
    "9" * 400 + ".",
    "12.50",
]
_VARIABLES = ["_", "x_", "__", "1_", "é_", "X_y_", "-_"]
_MARKS = ["[", "]", "{", "}", ",", ":", '"', "\\", " ", "\n", "`", "(", ")", ";", "\ufeff", "\u00a0", "\v"]


class _Writer:
    """Random texts of several kinds from one seeded source."""

    def __init__(self, draw: random.Random) -> None:
        self.draw = draw

    def quoted(self) -> str:
        text = "".join(self.draw.choices(_TEXTS, k=self.draw.randint(0, 2)))
        return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'

    def value(self, depth: int) -> str:
        roll = self.draw.random()
        if depth > 0 and roll < 0.45:
            return self.application(depth)
        if depth > 0 and roll < 0.55:
            entries = (f"{self.quoted()}: {self.value(depth - 1)}" for _ in range(self.draw.randint(0, 3)))
            return "{" + ", ".join(entries) + "}"
        return self.draw.choice([self.quoted(), *(self.draw.choice(x) for x in (_WORDS, _NUMBERS, _VARIABLES))])

    def application(self, depth: int) -> str:
        separator = self.draw.choice([", ", ", ", ", ", ",", " ", " , ", ",\n"])
        arguments = (self.value(depth - 1) for _ in range(self.draw.choice([0, 1, 1, 2, 2, 3, 4])))
        return f"{self.draw.choice(_HEADS)}[{separator.join(arguments)}]"

    def expression(self) -> str:
        return self.application(self.draw.randint(1, 5))

    def mutated(self) -> str:
        text = list(self.expression())
        for _ in range(self.draw.randint(1, 4)):
            at = self.draw.randrange(len(text) + 1)
            text[at : at + self.draw.randint(0, 1)] = self.draw.choice([[], [self.draw.choice(_MARKS)]])
        return "".join(text)

    def soup(self) -> str:
        parts = [_MARKS, _WORDS, _NUMBERS, _VARIABLES, _HEADS, ["List[", '{"a":', "]", "]", "}"]]
        return "".join(self.draw.choice(self.draw.choice(parts)) for _ in range(self.draw.randint(0, 14)))

    def wrapped(self) -> str:
        form = self.draw.choice(
            [
                "```\n{}\n```",
                "Sure! {}",
                "{};",
                "({})",
                "`{}`",
                '"{}"',
                "{0} {0}",
                "{}]",
                " {} ",
                "{}.",
                "Do[{}",
                "x {}",
            ]
        )
        return form.replace("{0}", "{}").replace("{}", self.expression())

    def deep(self) -> str:
        levels = self.draw.randint(5, 240)
        opening = self.draw.choice(["List[", "Traverse[", 'Do[{"a": ', "Foo["])
        closing = "}]" if "{" in opening else "]"
        return opening * (levels // len(closing)) + "1" + closing * self.draw.choice([levels // len(closing), levels])

    def characters(self) -> str:
        ranges = [(32, 126), (0, 255), (0x100, 0x2FFF), (0x10000, 0x1FFFF)]
        pick = (chr(self.draw.randint(*self.draw.choice(ranges))) for _ in range(self.draw.randint(0, 12)))
        return "".join(pick) + self.draw.choice(["", "[1]", "[]"])

    def long_number(self) -> str:
        return f"List[{self.draw.choice(['', '-', '0'])}{'7' * self.draw.randint(4295, 4303)}]"


def texts(count: int, seed: int) -> Iterator[str]:
    """The texts: mostly well-formed, many damaged, some noise."""
    writer = _Writer(random.Random(seed))
    kinds: list[Callable[[], str]] = [writer.expression, writer.mutated, writer.soup, writer.wrapped, writer.characters]
    weights = [30, 35, 20, 12, 8]
    for _ in range(count):
        kind = writer.draw.choices([*kinds, writer.deep, writer.long_number], [*weights, 2, 0.2])[0]
        yield kind()


def _as_reference(value: Value) -> str:
    """The canonical text with dict keys as the reference leaves them."""
    if isinstance(value, Application):
        return f"{value.head}[{', '.join(map(_as_reference, value.arguments))}]"
    if isinstance(value, dict):
        return "{" + ", ".join(f'"{key}": {_as_reference(value[key])}' for key in sorted(value)) + "}"
    return canonical(value)


def ours(text: str) -> dict[str, Any]:
    """The same facts as the reference gives about a text."""
    reading = read(text)
    parsed = reading.parsed
    partial = parsed.partial if isinstance(parsed, ParseFailure) else None
    written = reading.canonical if isinstance(parsed, ParseFailure) else _as_reference(parsed)
    return {
        "canonical": written,
        "partial": None if partial is None else _as_reference(partial),
        "valid": reading.is_valid,
        "preflight": preflight(reading).as_json(reading),
        "hallucinated": reading.hallucinated,
        "parse_ok": not reading.is_failure,
        "escaped": reading.canonical != written,
    }


def _reference(python: str, inputs: list[str]) -> list[dict[str, Any]]:
    done = subprocess.run(
        [python, "-c", _REFERENCE],
        input="".join(json.dumps(text) + "\n" for text in inputs),
        capture_output=True,
        check=True,
        text=True,
        encoding="utf-8",
    )
    return [json.loads(line) for line in done.stdout.splitlines()]


def _differences(mine: dict[str, Any], theirs: dict[str, Any]) -> dict[str, Any]:
    if mine.pop("escaped"):
        for side in (mine, theirs):
            side["preflight"]["effect_summary"].pop("expression_hash")
    return {key: (mine[key], theirs[key]) for key in mine if mine[key] != theirs[key]}


def main() -> None:
    """Prints the counts and the first differences."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--reference", required=True, help="the interpreter that has coglang 1.1.6")
    options.add_argument("--count", type=int, default=20_000)
    options.add_argument("--seed", type=int, default=1)
    given = options.parse_args()
    inputs = list(texts(given.count, given.seed))
    answers = _reference(given.reference, inputs)
    crashes = parsed = escaped = differing = 0
    for text, theirs in zip(inputs, answers, strict=True):
        if "crash" in theirs:
            crashes += 1
            continue
        mine = ours(text)
        parsed += mine["parse_ok"]
        escaped += mine["escaped"]
        if found := _differences(mine, theirs):
            differing += 1
            if differing <= 10:
                print(json.dumps(text)[:300], json.dumps(found)[:600], sep="\n  ")
    print(f"texts {given.count} (seed {given.seed}) · distinct {len(set(inputs))} · parsed {parsed}")
    print(f"reference crashed on {crashes} · keys escaped in {escaped} (documented) · other differences {differing}")
    sys.exit(1 if differing else 0)


if __name__ == "__main__":
    main()
