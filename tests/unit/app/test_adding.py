"""`add` makes a run for each model, takes nothing twice, and goes on past a model that is refused if asked to."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from cli.workbench import Workbench, clock, snapshot, whole
from harness_lines import choice_line
from itemproof.app.adding import Added, add, gather, open_or_create, run_id_for
from itemproof.app.imports import Choices, Means
from itemproof.archive import raw
from itemproof.core.errors import InvalidInput, Unavailable, unavailable
from itemproof.files.atomic import DISK_FULL

_STAMP = "2026-01-02T03-04-05.6"
_MEANS = Means(jobs=1, clock=clock)


@pytest.fixture
def bench(tmp_path: Path) -> Workbench:
    return Workbench.made(tmp_path)


def evaluation(bench: Workbench, model: str, *lines: dict[str, Any] | bytes, folder: str | None = None) -> Path:
    """A folder with one evaluation by a model."""
    data = {"results": {"foxes": {"acc,none": 1.0}}, "configs": {"foxes": {}}, "model_name": model}
    name = folder or run_id_for(model)
    bench.log(f"{name}/results_{_STAMP}.json", json.dumps(data).encode())
    return bench.log(f"{name}/samples_foxes_{_STAMP}.jsonl", *(lines or [choice_line(0)])).parent


def added(bench: Workbench, *paths: Path, model: str | None = None, keep_going: bool = False, **more: Any) -> Added:
    """What adding the logs came to."""
    choices = Choices(**more)
    gathered = gather(paths, choices, model=model, keep_going=keep_going)
    return add(bench.archive, gathered, choices, keep_going=keep_going, means=_MEANS)


@pytest.mark.parametrize(
    ("model", "run_id"),
    [
        ("meta-llama/Llama-3.1-8B", "meta-llama__Llama-3.1-8B"),
        ("org/demo:7b,base_url=http://h:1/v1", "org__demo__7b__base_url__http__h__1__v1"),
        ("/home/me/ckpt/", "home__me__ckpt"),
        ("東京", "run"),
        ("..", "run"),
        ("-x.", "x"),
        ("a" * 200, "a" * 120),
    ],
)
def test_a_run_s_id_reads_like_its_model(model: str, run_id: str) -> None:
    assert run_id_for(model) == run_id


@pytest.mark.parametrize("model", ["CON", "nul", "aux.gguf", "com1/x", "東京", "x" * 300, "a."])
def test_every_model_gets_a_run(bench: Workbench, model: str) -> None:
    done = added(bench, bench.log("a.jsonl", choice_line(0)), model=model, benchmark="b")

    assert [one.run_id for one in done.imported] == bench.archive.run_ids()
    assert bench.archive.run(done.imported[0].run_id).manifest.model == model


def test_each_model_has_its_run_and_the_same_logs_again_change_nothing(bench: Workbench) -> None:
    for model in ("org/one", "org/two"):
        evaluation(bench, model)

    first = added(bench, bench.folder / "logs")
    before = snapshot(bench.root)
    second = added(bench, bench.folder / "logs")

    assert [one.run_id for one in first.imported] == ["org__one", "org__two"]
    assert (second.imported, second.present) == ([], ["org__one", "org__two"])
    assert snapshot(bench.root) == before
    assert whole(bench.root) == []


def test_other_logs_of_the_model_get_a_run_beside_the_first(bench: Workbench) -> None:
    one = evaluation(bench, "org/one", choice_line(0))
    two = evaluation(bench, "org/one", choice_line(1), folder="again")

    runs = [added(bench, folder).imported[0].run_id for folder in (one, two)]

    assert runs == ["org__one", "org__one.2"]
    assert added(bench, two).present == ["org__one.2"]
    assert added(bench, one).present == ["org__one"]


@pytest.mark.parametrize(
    "other", [{"language": "de"}, {"id_field": ("doc.q",)}, {"variant": "new"}, {"filter": "f"}, {"benchmark": "b"}]
)
def test_logs_that_are_there_are_not_passed_over_when_they_are_asked_for_differently(
    bench: Workbench, other: dict[str, Any]
) -> None:
    folder = evaluation(bench, "org/one")
    added(bench, folder)
    before = snapshot(bench.root)

    with pytest.raises(InvalidInput) as refused:
        added(bench, folder, **other)

    assert [str(finding.code) for finding in refused.value.findings] == ["W028"]
    assert "itemproof discard org__one" in str(refused.value)
    assert snapshot(bench.root) == before


def test_logs_whose_wording_is_in_their_name_are_there_when_they_come_again(bench: Workbench) -> None:
    folder = evaluation(bench, "org/one")
    log = folder / f"samples_foxes_new_{_STAMP}.jsonl"
    (folder / f"samples_foxes_{_STAMP}.jsonl").rename(log)
    results = folder / f"results_{_STAMP}.json"
    results.write_bytes(results.read_bytes().replace(b'"foxes"', b'"foxes_new"'))
    pattern = "{benchmark}_{variant}"

    first = added(bench, folder, name_pattern=pattern)
    again = added(bench, folder, name_pattern=pattern)

    assert [one.entry.variant for one in first.imported] == [None]
    assert [record["variant_id"] for record in bench.archive.run("org__one").records()] == ["new"]
    assert again.present == ["org__one"]


def test_a_run_id_that_differs_by_case_alone_is_taken(bench: Workbench) -> None:
    evaluation(bench, "org/one")
    evaluation(bench, "ORG/One")

    done = added(bench, bench.folder / "logs")

    assert sorted(one.run_id for one in done.imported) == ["ORG__One", "org__one.2"]


def test_the_model_of_logs_without_results_is_the_caller_s(bench: Workbench) -> None:
    log = bench.log("samples_foxes.jsonl", choice_line(0))

    with bench.unchanged(), pytest.raises(InvalidInput) as refused:
        added(bench, log)
    assert (refused.value.code.id, refused.value.where.file) == ("W023", str(log))
    assert [one.run_id for one in added(bench, log, model="m").imported] == ["m"]


def test_a_refused_model_stops_what_follows_unless_one_keeps_going(bench: Workbench) -> None:
    evaluation(bench, "a/bad", choice_line(0), b"{\n")
    evaluation(bench, "b/good")

    with bench.unchanged(), pytest.raises(InvalidInput):
        added(bench, bench.folder / "logs")
    done = added(bench, bench.folder / "logs", keep_going=True)

    assert [one.run_id for one in done.imported] == ["b__good"]
    assert [(model, error.code.id) for model, error in done.failed] == [("a/bad", "J001")]
    assert whole(bench.root) == []


def test_what_was_imported_before_a_refused_model_is_said(bench: Workbench) -> None:
    evaluation(bench, "a/good")
    evaluation(bench, "b/bad", choice_line(0), b"{\n")
    evaluation(bench, "c/good")

    done = added(bench, bench.folder / "logs")

    assert [one.run_id for one in done.imported] == bench.archive.run_ids() == ["a__good"]
    assert [(model, error.code.id) for model, error in done.failed] == [("b/bad", "J001")]
    assert done.not_tried == ["c/good"]


def test_what_was_imported_before_the_disk_refused_is_said(bench: Workbench, monkeypatch: pytest.MonkeyPatch) -> None:
    evaluation(bench, "a/good")
    evaluation(bench, "b/good")
    copied = raw.copy_raw

    def full_at_the_second(source: Path, *rest: Any, **more: Any) -> Any:
        if "b__good" in str(source):
            raise unavailable(DISK_FULL, "The disk is full.", outcome="Nothing was changed.")
        return copied(source, *rest, **more)

    monkeypatch.setattr("itemproof.archive.ingest.copy_raw", full_at_the_second)
    with pytest.raises(Unavailable) as stopped:
        added(bench, bench.folder / "logs")

    assert stopped.value.outcome == "Nothing was changed. Imported before it: a__good."
    assert bench.archive.run_ids() == ["a__good"]


def test_who_keeps_going_gets_past_logs_of_a_form_that_is_not_read(bench: Workbench) -> None:
    evaluation(bench, "a/good")
    old = bench.log("old/foxes_write_out_info.json", b"[]\n")

    done = added(bench, bench.folder / "logs", keep_going=True)

    assert [one.run_id for one in done.imported] == ["a__good"]
    assert [(error.code.id, error.where.file) for _, error in done.failed] == [("H025", str(old))]


def test_who_keeps_going_gets_past_logs_of_no_model(bench: Workbench) -> None:
    evaluation(bench, "b/good")
    log = bench.log("a/samples_foxes.jsonl", choice_line(0))

    done = added(bench, bench.folder / "logs", keep_going=True)

    assert [one.run_id for one in done.imported] == ["b__good"]
    assert [(error.code.id, error.where.file) for _, error in done.failed] == [("W023", str(log))]


def test_logs_of_no_model_are_refused_before_any_run_is_made(bench: Workbench) -> None:
    evaluation(bench, "a/good")
    bench.log("b/samples_foxes.jsonl", choice_line(0))

    with bench.unchanged(), pytest.raises(InvalidInput):
        added(bench, bench.folder / "logs")


def test_an_archive_is_found_or_made(bench: Workbench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    inside = bench.root / "runs"
    monkeypatch.chdir(inside)
    found, was_made = open_or_create(None, _MEANS)
    assert (found.root, was_made) == (bench.root, False)

    here = tmp_path / "elsewhere"
    here.mkdir()
    monkeypatch.chdir(here)
    made, was_made = open_or_create(None, _MEANS)
    assert (made.root, was_made) == (here, True)
    again, was_made = open_or_create(here, _MEANS)
    assert (again.marker, was_made) == (made.marker, False)


def test_a_results_file_that_was_not_taken_is_named_with_the_reason(bench: Workbench) -> None:
    folder = evaluation(bench, "org/one")
    log = bench.log(f"{folder.name}/samples_bears.jsonl", choice_line(0))

    with pytest.raises(InvalidInput) as refused:
        added(bench, log)

    assert (refused.value.code.id, refused.value.where.file) == ("W023", str(log))
    said = f"beside it results_{_STAMP}.json has the time stamp {_STAMP}, the log has no time stamp, so nothing names"
    assert refused.value.text.startswith(said)
