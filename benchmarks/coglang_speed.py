"""Speed of the language front-end: hostile texts one by one, then answers by the thousand.

    python benchmarks/coglang_speed.py [--answers FILE.jsonl]

Times are processor seconds. Hostile: 100,000 characters made of one character or short piece, bare, inside brackets, in
a dict and inside an open string. From the text to the decision each may take 0.2 s; a time with all diagnostics, which
is made on demand, is told only. Answers: generated ones, or the `output` of each line of FILE.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "src"))

from itemproof.coglang.diagnostics import diagnose
from itemproof.coglang.parser import parse
from itemproof.coglang.preflight import preflight
from itemproof.coglang.printer import expression_hash
from itemproof.coglang.reading import read
from itemproof.coglang.tree import tree_json
from itemproof.coglang.validate import check_specification, validate

_SIZE = 100_000
_LIMIT_S = 0.2
_CHARACTERS = "[]{},:\"\\_-.0aA '`\n\t\r\u00e9\u0663\u4e2d\u2028\ud800\U0001f600"
_UNITS = ["A[", "[]", '{"a":', 'A[{"', "x_,", "1,", '"",', "\\\\", '\\"', "Do[],", "Foo[1],", "Unify[", "a ", "``` "]
_FORMS = {"bare": "{}", "in brackets": "List[{}]", "in an open string": 'List["{}', "in a dict": 'List[{{"k": {}}}]'}


def _everything(text: str) -> None:
    reading = read(text)
    tree_json(reading.parsed)
    expression_hash(reading.canonical)
    preflight(reading).as_json(reading)
    diagnose(reading)
    if reading.survey is not None:
        validate(reading.survey, text)
        check_specification(reading.survey, text)
    else:
        str(getattr(reading.parsed, "finding", ""))


def _timed(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def hostile() -> bool:
    """Whether every hostile text stayed under the limit; prints the slowest."""
    times: list[tuple[float, float, str]] = []
    for unit in [*_CHARACTERS, *_UNITS]:
        for name, form in _FORMS.items():
            text = form.format(unit * (_SIZE // len(unit)))
            scored = _timed(lambda text=text: preflight(read(text)))  # type: ignore[misc]
            times.append((scored, _timed(lambda text=text: _everything(text)), f"{unit!a} {name}"))  # type: ignore[misc]
    times.sort(reverse=True)
    print(f"{len(times)} hostile texts of {_SIZE:,} characters; the slowest (parse to decision, with all diagnostics):")
    for scored, everything, name in times[:6]:
        print(f"  {scored:6.3f} s  {everything:6.3f} s  {name}")
    print(f"  slowest with all diagnostics: {max(everything for _, everything, _ in times):.3f} s")
    return times[0][0] < _LIMIT_S


def _generated(count: int) -> list[str]:
    draw = random.Random(1)
    forms = [
        'Create["Entity", {{"id": "n{0}", "size": {0}}}]',
        'Do[Traverse["n{0}", "born_in"], Get[x_, "name"]]',
        "If[Equal[{0}, 1], List[{0}, {0}], NotFound[]]",
        'Query[n_, Equal[Get[n_, "k"], {0}], {{"k": {0}}}]',
        "Sure! Equal[{0}, {0}]",
        "Foo[{0}",
    ]
    return [draw.choice(forms).format(draw.randrange(10**6)) for _ in range(count)]


def answers(texts: Sequence[str]) -> None:
    """Prints texts per second for each stage, the best of three."""
    stages: dict[str, Callable[[str], object]] = {
        "parse": parse,
        "read (parse, canonical, validity, heads)": read,
        "read and preflight": lambda text: preflight(read(text)).decision,
    }
    for name, stage in stages.items():
        best = min(_timed(lambda stage=stage: [stage(text) and None for text in texts]) for _ in range(3))  # type: ignore[misc]
        print(f"  {name:42} {best:6.3f} s  {len(texts) / best:10,.0f} texts/s")


def main() -> None:
    """Both parts; exit 1 if a hostile text was slow."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--answers", type=Path, help="JSON Lines with `output`, `text` or `completion`")
    given = options.parse_args()
    quick = hostile()
    if given.answers:
        lines = [json.loads(line) for line in given.answers.read_text(encoding="utf-8").split("\n") if line]
        texts = [line.get("output", line.get("text", line.get("completion"))) for line in lines]
    else:
        texts = _generated(20_000)
    print(f"{len(texts):,} answers, {sum(map(len, texts)):,} characters")
    answers(texts)
    sys.exit(0 if quick else 1)


if __name__ == "__main__":
    main()
