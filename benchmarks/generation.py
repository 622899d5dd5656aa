"""generation-eval beside the public CogLang package: how long, how much memory, and the same figures?

    python -m benchmarks.generation --reference PYTHON [--fixture FILE --responses FILE] [--rounds 5] [--lines 1000000]

PYTHON is the interpreter of a virtual environment of its own with `coglang==1.1.6`. Without files, twenty thousand
cases are made of the package's own and answered well and badly. Whole commands are measured in turn, ours with
judgements kept for answers that repeat and without (`--remember 0`). Then so many responses, of which a hundred answer
a case, show whether memory grows with them.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.measure import Cost, machine, python

_SAME = ("summary", "level_summary", "maturity", "failure_cases")


def _timed(command: list[str]) -> Cost:
    """The cost of a command that may end with 1."""
    program = (
        "import os, resource, subprocess, sys, time\n"
        "start = time.perf_counter()\n"
        "done = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)\n"
        "wall = time.perf_counter() - start\n"
        "usage = resource.getrusage(resource.RUSAGE_CHILDREN)\n"
        "assert done.returncode in (0, 1), done.returncode\n"
        "print(wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)"
    )
    said = subprocess.run([sys.executable, "-c", program, *command], check=True, capture_output=True, text=True)
    return Cost(*map(float, said.stdout.split()))


def _document(command: list[str]) -> Any:
    return json.loads(subprocess.run(command, capture_output=True, check=False).stdout)


def _command(module: list[str], fixture: Path, responses: Path, *more: str) -> list[str]:
    files = ["--fixture", str(fixture), "--responses-file", str(responses)]
    return [*module, "generation-eval", *files, "--summary-only", *more]


def _made(folder: Path, count: int = 20_000) -> tuple[Path, Path]:
    """A fixture of so many cases and answers to them: most right, some respaced, wrapped, cut or of another case."""
    from itemproof.generation.fixture import packaged_file

    given = json.loads(packaged_file().read_text(encoding="utf-8"))
    draw = random.Random(1)
    cases = [{**given["cases"][number % len(given["cases"])], "case_id": f"case-{number}"} for number in range(count)]
    fixture, responses = folder / "fixture.json", folder / "responses.jsonl"
    fixture.write_text(json.dumps({**given, "cases": cases}), encoding="utf-8")
    with responses.open("w", encoding="utf-8") as out:
        for case in cases:
            right = case["reference_expr"]
            kinds = [right, right.replace(",", " ,"), f"```\n{right}\n```", right[: len(right) // 2], f"Foo[{right}]"]
            output = draw.choices([*kinds, draw.choice(cases)["reference_expr"]], [60, 8, 8, 8, 8, 8])[0]
            out.write(json.dumps({"case_id": case["case_id"], "output": output, "model": "m"}) + "\n")
    return fixture, responses


def _many(folder: Path, count: int) -> Path:
    """So many responses, of which a hundred answer a case."""
    path = folder / f"{count}.jsonl"
    with path.open("w", encoding="utf-8") as out:
        for number in range(count):
            out.write(json.dumps({"case_id": f"case-{number}", "output": "Equal[1, 1]", "model": "m"}) + "\n")
    return path


def _shown(name: str, costs: list[Cost], reference: list[Cost]) -> str:
    wall, cpu = (
        median(getattr(one, what) / getattr(mine, what) for one, mine in zip(reference, costs, strict=True))
        for what in ("wall_s", "cpu_s")
    )
    return (
        f"{name}: {median(one.wall_s for one in costs):.2f} s, processor {median(one.cpu_s for one in costs):.2f} s, "
        f"{max(one.peak_mb for one in costs):.0f} MB; {wall:.1f} times as fast by the clock, {cpu:.1f} by the processor"
    )


def main() -> None:
    """Prints the figures; ends with 1 if the results differ."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--reference", required=True, help="the interpreter that has coglang 1.1.6")
    options.add_argument("--fixture", type=Path)
    options.add_argument("--responses", type=Path)
    options.add_argument("--rounds", type=int, default=5)
    options.add_argument("--lines", type=int, default=1_000_000)
    given = options.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        made = _made(folder)
        fixture, responses = (given.fixture or made[0]), (given.responses or made[1])
        theirs = _command([given.reference, "-m", "coglang"], fixture, responses)
        kept = _command(python("-m", "itemproof"), fixture, responses, "--json")
        fresh = _command(python("-m", "itemproof"), fixture, responses, "--json", "--remember", "0")
        due, found, again = map(_document, (theirs, kept, fresh))
        differ = [key for key in _SAME if json.dumps(due[key]) != json.dumps(found[key])]
        print(machine())
        print(
            f"{found['case_count']:,} cases; differing: {', '.join(differ) or 'nothing'}; repeatable: {found == again}"
        )
        costs: dict[str, list[Cost]] = {"reference": [], "ours": [], "ours, nothing remembered": []}
        for _ in range(given.rounds):
            for key, command in zip(costs, (theirs, kept, fresh), strict=True):
                costs[key].append(_timed(command))
        for key, one in costs.items():
            print(_shown(key, one, costs["reference"]))
        small = {"cases": json.loads(made[0].read_text(encoding="utf-8"))["cases"][:100]}
        few = folder / "hundred.json"
        few.write_text(json.dumps({"schema_version": found["fixture_schema_version"], **small}), encoding="utf-8")
        for count in (given.lines // 10, given.lines):
            cost = _timed(_command(python("-m", "itemproof"), few, _many(folder, count), "--json"))
            print(f"{count:,} responses: {cost.wall_s:.1f} s, {cost.peak_mb:.0f} MB")
    sys.exit(1 if differ or found != again else 0)


if __name__ == "__main__":
    main()
