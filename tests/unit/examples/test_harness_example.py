"""The committed harness logs are whole, agree with themselves, and show what their README says."""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from pathlib import Path
from statistics import fmean
from typing import Any

import pytest

EXAMPLE = Path(__file__).resolve().parents[3] / "examples" / "harness"
FOLDERS = sorted(path for path in (EXAMPLE / "logs").iterdir() if path.is_dir())
TASKS = ("everyday_de", "everyday_en", "everyday_es", "word_sums")

each_model = pytest.mark.parametrize("folder", FOLDERS, ids=lambda path: path.name)


def results_of(folder: Path) -> dict[str, Any]:
    (path,) = folder.glob("results_*.json")
    results: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return results


def samples_of(folder: Path, task: str) -> list[dict[str, Any]]:
    (path,) = folder.glob(f"samples_{task}_*.jsonl")
    return [json.loads(line) for line in path.read_bytes().removesuffix(b"\n").split(b"\n")]


def documents_of(task: str) -> list[dict[str, Any]]:
    lines = (EXAMPLE / "data" / f"{task}.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def sha256(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


def test_there_are_two_models_each_with_a_results_file_and_four_sample_files() -> None:
    assert [folder.name for folder in FOLDERS] == ["demo__ngram-3", "demo__ngram-8"]
    for folder in FOLDERS:
        names = sorted(path.name.rpartition("_")[0] for path in folder.iterdir())
        assert names == ["results", *(f"samples_{task}" for task in TASKS)]


@each_model
@pytest.mark.parametrize("task", TASKS)
def test_the_hashes_of_every_line_and_of_the_task_recompute(folder: Path, task: str) -> None:
    joined = ""
    for line in samples_of(folder, task):
        assert line["doc_hash"] == sha256(json.dumps(line["doc"], indent=2, ensure_ascii=False))
        assert line["prompt_hash"] == sha256(line["arguments"]["gen_args_0"]["arg_0"])
        assert line["target_hash"] == sha256(line["target"])
        joined += line["doc_hash"] + line["prompt_hash"] + line["target_hash"]
    assert results_of(folder)["task_hashes"][task] == sha256(joined)


@each_model
@pytest.mark.parametrize("task", TASKS)
def test_the_lines_hold_the_documents_as_they_stand_beside_the_tasks(folder: Path, task: str) -> None:
    filters = 2 if task == "word_sums" else 1
    assert [line["doc"] for line in samples_of(folder, task)] == documents_of(task) * filters


@pytest.mark.parametrize("language", ["de", "en", "es"])
def test_every_question_has_both_wordings_and_its_choices_are_the_same_words(language: str) -> None:
    wordings: dict[str, dict[str, dict[str, Any]]] = defaultdict(dict)
    for document in documents_of(f"everyday_{language}"):
        assert (document["benchmark"], document["language"], document["script"]) == ("everyday", language, "Latn")
        wordings[document["question_id"]][document["variant_id"]] = document
    assert sorted(wordings) == [f"everyday-{number:02}" for number in range(1, 21)]
    for wording in wordings.values():
        original, rephrased = wording["original"], wording["rephrased"]
        assert len(wording) == 2
        assert original["question"] != rephrased["question"]
        assert len(set(original["choices"])) == 4
        assert sorted(original["choices"]) == sorted(rephrased["choices"])
        assert original["choices"][original["answer"]] == rephrased["choices"][rephrased["answer"]]


@pytest.mark.parametrize("language", ["de", "en", "es"])
def test_the_answers_spread_evenly_over_the_positions(language: str) -> None:
    answers = [(line["variant_id"], line["answer"]) for line in documents_of(f"everyday_{language}")]
    assert {answer: answers.count(answer) for answer in answers} == {
        (variant, position): 5 for variant in ("original", "rephrased") for position in range(4)
    }


@each_model
def test_the_harness_table_is_the_mean_of_the_lines(folder: Path) -> None:
    values: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for task in TASKS:
        for line in samples_of(folder, task):
            for row in (task, task.partition("_")[0]):  # the group of everyday_de is everyday
                for metric in line["metrics"]:
                    values[row][f"{metric},{line['filter']}"].append(line[metric])
    table = results_of(folder)["results"]
    assert sorted(table) == ["everyday", *TASKS]
    for row, metrics in table.items():
        means = {name: value for name, value in metrics.items() if "," in name and "_stderr," not in name}
        assert means == pytest.approx({name: fmean(numbers) for name, numbers in values[row].items()})


@each_model
def test_the_results_name_the_model_and_no_machine(folder: Path) -> None:
    results = results_of(folder)
    assert results["model_name_sanitized"] == folder.name
    assert results["config"]["model_args"] == {"pretrained": results["model_name"]}
    assert (results["git_hash"], results["upper_git_hash"]) == (None, None)
    assert {task: config["metadata"]["config_source"] for task, config in results["configs"].items()} == {
        task: f"tasks/{task}.yaml" for task in TASKS
    }


def test_the_readme_gives_the_figures_of_both_tables() -> None:
    left, right = (results_of(folder)["results"] for folder in FOLDERS)
    due = [
        f"| {row} | {metric.partition(',')[2]} | {metric.partition(',')[0]} | {value:.4f} | {right[row][metric]:.4f} |"
        for row in ("everyday", *TASKS)
        for metric, value in left[row].items()
        if "," in metric and "_stderr," not in metric
    ]
    lines = (EXAMPLE / "README.md").read_text(encoding="utf-8").splitlines()
    assert [line for line in lines if line.startswith(("| everyday", "| word_sums"))] == due


@pytest.mark.parametrize("wording", ["original", "rephrased"])
def test_the_readme_counts_what_the_second_model_broke_and_fixed(wording: str) -> None:
    left, right = (
        [line["acc"] for task in TASKS[:3] for line in samples_of(folder, task) if line["doc"]["variant_id"] == wording]
        for folder in FOLDERS
    )
    pairs = list(zip(left, right, strict=True))
    counts = [pairs.count(pair) for pair in ((1, 0), (0, 1), (1, 1), (0, 0))]
    lines = (EXAMPLE / "README.md").read_text(encoding="utf-8").splitlines()
    assert f"| {wording} | {' | '.join(map(str, counts))} |" in lines
