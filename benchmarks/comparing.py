"""`itemproof compare` of two archived runs: `python -m benchmarks.comparing [--records 1000000]`.

Beside it stands what DuckDB needs to read both record files, if it is installed.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import random
import tempfile
from pathlib import Path
from statistics import median

from benchmarks.measure import Cost, imported, machine, python, run

_READ = (
    "import sys, duckdb; c = duckdb.connect();"
    "c.execute('set threads to ' + sys.argv[1]);"
    "[c.execute(f\"select count(question_id), sum(correct::int) from read_json('{p}', format='newline_delimited', "
    "columns={{benchmark: 'varchar', language: 'varchar', script: 'varchar', question_id: 'varchar', filter: 'varchar',"
    " variant_id: 'varchar', repeat_id: 'bigint', identity_scope: 'varchar', correct: 'boolean'}})\").fetchall() "
    "for p in sys.argv[2:]]"
)


def canonical_log(path: Path, records: int, *, seed: int, shuffled: bool) -> None:
    """The file holds a log of so many questions, each with a document and a response, about 800 bytes a line."""
    draw = random.Random(seed)
    numbers = list(range(records))
    if shuffled:
        draw.shuffle(numbers)
    with path.open("w", encoding="utf-8", newline="\n") as out:
        for number in numbers:
            line = {
                "question_id": f"question-{number:08d}",
                "variant_id": "original",
                "benchmark": f"task{number % 10}",
                "language": "en",
                "input": {"question": f"Which of these is number {number}? " + "because although during " * 8},
                "target": "a",
                "prediction": "a",
                "correct": draw.random() < 0.6,
                "metrics": {"acc": 1.0, "acc_norm": 0.5},
                "response": "it is the first of them, as far as anybody can tell " * 3,
            }
            out.write(json.dumps(line) + "\n")


def archive_of(folder: Path, records: int) -> Path:
    """An archive with two runs of the same questions, one in another order."""
    root = folder / "archive"
    for name, seed in (("left", 1), ("right", 2)):
        log = folder / f"{name}.jsonl"
        canonical_log(log, records, seed=seed, shuffled=name == "right")
        imported(root, log, name=name)
        log.unlink()
    return root


def measure(root: Path, rounds: int, cores: int) -> tuple[list[Cost], list[Cost]]:
    """What our comparisons cost, and what bare reads of the same files cost; the latter empty without DuckDB."""
    files = [str(root / f"runs/{name}/records/0001.jsonl") for name in ("left", "right")]
    ours, bare = [], []
    for _ in range(rounds):
        ours.append(run(python("-m", "itemproof", "--root", str(root), "compare", "left", "right"), cores=cores))
        if importlib.util.find_spec("duckdb") is not None:
            bare.append(run(python("-c", _READ, str(cores), *files), cores=cores))
    return ours, bare


def main() -> None:
    """Prints one line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--records", type=int, default=1_000_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--cores", type=int, default=2)
    parser.add_argument("--keep", type=Path, help="An empty folder for the archive; one that is there is used again.")
    chosen = parser.parse_args()
    print(machine())
    with tempfile.TemporaryDirectory() as name:
        folder = chosen.keep or Path(name)
        folder.mkdir(parents=True, exist_ok=True)
        root = folder / "archive"
        if not (root / "archive.json").exists():
            archive_of(folder, chosen.records)
        ours, bare = measure(root, chosen.rounds, chosen.cores)
    our_s = median(cost.wall_s for cost in ours)
    text = f"compare {chosen.records:,} records a side: {our_s:.2f} s, peak {max(c.peak_mb for c in ours):.0f} MB"
    if bare:
        bare_s = median(cost.wall_s for cost in bare)
        text += f"; DuckDB reads both files in {bare_s:.2f} s, ratio {our_s / bare_s:.2f}"
    print(text)


if __name__ == "__main__":
    main()
