"""Work on several cores gives the same bytes and the same faults as work on one, and a dead worker refuses the file."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from cli.workbench import Workbench, places, snapshot, whole
from harness_lines import text_line
from itemproof.archive import ingest, raw, workers
from itemproof.archive.normalise import normalise_stretch
from itemproof.core.errors import InvalidInput, Unavailable
from itemproof.core.findings import Code, Finding, Findings

pytestmark = pytest.mark.skipif(not workers.can_fork(), reason="needs processes that can fork")

_STRETCH_BYTES = 2_000


@pytest.fixture(autouse=True)
def _small_stretches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(raw, "STRETCH_BYTES", _STRETCH_BYTES)
    monkeypatch.setattr(raw, "PIECE_BYTES", _STRETCH_BYTES)
    monkeypatch.setattr(ingest, "_WORTH_FORKING_BYTES", 0)


def line(number: int, **changes: Any) -> dict[str, Any]:
    """A harness line with hashes and an id."""
    given = text_line(number, doc={"id": f"q{number}", "question": f"{number} + 1?"}, filter="none", benchmark="sums")
    return {**given, "exact_match": float(number % 2), **changes}


def lines(count: int = 60) -> list[dict[str, Any]]:
    """Enough lines for ten stretches and more."""
    return list(map(line, range(count)))


def brought(folder: Path, given: Sequence[dict[str, Any] | bytes], jobs: int, **options: Any) -> Workbench:
    """An archive with the log, imported with so many workers."""
    bench = Workbench.made(folder / f"jobs-{jobs}")
    bench.bring(bench.log("log.jsonl", *given), jobs=jobs, **options)
    return bench


def contents(bench: Workbench) -> dict[str, bytes | None]:
    """All registered bytes."""
    return {path: data for path, data in snapshot(bench.root).items() if path.startswith("runs/")}


def refused_alike(folder: Path, given: Sequence[dict[str, Any] | bytes], **options: Any) -> list[Any]:
    """The faults that one, two and three workers find alike: code, line, path."""
    told = []
    for jobs in (1, 2, 3):
        bench = Workbench.made(folder / f"jobs-{jobs}")
        refused = bench.refusal(bench.log("log.jsonl", *given), jobs=jobs, **options)
        told.append((refused.findings.count, places(refused.findings.kept), [one.text for one in refused.findings]))
    texts = [[text.replace(f"jobs-{jobs}", "jobs") for text in one[2]] for jobs, one in enumerate(told, 1)]
    assert told[0][:2] == told[1][:2] == told[2][:2]
    assert texts[0] == texts[1] == texts[2]
    return [told[0][0], *told[0][1]]


_LOGS: dict[str, tuple[list[dict[str, Any] | bytes], dict[str, Any]]] = {
    "plain": (list(lines()), {}),
    "blank lines and no end": ([*lines(30), b"\n", b" \r\n", *lines(60)[30:], json.dumps(line(60)).encode()], {}),
    "a metric that is not binary at the end": ([*lines(), line(60, exact_match=0.5)], {}),
    "a document twice": (
        [*lines(), line(60, doc=line(0)["doc"], doc_hash=line(0)["doc_hash"])],
        {"id_field": ("doc_hash",)},
    ),
    "warnings": ([line(n, **({"doc_hash": "0" * 64} if n % 3 else {})) for n in range(60)], {}),
    "a line over a stretch": ([*lines(20), line(20, note="x" * 9_000), *map(line, range(21, 40))], {}),
}


@pytest.mark.parametrize("log", _LOGS)
def test_every_number_of_workers_gives_the_same_bytes(tmp_path: Path, log: str) -> None:
    given, options = _LOGS[log]
    benches = [brought(tmp_path, given, jobs, **options) for jobs in (1, 2, 3)]

    assert contents(benches[0]) == contents(benches[1]) == contents(benches[2])
    for bench in benches:
        assert whole(bench.root) == []


def test_the_stretches_of_these_tests_are_many(tmp_path: Path) -> None:
    given = tmp_path / "log"
    given.write_bytes(b"".join(json.dumps(one).encode() + b"\n" for one in lines()))

    assert len(raw.copy_raw(given, tmp_path / "copy").stretches) > 10


def test_what_the_end_decides_holds_for_every_stretch(tmp_path: Path) -> None:
    given, options = _LOGS["a metric that is not binary at the end"]
    assert {record["correct"] for record in brought(tmp_path, given, 2, **options).records()} == {None}
    given, options = _LOGS["a document twice"]
    scopes = [record["identity_scope"] for record in brought(tmp_path, given, 3, **options).records()]
    assert [at for at, scope in enumerate(scopes) if scope == "run-local"] == [0, 60]


def test_faults_of_several_stretches_come_in_line_order(tmp_path: Path) -> None:
    given: list[dict[str, Any] | bytes] = list(lines())
    given[3] = b"{\n"
    given[30] = line(30, metrics=7)
    given[31] = b"[]\n"
    given[59] = line(59, repeat_id=True)

    assert refused_alike(tmp_path, given) == [
        4,
        ("J001", 4, "$"),
        ("H002", 31, "$.metrics"),
        ("J011", 32, None),
        ("R005", 60, "$.repeat_id"),
    ]


def test_more_faults_than_are_kept_are_counted_alike(tmp_path: Path) -> None:
    given = [line(number, repeat_id=True) for number in range(60)]

    told = refused_alike(tmp_path, given)

    assert told == [60, *(("R005", number, "$.repeat_id") for number in range(1, 21))]


def test_an_identity_in_two_stretches_is_refused(tmp_path: Path) -> None:
    assert refused_alike(tmp_path, [*lines(), line(5)]) == [1, ("I003", 61, None)]


def test_a_document_in_two_stretches_without_a_filter_is_refused(tmp_path: Path) -> None:
    unnamed = [{key: value for key, value in line(number).items() if key != "filter"} for number in range(60)]

    assert refused_alike(tmp_path, [*unnamed, unnamed[0], unnamed[59]]) == [
        2,
        ("H004", 61, "$.doc_id"),
        ("H004", 62, "$.doc_id"),
    ]


def test_what_an_adapter_refuses_before_the_first_line_is_refused_by_workers_too(tmp_path: Path) -> None:
    told = refused_alike(tmp_path, list(lines()), metadata={"correctness_metric": 7})

    assert told == [1, ("R006", None, "$.metadata.correctness_metric")]


def test_a_stretch_that_needs_more_room_than_shared_memory_has_goes_through(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = brought(tmp_path, lines(), 1)
    monkeypatch.setattr(workers, "_SLOT_BYTES", 4_096)
    given = lines()

    two = brought(tmp_path, given, 2)

    assert contents(one) == contents(two)


def _dies(at_line: int) -> Any:
    parent = os.getpid()

    def dying(work: Any, normaliser: Any, stretch: Any, *more: Any) -> Any:
        if stretch.first_line > at_line and os.getpid() != parent:
            os.kill(os.getpid(), signal.SIGKILL)
        return normalise_stretch(work, normaliser, stretch, *more)

    return dying


@pytest.mark.parametrize("at_line", [0, 20])
def test_a_worker_that_is_killed_refuses_the_file_and_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, at_line: int
) -> None:
    monkeypatch.setattr(workers, "normalise_stretch", _dies(at_line))
    bench = Workbench.made(tmp_path)

    refused = bench.refusal(bench.log("log.jsonl", *lines()), jobs=2)

    assert isinstance(refused, Unavailable)
    assert refused.code.id == "D020"
    assert "--jobs 1" in refused.text
    bench.bring(bench.folder / "logs" / "log.jsonl", jobs=1)
    assert len(bench.records()) == 60


def test_a_worker_that_raises_hands_its_reason_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refusing(*_: object) -> Any:
        findings = Findings()
        findings.add(Finding(Code("J015", "for this test"), "it shrank."))
        raise InvalidInput(findings)

    monkeypatch.setattr(workers, "normalise_stretch", refusing)
    bench = Workbench.made(tmp_path)

    assert bench.faults(bench.log("log.jsonl", *lines()), jobs=2) == [("J015", None, None)]


def test_no_worker_outlives_the_import(tmp_path: Path) -> None:
    before = _children()
    brought(tmp_path, lines(), 3)
    assert _children() == before


def _children() -> list[str]:
    return Path(f"/proc/self/task/{os.getpid()}/children").read_text(encoding="ascii").split()
