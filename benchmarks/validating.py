"""`itemproof validate` beside reading, hashing and parsing the same bytes: `python -m benchmarks.validating`."""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path
from statistics import median

from benchmarks.generate import harness_log
from benchmarks.measure import ROOT, imported, machine, paired, python, run


def main() -> None:
    """Prints one line for one core."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size-mb", type=int, default=500)
    parser.add_argument("--rounds", type=int, default=5)
    chosen = parser.parse_args()
    print(machine())
    with tempfile.TemporaryDirectory() as name:
        folder, root = Path(name), Path(name, "archive")
        log = folder / "samples_demo_2026-01-01T00-00-00.000000.jsonl"
        harness_log(log, chosen.size_mb << 20)
        imported(root, log)
        files = [str(path) for kind in ("raw", "records") for path in sorted((root / "runs/run" / kind).iterdir())]
        floor = python("-m", "benchmarks.floor", "check", *files)
        check = python("-m", "itemproof", "--root", str(root), "validate", "--jobs", "1")
        floors, ours = [run(floor, cores=1, cwd=ROOT)], []
        for _ in range(chosen.rounds):
            ours.append(run(check, cores=1))
            floors.append(run(floor, cores=1, cwd=ROOT))
        print(
            f"validate {chosen.size_mb} MB and its records, 1 core: {median(c.wall_s for c in ours):.2f} s, "
            f"floor {median(c.wall_s for c in floors):.2f} s, ratio {paired(floors, ours):.2f}, "
            f"peak {max(c.peak_mb for c in ours):.0f} MB"
        )


if __name__ == "__main__":
    main()
