"""`itemproof --version` beside importing click alone: `python -m benchmarks.startup`."""

from __future__ import annotations

from statistics import median

from benchmarks.measure import machine, paired, python, run


def main() -> None:
    """Prints one line."""
    floor, ours_command = python("-c", "import click"), python("-m", "itemproof", "--version")
    floors, ours = [run(floor)], []
    for _ in range(21):
        ours.append(run(ours_command))
        floors.append(run(floor))
    print(machine())
    print(
        f"--version: {median(c.wall_s for c in ours) * 1000:.0f} ms, import click "
        f"{median(c.wall_s for c in floors) * 1000:.0f} ms, ratio {paired(floors, ours):.2f}"
    )


if __name__ == "__main__":
    main()
