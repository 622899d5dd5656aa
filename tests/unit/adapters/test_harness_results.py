"""Facts of results files: every version's, and none that an odd file does not hold."""

from __future__ import annotations

import json
from typing import Any

import pytest

from itemproof.adapters.harness_results import (
    combined_otherwise,
    facts_of,
    finite_number,
    is_results,
    metric_name,
    model_of,
    table_of,
    tasks_of,
)
from shared import SHARED, needs_shared

TASK_CONFIG = {
    "task": "foxes",
    "dataset_path": "acme/foxes",
    "dataset_name": "en",
    "dataset_kwargs": {"revision": "abc", "data_files": {"test": "/home/somebody/foxes.json"}},
    "validation_split": "validation",
    "output_type": "generate_until",
    "generation_kwargs": {"until": ["\n"]},
    "repeats": 2,
    "filter_list": [{"name": "strict-match", "filter": []}, {"name": "flexible", "filter": []}],
    "metric_list": [
        {"metric": "exact_match", "aggregation": "mean", "higher_is_better": True},
        {"metric": "def own(a):\n    return 1\n", "aggregation": "<function mean at 0x7f00>"},
        {"metric": "acc"},
    ],
    "metadata": {"version": 2.0, "api_key": "sk-secret", "config_source": "/home/somebody"},
}
RESULTS = {
    "results": {
        "foxes": {
            "alias": "foxes",
            "exact_match,strict-match": 0.5,
            "exact_match_stderr,strict-match": 0.1,
            "exact_match,flexible": 1,
            "acc,none": float("nan"),
            "own,none": "N/A",
            "flag,none": True,
        },
        "animals": {" ": " ", "alias": "animals"},
    },
    "group_subtasks": {"animals": ["foxes", 3], "foxes": []},
    "configs": {"foxes": TASK_CONFIG},
    "versions": {"foxes": 2.0, "animals": "N/A"},
    "n-shot": {"foxes": 0},
    "higher_is_better": {"foxes": {"exact_match": False, "acc": True}},
    "n-samples": {"foxes": {"original": 10, "effective": 4}},
    "config": {
        "model": "hf",
        "model_args": "pretrained=acme/m,dtype=float16",
        "model_sha": "f" * 40,
        "model_dtype": "torch.float16",
        "batch_size": "auto",
        "limit": 4.0,
        "gen_kwargs": None,
        "random_seed": 0,
        "numpy_seed": 1234,
        "torch_seed": None,
    },
    "git_hash": "791df0f",
    "date": 1730295874.5,
    "pretty_env_info": "a host",
    "transformers_version": "N/A",
    "lm_eval_version": "0.4.9",
    "task_hashes": {"foxes": "c" * 64},
    "model_source": "hf",
    "model_name": "acme/m",
    "system_instruction": None,
    "system_instruction_sha": None,
    "fewshot_as_multiturn": False,
    "chat_template_sha": "d" * 64,
}


def test_the_facts_of_a_whole_results_file() -> None:
    assert facts_of(RESULTS) == {
        "model_name": "acme/m",
        "model_source": "hf",
        "model_args": "pretrained=acme/m,dtype=float16",
        "model_sha": "f" * 40,
        "model_dtype": "torch.float16",
        "lm_eval_version": "0.4.9",
        "git_hash_of_working_directory": "791df0f",
        "date": 1730295874.5,
        "chat_template_sha": "d" * 64,
        "fewshot_as_multiturn": False,
        "limit": 4.0,
        "batch_size": "auto",
        "seeds": {"random": 0, "numpy": 1234},
        "groups": {"animals": ["foxes"]},
        "tasks": {
            "foxes": {
                "version": 2.0,
                "n_shot": 0,
                "dataset_path": "acme/foxes",
                "dataset_name": "en",
                "dataset_revision": "abc",
                "dataset_split": "validation",
                "output_type": "generate_until",
                "generation_kwargs": {"until": ["\n"]},
                "repeats": 2,
                "filters": ["strict-match", "flexible"],
                "metrics": [
                    {"name": "exact_match", "aggregation": "mean", "higher_is_better": True},
                    {"name": "own", "aggregation": "mean"},
                    {"name": "acc", "higher_is_better": True},
                ],
                "n_samples": {"original": 10, "effective": 4},
                "task_hash": "c" * 64,
                "groups": ["animals"],
            }
        },
    }


def test_nothing_of_the_host_or_of_secrets_is_taken_over() -> None:
    text = json.dumps(facts_of(RESULTS))
    assert not [word for word in ("a host", "sk-secret", "somebody") if word in text]


def test_an_early_version_called_yaml_is_no_version() -> None:
    assert facts_of({"results": {"t": {}}, "versions": {"t": "Yaml"}}) == {"tasks": {"t": {}}}


@pytest.mark.parametrize(
    "odd",
    [
        pytest.param({}, id="empty"),
        pytest.param([], id="a_list"),
        pytest.param(None, id="null"),
        pytest.param("text", id="a_text"),
        pytest.param(dict.fromkeys(RESULTS), id="nulls"),
        pytest.param({key: [] for key in RESULTS if key not in {"date", "model_name"}}, id="lists"),
    ],
)
def test_an_odd_file_has_no_task(odd: Any) -> None:
    assert "tasks" not in facts_of(odd)
    assert tasks_of(odd) == []
    assert table_of(odd, "t") == {}
    assert model_of(odd) is None


@pytest.mark.parametrize("odd", [3, "x", [1], [{"metric": 3}], [{"name": 3}], {"metric": "acc"}])
def test_an_odd_part_of_a_task_is_no_fact(odd: Any) -> None:
    config = {"metric_list": odd, "filter_list": odd, "dataset_kwargs": odd, "metadata": odd}
    data = {"results": {"t": odd}, "configs": {"t": config}, "n-samples": odd, "higher_is_better": odd}
    assert facts_of(data) == {"tasks": {"t": {}}}


def test_keys_of_0_3_are_no_values_of_the_table() -> None:
    data = {"results": {"t": {"acc": 0.5, "acc_stderr": 0.1}}, "versions": {"t": 0}, "config": {"model": "gpt2"}}
    assert table_of(data, "t") == {}
    assert facts_of(data) == {"tasks": {"t": {"version": 0}}}


def test_the_table_holds_finite_numbers_without_standard_errors() -> None:
    assert table_of(RESULTS, "foxes") == {("exact_match", "strict-match"): 0.5, ("exact_match", "flexible"): 1}


@pytest.mark.parametrize(
    ("data", "due"),
    [
        pytest.param({"model_name": "acme/m", "config": {"model_args": "pretrained=x"}}, "acme/m", id="recorded"),
        pytest.param({"config": {"model_args": "dtype=f,pretrained=acme/m"}}, "acme/m", id="arguments_as_text"),
        pytest.param({"config": {"model_args": {"pretrained": "acme/m"}}}, "acme/m", id="arguments_as_object"),
        pytest.param({"config": {"model_args": "pretrained=a,peft=b"}}, "b", id="an_adapter_comes_first"),
        pytest.param({"model_name": "", "config": {"model_args": "x=1"}}, None, id="none"),
        pytest.param({"config": {"model_args": ""}}, None, id="empty"),
    ],
)
def test_the_model_is_named_as_recorded_else_as_its_arguments_do(data: Any, due: str | None) -> None:
    assert model_of(data) == due


@pytest.mark.parametrize(
    ("text", "due"),
    [
        ("acc", "acc"),
        ("def f1_abstractive(predictions, references):\n    return 0", "f1_abstractive"),
        ("<function mean at 0x7f5e2c3d0d30>", "mean"),
        ("", None),
        (3, None),
        (None, None),
    ],
)
def test_a_metric_written_as_a_function_has_the_functions_name(text: Any, due: str | None) -> None:
    assert metric_name(text) == due


@pytest.mark.parametrize(
    ("data", "due"),
    [
        (RESULTS, True),
        ({"results": {}, "versions": {}}, True),
        ({"results": []}, False),
        ({"results": [], "config": {}}, False),
        ({"config": {}}, False),
        ([], False),
        (None, False),
    ],
)
def test_a_results_file_is_known_by_its_parts(data: Any, due: bool) -> None:
    assert is_results(data) is due


def real_results() -> list[Any]:
    folder = SHARED / "data" / "lm-eval"
    return [pytest.param(path, id=path.parent.name) for path in sorted(folder.glob("*/*/results*.json"))]


@needs_shared
@pytest.mark.shared
@pytest.mark.parametrize("path", real_results())
def test_every_real_results_file_names_its_model_and_its_tasks(path: Any) -> None:
    data = json.loads(path.read_text(encoding="utf-8"))
    facts = facts_of(data)
    assert is_results(data)
    assert model_of(data)
    assert set(facts["tasks"]) >= set(data["configs"])
    assert all("output_type" in facts["tasks"][task] for task in data["configs"])


@pytest.mark.parametrize(
    ("value", "due"),
    [
        *[(1, 1.0), (0.5, 0.5), (-0.0, 0.0), (10**400, None), (float("inf"), None), (float("nan"), None)],
        *[(True, None), ("1", None), (None, None), ([1], None)],
    ],
)
def test_a_number_is_one_that_a_double_holds(value: Any, due: float | None) -> None:
    assert finite_number(value) == due


def test_metrics_that_the_harness_does_not_average_are_told_with_what_it_does() -> None:
    listed = [
        {"metric": "acc"},
        {"metric": "acc_norm", "aggregation": "mean"},
        {"metric": "f1", "aggregation": "nanmean"},
        {"metric": "perplexity", "aggregation": "perplexity"},
        {"metric": "word_perplexity"},
        {"metric": "own", "aggregation": "def pooled(items):\n  return 0"},
    ]
    facts = facts_of({"results": {"t": {}}, "configs": {"t": {"metric_list": listed}}})
    assert combined_otherwise(facts, "t") == {"perplexity": "perplexity", "word_perplexity": "", "own": "pooled"}
    assert combined_otherwise(facts, "another") == combined_otherwise(facts, None) == {}


@pytest.mark.parametrize(
    "odd", [{}, {"tasks": [1]}, {"tasks": {"t": 1}}, {"tasks": {"t": {"metrics": [1, {"name": 2}]}}}]
)
def test_facts_of_another_shape_tell_nothing(odd: Any) -> None:
    assert combined_otherwise(odd, "t") == {}
