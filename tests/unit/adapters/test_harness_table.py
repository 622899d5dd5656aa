"""The harness's table is made again from the lines, and a log that is not whole says so."""

from __future__ import annotations

import hashlib
import json
from typing import Any

import pytest

from harness_lines import harness_context
from itemproof.adapters.base import LineRefused, Tally
from itemproof.adapters.harness import HarnessAdapter
from itemproof.adapters.harness_names import file_name
from itemproof.adapters.harness_results import facts_of
from itemproof.adapters.harness_table import notices, reproduce
from shared import SHARED, needs_shared


def tally(**sums: tuple[int, float]) -> dict[str, Tally]:
    """The tally of the task `t`, by metric and filter joined with `__`."""
    split = {tuple(name.split("__")): value for name, value in sums.items()}
    return {"t": Tally(sums={("b", filter_, metric): value for (metric, filter_), value in split.items()})}


def results(table: dict[str, Any], *metrics: dict[str, Any]) -> dict[str, Any]:
    return {"results": {"t": table}, "configs": {"t": {"metric_list": list(metrics)}}}


ACC = {"metric": "acc"}


@pytest.mark.parametrize(
    ("table", "sums", "due"),
    [
        pytest.param({"acc,none": 0.5}, {"acc__none": (4, 2.0)}, 1, id="equal"),
        pytest.param({"acc,none": 0.5 + 1e-13}, {"acc__none": (4, 2.0)}, 1, id="another_order_of_summing"),
        pytest.param({"acc,none": 0.0}, {"acc__none": (4, 0.0)}, 1, id="zero"),
        pytest.param({"acc,none": 0.5}, {}, 0, id="no_line_has_it"),
        pytest.param({"acc,none": 0.5}, {"acc__none": (0, 0.0)}, 0, id="no_line_has_a_number"),
        pytest.param({"acc,none": "N/A"}, {"acc__none": (4, 2.0)}, 0, id="the_table_has_no_number"),
        pytest.param({"acc,none": float("nan")}, {"acc__none": (4, 2.0)}, 0, id="the_table_has_nan"),
        pytest.param({"acc,none": 10**400}, {"acc__none": (4, 2.0)}, 0, id="the_table_has_what_no_double_holds"),
        pytest.param({"acc,none": True}, {"acc__none": (1, 1.0)}, 0, id="the_table_has_a_truth_value"),
        pytest.param({"acc,none": 1e308}, {"acc__none": (2, float("inf"))}, 0, id="the_lines_leave_the_range"),
        pytest.param({"acc,none": 0.5}, {"acc__none": (2, float("nan"))}, 0, id="the_lines_have_no_sum"),
        pytest.param({"acc_stderr,none": 0.5}, {"acc_stderr__none": (4, 2.0)}, 0, id="a_standard_error"),
        pytest.param({"acc,a": 0.5, "acc,b": 1.0}, {"acc__a": (2, 1.0), "acc__b": (2, 2.0)}, 2, id="two_filters"),
        pytest.param({"acc,get-answer": 0.5}, {"acc__none": (4, 2.0)}, 1, id="the_lines_do_not_name_the_one_filter"),
        pytest.param({"acc,a": 0.5, "acc,b": 0.5}, {"acc__none": (4, 2.0)}, 0, id="nor_which_of_two"),
        pytest.param({"acc,a": 0.5}, {"acc__b": (4, 2.0)}, 0, id="another_filter_than_the_tables"),
        pytest.param({"mine,none": 0.5}, {"mine__none": (4, 2.0)}, 1, id="an_unlisted_metric_is_averaged"),
    ],
)
def test_means_that_the_lines_give_are_counted(table: dict[str, Any], sums: Any, due: int) -> None:
    assert reproduce(tally(**sums), results(table, ACC)) == {"agree": due, "differ": []}


def test_a_mean_that_differs_is_shown_with_both_values() -> None:
    found = reproduce(tally(acc__none=(3, 1.0)), results({"acc,none": 0.75}, ACC))
    entry = {"task": "t", "metric": "acc", "filter": "none", "lines": 1 / 3, "table": 0.75, "counted": 3}
    assert found == {"agree": 0, "differ": [entry]}


def test_benchmarks_of_one_task_are_averaged_together() -> None:
    tallies = {"t": Tally(sums={("a", "none", "acc"): (1, 1.0), ("b", "none", "acc"): (3, 0.0)})}
    assert reproduce(tallies, results({"acc,none": 0.25}, ACC)) == {"agree": 1, "differ": []}


@pytest.mark.parametrize(
    ("metric", "due"),
    [
        pytest.param({"metric": "m", "aggregation": "mean"}, 1, id="mean"),
        pytest.param({"metric": "m", "aggregation": "<function mean at 0x1>"}, 1, id="mean_as_a_function"),
        pytest.param({"metric": "def m(x):\n  pass", "aggregation": "mean"}, 1, id="metric_as_a_function"),
        pytest.param({"metric": "m", "aggregation": "perplexity"}, 0, id="perplexity"),
        pytest.param({"metric": "m", "aggregation": "def f(x):\n  return 0"}, 0, id="a_function_of_the_task"),
        pytest.param({"metric": "m"}, 0, id="no_default_is_known"),
        pytest.param({"metric": "m", "aggregation": 3}, 0, id="an_odd_aggregation"),
    ],
)
def test_only_what_the_harness_averages_is_compared(metric: dict[str, Any], due: int) -> None:
    assert reproduce(tally(m__none=(4, 2.0)), results({"m,none": 0.5}, metric)) == {"agree": due, "differ": []}


@pytest.mark.parametrize(
    "odd",
    [
        {},
        {"results": {"t": {"acc,none": 0.5}}},
        {"results": {"t": {"acc,none": 0.5}}, "configs": []},
        {"results": {"t": {"acc,none": 0.5}}, "configs": {"t": {"metric_list": None}}},
        {"results": 1, "configs": 1},
        None,
    ],
)
def test_nothing_is_compared_where_nothing_is_known_of_the_metrics(odd: Any) -> None:
    assert reproduce(tally(acc__none=(4, 1.0)), odd) == {"agree": 0, "differ": []}


EDITED = (
    "t: the documents, prompts, targets or their order are not those of the results file (task_hashes):"
    " the log was edited, reordered or joined after the harness wrote it."
)


def facts(effective: Any = 4, original: Any = 4, filters: tuple[str, ...] = (), task_hash: str = "a") -> dict[str, Any]:
    known: dict[str, Any] = {"n_samples": {"original": original, "effective": effective}, "task_hash": task_hash}
    return {"tasks": {"t": known | {"filters": list(filters)}}}


@pytest.mark.parametrize(
    ("known", "lines", "digest", "due"),
    [
        pytest.param(facts(), 4, "a", [], id="whole"),
        pytest.param(facts(), 4, None, [], id="no_digest"),
        pytest.param({}, 4, "a", [], id="no_facts"),
        pytest.param(facts("4", None), 3, "a", [], id="odd_counts"),
        pytest.param(facts(9 * 10**4299, 10**4299, ("a", "b")), 3, "a", [], id="counts_too_long_to_print"),
        pytest.param(
            facts(1000, 10042),
            3,
            "b",
            [
                "t: 3 of 1,000 lines: the log was cut after the run.",
                "t: 1,000 of 10,042 documents: the run was limited.",
            ],
            id="cut_and_limited",
        ),
        pytest.param(
            facts(100, 100, ("a", "b")),
            3,
            "b",
            ["t: 3 of 200 lines (100 documents, 2 filters): the log was cut after the run."],
            id="cut_with_two_filters",
        ),
        pytest.param(
            facts(),
            4,
            "b",
            [EDITED],
            id="edited",
        ),
    ],
)
def test_what_is_wrong_with_a_log_is_said_once(known: Any, lines: int, digest: str | None, due: list[str]) -> None:
    assert notices("t", Tally(stable=lines - 1, run_local=1), digest, known) == due


def real_folders() -> list[Any]:
    """The folders whose logs are JSON Lines, and how many values of the table their lines give."""
    due = {
        "0.4.3": (6, 0),
        "0.4.8": (8, 0),
        "0.4.13": (8, 0),
        "davinci-002-hellaswag": (2, 0),
        "davinci-002-mixed": (6, 0),
        "khayyam-gemma-2-9b-it": (2, 0),
        "negotiationtom-belief-rerun1": (1, 0),
        "pyfade-gsm8k-a": (0, 1),
        "truthfulqa-en-llama-3.1-8b": (3, 0),
    }
    folder = SHARED / "data" / "lm-eval"
    return [
        pytest.param(path, *due[path.name], id=path.name) for path in sorted(folder.glob("*/*")) if path.name in due
    ]


@needs_shared
@pytest.mark.shared
@pytest.mark.parametrize(("folder", "agree", "differ"), real_folders())
def test_the_tables_of_real_runs_are_made_again(folder: Any, agree: int, differ: int) -> None:
    (path,) = folder.glob("results*.json")
    data = json.loads(path.read_text(encoding="utf-8"))
    tallies: dict[str, Tally] = {}
    hash_faults = []
    for log in sorted(folder.glob("samples*.jsonl")):
        task = file_name(log.name).task or ""
        normaliser = HarnessAdapter().normaliser(harness_context(task=task, results=data))
        try:
            for number, line in enumerate(log.read_bytes().split(b"\n")[:-1], start=1):
                normaliser.records(json.loads(line), number)
        except LineRefused:
            continue
        tallies[task] = normaliser.take()
        digest = hashlib.sha256("".join(tallies[task].hashes).encode("ascii")).hexdigest()
        hash_faults += [text for text in notices(task, tallies[task], digest, facts_of(data)) if "task_hashes" in text]
    found = reproduce(tallies, data)
    assert (found["agree"], len(found["differ"]), hash_faults) == (agree, differ, [])
