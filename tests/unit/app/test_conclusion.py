"""What the files of an import say together goes into the manifest, and a contradiction refuses the import."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from cli.workbench import Workbench, whole
from harness_lines import choice_line, digest
from itemproof.core.errors import InvalidInput

_STAMP = "2026-01-02T03-04-05.6"


@pytest.fixture
def bench(tmp_path: Path) -> Workbench:
    return Workbench.made(tmp_path)


def lines(*verdicts: float) -> list[dict[str, Any]]:
    """Choice lines with these values of acc, and acc_norm 0."""
    return [choice_line(number, acc=value, acc_norm=0.0) for number, value in enumerate(verdicts)]


def results_data(task: str = "foxes", **changes: Any) -> dict[str, Any]:
    """A results file about three documents of which two were right."""
    metrics = [{"metric": name, "aggregation": "mean", "higher_is_better": True} for name in ("acc", "acc_norm")]
    return {
        "results": {task: {"acc,none": 2 / 3, "acc_stderr,none": 0.3, "acc_norm,none": 0.0}},
        "configs": {task: {"metric_list": metrics, "dataset_kwargs": {"revision": "abc"}}},
        "versions": {task: 2.0},
        "n-samples": {task: {"original": 3, "effective": 3}},
        "config": {"random_seed": 0, "torch_seed": 1234},
        "model_name": "demo/model",
        "lm_eval_version": "0.4.9",
        **changes,
    }


def evaluation(
    bench: Workbench, data: dict[str, Any], *verdicts: float, task: str = "foxes", folder: str = "a"
) -> Path:
    """A folder with one evaluation."""
    bench.log(f"{folder}/results_{_STAMP}.json", json.dumps(data).encode())
    return bench.log(f"{folder}/samples_{task}_{_STAMP}.jsonl", *lines(*verdicts)).parent


def test_the_harness_s_table_is_made_again_of_the_lines(bench: Workbench) -> None:
    entry = bench.bring(evaluation(bench, results_data(), 1.0, 0.0, 1.0)).entry

    assert entry.reproduced == {"agree": 2, "differ": []}
    assert entry.notices == []


def test_a_table_that_the_lines_do_not_give_is_named_value_by_value(bench: Workbench) -> None:
    entry = bench.bring(evaluation(bench, results_data(), 1.0, 0.0, 0.0)).entry

    assert entry.reproduced is not None
    assert entry.reproduced["agree"] == 1
    [differing] = entry.reproduced["differ"]
    assert differing == {
        "task": "foxes",
        "metric": "acc",
        "filter": "none",
        "lines": pytest.approx(1 / 3),
        "table": pytest.approx(2 / 3),
        "counted": 3,
    }


def test_a_log_without_results_reproduces_nothing_and_says_nothing(bench: Workbench) -> None:
    entry = bench.bring(bench.log("samples_foxes.jsonl", *lines(1.0))).entry

    assert (entry.reproduced, entry.facts, entry.notices) == (None, {}, [])


def test_the_run_learns_what_it_has_not_said_itself(bench: Workbench) -> None:
    bench.bring(evaluation(bench, results_data(), 1.0, 0.0, 1.0))

    assert bench.archive.run("run-1").manifest.metadata == {
        "dataset_revision": {"foxes": "abc"},
        "task_versions": {"foxes": 2.0},
        "producer": {"name": "lm-evaluation-harness", "version": "0.4.9"},
        "seeds": {"random": 0, "torch": 1234},
    }


def test_what_the_run_says_itself_stays(bench: Workbench) -> None:
    own = {"producer": {"name": "ours"}, "seeds": 7, "dataset_revision": "abc", "task_versions": {"bears": 1}}

    bench.bring(evaluation(bench, results_data(), 1.0, 0.0, 1.0), metadata=own)

    metadata = bench.archive.run("run-1").manifest.metadata
    assert metadata == {**own, "task_versions": {"foxes": 2.0, "bears": 1}}


@pytest.mark.parametrize(
    ("own", "path"),
    [
        ({"dataset_revision": "xyz"}, "$.metadata.dataset_revision"),
        ({"dataset_revision": {"foxes": "xyz"}}, "$.metadata.dataset_revision"),
        ({"task_versions": {"foxes": 1}}, "$.metadata.task_versions"),
    ],
)
def test_another_revision_or_version_of_a_benchmark_is_refused(
    bench: Workbench, own: dict[str, Any], path: str
) -> None:
    folder = evaluation(bench, results_data(), 1.0, 0.0, 1.0)

    assert bench.faults(folder, metadata=own) == [("H030", None, path)]


def test_a_version_that_is_written_otherwise_is_the_same(bench: Workbench) -> None:
    bench.bring(evaluation(bench, results_data(versions={"foxes": "2"}), 1.0), metadata={"task_versions": {"foxes": 2}})

    assert len(bench.records()) == 1


def test_a_later_import_of_another_version_is_refused(bench: Workbench) -> None:
    bench.bring(evaluation(bench, results_data(), 1.0, 0.0, 1.0))
    bench.log(f"b/results_{_STAMP}.json", json.dumps(results_data(versions={"foxes": 3})).encode())
    more = bench.log(f"b/samples_foxes_{_STAMP}.jsonl", choice_line(7))

    assert bench.faults(more) == [("H030", None, "$.metadata.task_versions")]


@pytest.mark.parametrize(
    "other", [{"versions": {"foxes": 3}}, {"configs": {"foxes": {"dataset_kwargs": {"revision": "xyz"}}}}]
)
def test_repeats_of_two_versions_are_no_repeats(bench: Workbench, other: dict[str, Any]) -> None:
    later = _STAMP.replace("2026", "2027")
    folder = evaluation(bench, results_data(), 1.0, 0.0, 1.0)
    bench.log(f"a/results_{later}.json", json.dumps(results_data(**other)).encode())
    bench.log(f"a/samples_foxes_{later}.jsonl", *lines(1.0, 1.0, 1.0))

    with pytest.raises(InvalidInput) as refused:
        bench.bring(folder, as_repeats=True)

    assert [str(finding.code) for finding in refused.value.findings] == ["H030"]
    assert bench.archive.run_ids() == []


def test_another_model_s_name_is_a_notice(bench: Workbench) -> None:
    entry = bench.bring(evaluation(bench, results_data(), 1.0, 0.0, 1.0), model="someone/else").entry

    assert entry.notices == ["the results file names the model 'demo/model', the run has 'someone/else'."]


def test_a_log_that_was_cut_or_edited_is_noticed(bench: Workbench) -> None:
    three = lines(1.0, 0.0, 1.0)
    joined = "".join(line[name] for line in three for name in ("doc_hash", "prompt_hash", "target_hash"))
    data = results_data(task_hashes={"foxes": digest(joined)})
    folder = evaluation(bench, data, 1.0, 0.0, 1.0)
    swapped = bench.log(f"b/samples_foxes_{_STAMP}.jsonl", three[1], three[0], three[2])
    bench.log(f"b/results_{_STAMP}.json", json.dumps(data).encode())
    cut = evaluation(bench, data, 1.0, 0.0, folder="c")

    assert bench.bring(folder, run="as-it-was").entry.notices == []
    [edited] = bench.bring(swapped.parent, run="swapped").entry.notices
    assert "task_hashes" in edited
    [short] = bench.bring(cut, run="cut").entry.notices
    assert short.startswith("foxes: 2 of 3 lines")


def test_a_text_that_looks_like_a_key_is_noticed_with_its_place(bench: Workbench) -> None:
    data = results_data(config={"model_args": "model=m,api_key=" + "q" * 30})

    [notice] = bench.bring(evaluation(bench, data, 1.0, 0.0, 1.0)).entry.notices

    assert f"results_{_STAMP}.json $.config.model_args" in notice
    assert "q" * 30 not in notice


def test_two_results_files_are_told_apart(bench: Workbench) -> None:
    one = evaluation(bench, results_data(), 1.0, 0.0, 1.0)
    two = evaluation(bench, results_data("bears"), 1.0, 1.0, 1.0, task="bears", folder="b")

    entry = bench.bring(one, two).entry

    assert sorted(entry.facts["tasks"]) == ["bears", "foxes"]
    assert entry.reproduced is not None
    assert entry.reproduced["agree"] == 3
    assert [value["task"] for value in entry.reproduced["differ"]] == ["bears"]
    assert len(bench.archive.run("run-1").manifest.attachments) == 2
    assert whole(bench.root) == []
