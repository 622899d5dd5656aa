"""Peak memory of `itemproof import` as files grow: `python -m benchmarks.memory [--log-gb 5] [--records 10000000]`."""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

from benchmarks.generate import harness_log, small_records
from benchmarks.measure import imported, machine, run


def main() -> None:
    """Prints one line for the large log and one for the many records."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--log-gb", type=float, default=5)
    parser.add_argument("--records", type=int, default=10_000_000)
    chosen = parser.parse_args()
    print(machine())
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        log, records = folder / "samples_demo_2026-01-01T00-00-00.000000.jsonl", folder / "records.jsonl"
        if chosen.log_gb:
            harness_log(log, int(chosen.log_gb * 2**30))
            cost = imported(folder / "large", log)
            print(f"import {chosen.log_gb:g} GB: {cost.wall_s:.0f} s, peak {cost.peak_mb:.0f} MB in one process")
            log.unlink()
        if chosen.records:
            small_records(records, chosen.records)
            cost = imported(folder / "many", records, "--format", "canonical")
            print(f"import {chosen.records:,} records: {cost.wall_s:.0f} s, peak {cost.peak_mb:.0f} MB in one process")
        run(["chmod", "-R", "u+w", str(folder)])


if __name__ == "__main__":
    main()
