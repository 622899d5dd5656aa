"""`itemproof import` of a harness log beside its floor: `python -m benchmarks.importing [--size-mb 500]`."""

from __future__ import annotations

import argparse
import shutil
import tempfile
from pathlib import Path
from statistics import median

from benchmarks.generate import harness_log
from benchmarks.measure import ROOT, Cost, imported, machine, paired, python, run, touch_memory


def measure(size_mb: int, rounds: int, cores: int, folder: Path) -> tuple[float, list[Cost], list[Cost]]:
    """The paired ratio, and every cost: a floor run on one core before and after each import on `cores`."""
    log = folder / "samples_demo_2026-01-01T00-00-00.000000.jsonl"
    if not log.exists():
        harness_log(log, size_mb << 20)
        touch_memory(folder, 3 * size_mb << 20)
    floors, ours = [_floor(log, folder)], []
    for _ in range(rounds):
        ours.append(_import(log, folder, cores))
        floors.append(_floor(log, folder))
    return paired(floors, ours), floors, ours


def _floor(log: Path, folder: Path) -> Cost:
    made = folder / "floor"
    made.mkdir()
    cost = run(python("-m", "benchmarks.floor", "import", str(log), str(made)), cores=1, cwd=ROOT)
    shutil.rmtree(made)
    return cost


def _import(log: Path, folder: Path, cores: int) -> Cost:
    root = folder / "archive"
    cost = imported(root, log, "--jobs", str(cores), cores=cores)
    run(["chmod", "-R", "u+w", str(root)])
    shutil.rmtree(root)
    return cost


def main() -> None:
    """Prints one line for one core and one for two."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size-mb", type=int, default=500)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--cores", type=int, nargs="*", default=[1, 2])
    chosen = parser.parse_args()
    print(machine())
    with tempfile.TemporaryDirectory() as name:
        for cores in chosen.cores:
            ratio, floors, ours = measure(chosen.size_mb, chosen.rounds, cores, Path(name))
            floor_s, our_s = median(c.wall_s for c in floors), median(c.wall_s for c in ours)
            print(
                f"import {chosen.size_mb} MB, {cores} core(s): {our_s:.2f} s, floor {floor_s:.2f} s, "
                f"ratio {ratio:.2f}, peak {max(c.peak_mb for c in ours):.0f} MB"
            )


if __name__ == "__main__":
    main()
