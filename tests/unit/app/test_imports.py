"""Logs are found, options are applied to them, and they stand in a run."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from cli.workbench import Workbench, places, whole
from harness_lines import choice_line
from itemproof.app.imports import Choices, find, model_named
from itemproof.core.errors import InvalidInput

_FIRST, _SECOND = "2026-01-02T03-04-05.6", "2026-01-03T03-04-05.6"


@pytest.fixture
def bench(tmp_path: Path) -> Workbench:
    return Workbench.made(tmp_path)


def results(bench: Workbench, name: str, *tasks: str, model: str | None = "demo/model", **more: Any) -> Path:
    """A results file of these tasks."""
    data: dict[str, Any] = {
        "results": {task: {"acc,none": 1.0} for task in tasks},
        "configs": {task: {"metric_list": [{"metric": "acc", "aggregation": "mean"}]} for task in tasks},
        **more,
    }
    if model is not None:
        data["model_name"] = model
    return bench.log(name, json.dumps(data).encode())


def evaluation(bench: Workbench, folder: str, stamp: str, *, model: str = "demo/model", task: str = "foxes") -> Path:
    """A sample file and its results file; the sample file's path."""
    results(bench, f"{folder}/results_{stamp}.json", task, model=model)
    return bench.log(f"{folder}/samples_{task}_{stamp}.jsonl", choice_line(0), choice_line(1, acc=0.0))


def refused(*paths: Path, **choices: Any) -> list[tuple[str, int | None, str | None]]:
    """What finding the logs is refused for."""
    with pytest.raises(InvalidInput) as refusal:
        find(paths, Choices(**choices))
    assert refusal.value.outcome == "Nothing was imported."
    return places(refusal.value.findings.kept)


def test_a_folder_s_logs_come_in_the_order_of_their_names_with_their_results(bench: Workbench) -> None:
    for task in ("zebras", "ants"):
        bench.log(f"samples_{task}_{_FIRST}.jsonl", choice_line(0))
    beside = results(bench, f"results_{_FIRST}.json", "ants", "zebras")
    bench.log("notes.txt", b"notes")

    found = find([bench.folder / "logs"], Choices())

    assert [(one.task, one.results, one.model) for one in found.evaluations] == [
        ("ants", beside, "demo/model"),
        ("zebras", beside, "demo/model"),
    ]
    assert [path.name for path in found.left_out] == ["notes.txt"]
    assert model_named(found) == "demo/model"


def test_what_the_results_file_says_is_kept_and_the_file_is_attached(bench: Workbench) -> None:
    log = evaluation(bench, "out", _FIRST)

    bench.bring(log.parent)

    manifest = bench.archive.run("run-1").manifest
    entry = manifest.imports[0]
    assert (entry.files[0].task, entry.files[0].results_path) == (
        "foxes",
        f"runs/run-1/attachments/0001-results_{_FIRST}.json",
    )
    assert entry.facts["model_name"] == "demo/model"
    assert [record["benchmark"] for record in bench.records()] == ["foxes", "foxes"]
    assert whole(bench.root) == []


def test_no_path_no_log_and_no_choice_are_refused(bench: Workbench) -> None:
    evaluation(bench, "out", _FIRST)
    evaluation(bench, "out", _SECOND)
    empty = bench.folder / "logs" / "empty"
    empty.mkdir()

    assert refused(bench.folder / "nowhere", bench.folder / "neither") == [("H026", None, None)] * 2
    assert refused(empty) == [("W022", None, None)]
    assert refused(bench.folder / "logs") == [("H022", None, None)]
    assert refused(bench.folder / "logs", timestamp="2020-01-01T00-00-00") == [("H023", None, None)]


@pytest.mark.parametrize(
    ("choice", "stamps", "repeats"),
    [
        ({"timestamp": "latest"}, [_SECOND], [None]),
        ({"timestamp": _FIRST}, [_FIRST], [None]),
        ({"as_repeats": True}, [_FIRST, _SECOND], [0, 1]),
    ],
)
def test_of_several_evaluations_the_chosen_are_taken(
    bench: Workbench, choice: dict[str, Any], stamps: list[str], repeats: list[int | None]
) -> None:
    for stamp in (_SECOND, _FIRST):
        evaluation(bench, "out", stamp)

    found = find([bench.folder / "logs"], Choices(**choice))

    assert [one.timestamp for one in found.evaluations] == stamps
    assert [one.repeat_id for one in found.evaluations] == repeats


def test_repeats_are_records_of_their_own_and_the_choice_is_recorded(bench: Workbench) -> None:
    for stamp in (_FIRST, _SECOND):
        evaluation(bench, "out", stamp)

    bench.bring(bench.folder / "logs", as_repeats=True)

    keys = [(record["question_id"], record["repeat_id"]) for record in bench.records()]
    assert keys == [("q0", 0), ("q1", 0), ("q0", 1), ("q1", 1)]
    assert bench.archive.run("run-1").manifest.imports[0].options == {"as_repeats": True}


@pytest.mark.parametrize(("models", "code"), [([None], "W023"), (["a/x", "b/y"], "W024")])
def test_one_model_must_be_named(bench: Workbench, models: list[str | None], code: str) -> None:
    for number, model in enumerate(models):
        if model is None:
            bench.log(f"{number}/samples_foxes_{_FIRST}.jsonl", choice_line(0))
        else:
            evaluation(bench, str(number), _FIRST, model=model)

    with pytest.raises(InvalidInput) as refusal:
        model_named(find([bench.folder / "logs"], Choices()))

    assert refusal.value.code.id == code


def test_a_name_pattern_fills_what_options_leave_open(bench: Workbench) -> None:
    bench.log("samples_foxes_es_hard.jsonl", choice_line(0))

    pattern = "{benchmark}_{language}[_{variant}]"
    bench.bring(bench.folder / "logs", name_pattern=pattern, benchmark="animals")

    [record] = bench.records()
    assert (record["benchmark"], record["language"], record["variant_id"]) == ("animals", "es", "hard")
    assert bench.archive.run("run-1").manifest.imports[0].options == {"benchmark": "animals", "name_pattern": pattern}


@pytest.mark.parametrize(
    ("choices", "code"),
    [
        ({"format": "excel"}, "R030"),
        ({"name_pattern": "{language"}, "H021"),
        ({"name_pattern": "{benchmark}_{language}_x"}, "H020"),
        ({"id_field": ("a..b",)}, "I001"),
        ({"id_field": ("auto", "doc.id")}, "I001"),
    ],
)
def test_a_choice_that_cannot_be_is_refused_before_anything_is_written(
    bench: Workbench, choices: dict[str, Any], code: str
) -> None:
    log = bench.log("samples_foxes.jsonl", choice_line(0))

    assert bench.faults(log, **choices) == [(code, None, None)]


def test_the_reason_for_a_format_is_given(bench: Workbench) -> None:
    detected = bench.bring(bench.log("a.jsonl", choice_line(0)), benchmark="b", run="one")
    asked = bench.bring(bench.log("a.jsonl", choice_line(0)), benchmark="b", run="two", format="harness")

    assert "doc" in detected.files[0].why
    assert asked.files[0].why == "as asked for"


def test_logs_beside_an_archive_are_found_and_what_it_stores_is_not(bench: Workbench) -> None:
    """An archive made where the logs lie holds copies of them."""
    log = bench.log(f"samples_foxes_{_FIRST}.jsonl", choice_line(0))
    bench.bring(log)

    found = find([bench.folder], Choices())

    assert [one.samples for one in found.evaluations] == [log]


def test_a_results_file_that_holds_half_a_surrogate_pair_is_left_out_and_said_to_be(bench: Workbench) -> None:
    results(bench, f"results_{_FIRST}.json", "foxes", model="half \ud835")
    log = bench.log(f"samples_foxes_{_FIRST}.jsonl", choice_line(0))

    imported = bench.bring(log)

    assert [text for text in imported.entry.notices if f"results_{_FIRST}.json" in text]
    assert whole(bench.root) == []


def test_a_task_name_that_is_no_unicode_becomes_a_text(bench: Workbench) -> None:
    bench.bring(bench.log("samples_caf\udce9.jsonl", choice_line(0)))

    assert [record["benchmark"] for record in bench.records()] == ["caf\\udce9"]
    assert whole(bench.root) == []


def test_a_results_file_by_itself_is_said_to_be_one(bench: Workbench) -> None:
    beside = results(bench, f"results_{_FIRST}.json", "foxes")

    with pytest.raises(InvalidInput) as refusal:
        find([beside], Choices())

    assert (refusal.value.code.id, refusal.value.text) == (
        "W022",
        (
            f"{beside} is the results file of an evaluation, which holds no answers; name the samples_*.jsonl beside "
            "it, or the folder, and it is read with them."
        ),
    )


def test_a_results_file_that_was_not_taken_is_named_with_the_reason(bench: Workbench) -> None:
    results(bench, f"results_{_SECOND}.json", "foxes")
    log = bench.log(f"samples_foxes_{_FIRST}.jsonl", choice_line(0))

    with pytest.raises(InvalidInput) as refusal:
        model_named(find([log], Choices()))

    assert (refusal.value.code.id, refusal.value.where.file) == ("W023", str(log))
    assert refusal.value.text == (
        f"beside it results_{_SECOND}.json has the time stamp {_SECOND}, the log has the time stamp {_FIRST}, "
        "so nothing names the model; name it with --model."
    )
