"""An import is all there, as its manifest says, or it is not there at all."""

from __future__ import annotations

import gzip
import stat
from pathlib import Path
from typing import Any

import pytest
import zstandard

from cli.workbench import Workbench, as_line, clock, places, whole
from itemproof.adapters.base import Options
from itemproof.archive import workers
from itemproof.archive.ingest import import_files
from itemproof.archive.raw import RawCopy, copy_raw
from itemproof.archive.request import Conclusion, ImportedFile, Request, SourceFile, Standing
from itemproof.archive.transaction import NewRun
from itemproof.core.digest import sha256_of
from itemproof.core.errors import InvalidInput, ItemproofError, Refused, invalid
from itemproof.core.findings import Code
from itemproof.files.jsonl import MAX_LINE_BYTES
from itemproof.records.identity import parse_id_selection
from itemproof.records.record import FIELDS

MODEL = "demo/model"


@pytest.fixture
def bench(tmp_path: Path) -> Workbench:
    return Workbench.made(tmp_path)


def line(name: str, **changes: Any) -> dict[str, Any]:
    """A canonical line."""
    return {"question_id": name, "variant_id": "original", "benchmark": "b", "correct": True, **changes}


def request_of(*paths: Path, **changes: Any) -> Request:
    """An import into a new run."""
    options = Options(ids=parse_id_selection([]))
    sources = [SourceFile(path=path, options=options) for path in paths]
    return Request(**{"run_id": "run-1", "sources": sources, "create": NewRun(model=MODEL), **changes})


def test_the_manifest_says_everything_of_the_file(bench: Workbench) -> None:
    log = bench.log("a b.jsonl", line("q1"), b"\n", line("q2", warnings=["cut"]))

    imported = bench.bring(log, variant="v2", benchmark="b")

    raw, records = (bench.root / "runs/run-1" / name for name in ("raw/0001-a_b.jsonl", "records/0001.jsonl"))
    entry = bench.archive.run("run-1").manifest.imports[0]
    assert imported.entry == entry
    assert (entry.id, entry.timestamp, entry.format) == ("import-0001", "2026-11-30T12:00:00Z", "canonical")
    assert (entry.variant, entry.id_selection, entry.options) == ("v2", [], {"benchmark": "b"})
    assert (entry.facts, entry.reproduced, entry.notices) == ({}, None, [])
    [file] = entry.files
    assert (file.name, file.raw_path, file.records_path) == (
        "a b.jsonl",
        "runs/run-1/raw/0001-a_b.jsonl",
        "runs/run-1/records/0001.jsonl",
    )
    assert (file.raw_bytes, file.raw_sha256) == (log.stat().st_size, sha256_of(log.read_bytes()))
    assert (file.records_bytes, file.records_sha256) == (records.stat().st_size, sha256_of(records.read_bytes()))
    assert (file.lines, file.records) == (3, 2)
    assert file.longest_record_bytes == max(map(len, records.read_bytes().splitlines(keepends=True)))
    assert file.options == {"variant": "v2", "benchmark": "b"}
    assert raw.read_bytes() == log.read_bytes()


def test_record_lines_have_the_fields_in_order_and_then_the_producer_s(bench: Workbench) -> None:
    bench.bring(bench.log("a.jsonl", {"zeta": {"b": 1, "a": 2}, **line("q1"), "alpha": "é"}))

    text = (bench.root / "runs/run-1/records/0001.jsonl").read_text(encoding="utf-8")
    [record] = bench.records()
    assert [*record] == [*FIELDS, "zeta", "alpha"]
    assert '"zeta":{"b":1,"a":2},"alpha":"é"}\n' in text
    assert record["source"] == {"path": "runs/run-1/raw/0001-a.jsonl", "line": 1}


def test_what_is_committed_may_not_be_written_any_more(bench: Workbench) -> None:
    bench.bring(bench.log("a.jsonl", line("q1")))

    for path in (bench.root / "runs/run-1").glob("*/*"):
        assert stat.S_IMODE(path.stat().st_mode) & 0o222 == 0


@pytest.mark.parametrize("suffix", [".gz", ".zst"])
def test_a_compressed_file_is_kept_compressed_and_read_by_its_lines(bench: Workbench, suffix: str) -> None:
    text = [b"".join(map(as_line, part)) for part in ([line("q1"), line("q2")], [line("q3")])]
    press = gzip.compress if suffix == ".gz" else zstandard.ZstdCompressor().compress
    log = bench.log(f"a.jsonl{suffix}", *map(press, text))

    bench.bring(log)

    [file] = bench.files()
    assert (file.records, file.lines, file.raw_bytes) == (3, 3, log.stat().st_size)
    assert [record["source"]["line"] for record in bench.records()] == [1, 2, 3]
    assert whole(bench.root) == []


def test_several_files_are_one_import_with_numbers_in_order(bench: Workbench) -> None:
    logs = [bench.log(f"{name}/log.jsonl", line(name)) for name in "ba"]
    bench.bring(*logs)
    bench.bring(bench.log("c.jsonl", line("c")))

    assert [file.raw_path for file in bench.files()] == [
        "runs/run-1/raw/0001-log.jsonl",
        "runs/run-1/raw/0002-log.jsonl",
        "runs/run-1/raw/0003-c.jsonl",
    ]
    assert [entry.id for entry in bench.archive.run("run-1").manifest.imports] == ["import-0001", "import-0002"]
    assert [record["question_id"] for record in bench.records()] == ["b", "a", "c"]


def test_faults_of_all_files_come_together_in_order(bench: Workbench) -> None:
    logs = [bench.log(f"{name}.jsonl", line("q"), line(""), line("q", correct="yes")) for name in "ab"]

    refused = bench.refusal(*logs)

    assert [(one.code.id, Path(one.where.file or "").name, one.where.line) for one in refused.findings] == [
        ("I002", "a.jsonl", 2),
        ("C002", "a.jsonl", 3),
        ("I002", "b.jsonl", 2),
        ("C002", "b.jsonl", 3),
    ]


def test_twenty_faults_are_shown_and_the_rest_counted(bench: Workbench) -> None:
    refused = bench.refusal(bench.log("a.jsonl", line("q0"), *(line("") for _ in range(50))))

    assert (len(refused.findings.kept), refused.findings.count) == (20, 50)
    assert str(refused).splitlines()[-2:] == ["and 30 more", "Nothing was imported."]


def test_an_identity_of_an_earlier_import_is_refused_with_its_place(bench: Workbench) -> None:
    bench.bring(bench.log("a.jsonl", line("q1"), line("q2")))

    refused = bench.refusal(bench.log("b.jsonl", line("q3"), line("q2")))

    assert places(refused.findings.kept) == [("I003", 2, None)]
    assert "runs/run-1/raw/0001-a.jsonl:2" in refused.text


def test_every_identity_that_stands_twice_is_counted(bench: Workbench) -> None:
    lines = [line(f"q{number}") for number in range(100)]

    refused = bench.refusal(bench.log("a.jsonl", *lines, *lines))

    assert (len(refused.findings.kept), refused.findings.count) == (20, 100)
    assert [one.where.line for one in refused.findings] == list(range(101, 121))


def test_run_local_identities_never_stand_twice(bench: Workbench) -> None:
    bare = {"doc": {}, "resps": [["a"]], "benchmark": "b", "filter": "none"}
    bench.bring(bench.log("a.jsonl", bare, bare))
    bench.bring(bench.log("b.jsonl", bare, bare, bare))

    records = bench.records()
    assert len({record["question_id"] for record in records}) == 5
    digest = bench.files()[1].raw_sha256
    assert records[2]["question_id"] == f"{digest}:1"


def test_the_same_bytes_without_ids_are_refused_the_second_time(bench: Workbench) -> None:
    log = bench.log("a.jsonl", {"doc": {}, "resps": [["a"]], "benchmark": "b", "filter": "none"})
    bench.bring(log)

    assert bench.faults(log) == [("W027", None, None)]
    assert bench.faults(log, id_field=("doc_hash",)) == [("W027", None, None)]
    assert bench.faults(bench.log("b.jsonl", b"{}"), log, log) == [("R031", 1, None)]


@pytest.mark.parametrize("run_id", ["absent", "a/b", ""])
def test_a_run_that_is_not_there_is_refused_unless_it_is_made(bench: Workbench, run_id: str) -> None:
    request = request_of(bench.log("a.jsonl", line("q1")), run_id=run_id, create=None)

    with bench.unchanged(), pytest.raises(InvalidInput) as refused:
        import_files(bench.archive, request, clock=clock)
    assert refused.value.code.id == ("W002" if run_id == "absent" else "D011")


def test_a_run_that_is_there_is_not_made_again(bench: Workbench) -> None:
    log = bench.log("a.jsonl", line("q1"))
    bench.bring(log)

    with bench.unchanged(), pytest.raises(Refused) as refused:
        import_files(bench.archive, request_of(log), clock=clock)
    assert refused.value.code.id == "W001"


def test_an_import_of_nothing_is_refused(bench: Workbench) -> None:
    with bench.unchanged(), pytest.raises(InvalidInput) as refused:
        import_files(bench.archive, request_of(), clock=clock)
    assert refused.value.code.id == "W021"


def test_what_the_conclusion_refuses_is_not_committed_and_what_it_says_is(bench: Workbench) -> None:
    log = bench.log("a.jsonl", line("q1"))
    seen: list[tuple[int, str, object]] = []

    def refuse(files: object, run: Standing) -> Conclusion:
        raise invalid(Code("H030", "for this test"), "no.")

    def tell(files: Any, run: Standing) -> Conclusion:
        first: ImportedFile = files[0]
        seen.append((first.normalised.records, run.model, run.metadata))
        return Conclusion(facts={"a": 1}, metadata={"seeds": 3}, notices=["look"])

    with bench.unchanged(), pytest.raises(ItemproofError):
        import_files(bench.archive, request_of(log, conclude=refuse), clock=clock)
    import_files(bench.archive, request_of(log, conclude=tell), clock=clock)

    manifest = bench.archive.run("run-1").manifest
    assert seen == [(1, MODEL, {})]
    assert manifest.metadata == {"seeds": 3}
    assert (manifest.imports[0].facts, manifest.imports[0].notices) == ({"a": 1}, ["look"])


def test_attachments_are_kept_once_and_in_the_same_commit(bench: Workbench) -> None:
    note = bench.log("results.json", b"{}")
    logs = [bench.log(f"{name}.jsonl", line(name)) for name in "ab"]

    import_files(bench.archive, request_of(logs[0], attachments=[note]), clock=clock)
    import_files(bench.archive, request_of(logs[1], attachments=[note], create=None), clock=clock)

    assert [one.path for one in bench.archive.run("run-1").manifest.attachments] == [
        "runs/run-1/attachments/0001-results.json"
    ]
    assert whole(bench.root) == []


def test_progress_counts_each_byte_when_copied_and_when_read(bench: Workbench) -> None:
    log = bench.log("a.jsonl", *(line(f"q{number}") for number in range(100)))
    done: list[int] = []

    import_files(bench.archive, request_of(log), clock=clock, progress=done.append, jobs=1)

    assert sum(done) == 2 * log.stat().st_size


def test_a_source_that_changes_after_it_was_copied_changes_nothing(
    bench: Workbench, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = bench.log("a.jsonl", line("q1"))

    def copy_then_change(source: Path, destination: Path, **more: Any) -> RawCopy:
        copy = copy_raw(source, destination, **more)
        source.write_bytes(as_line(line("other")))
        return copy

    monkeypatch.setattr("itemproof.archive.ingest.copy_raw", copy_then_change)

    import_files(bench.archive, request_of(log), clock=clock)

    assert [record["question_id"] for record in bench.records()] == ["q1"]
    assert whole(bench.root) == []


def test_a_small_file_is_done_without_workers(bench: Workbench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "_Worker", None)

    bench.bring(bench.log("a.jsonl", line("q1")), jobs=2)

    assert len(bench.records()) == 1


def test_the_limit_of_a_line_is_the_caller_s(bench: Workbench) -> None:
    log = bench.log("a.jsonl", line("q1"), line("q2", note="x" * 1_000))

    assert request_of(log).max_line_bytes == MAX_LINE_BYTES
    assert bench.faults(log, max_line_bytes=500) == [("J010", 2, None)]
