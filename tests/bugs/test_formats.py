"""Troubles that people reported of other tools with the shapes of logs, metrics and answer keys."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from cli.workbench import Workbench, whole


@pytest.fixture
def bench(tmp_path: Path) -> Workbench:
    return Workbench.made(tmp_path)


def line(number: int, **changes: Any) -> dict[str, Any]:
    """A harness line of document `q<number>`."""
    given = {"doc_id": number, "doc": {"id": f"q{number}"}, "target": "42", "resps": [["so 42"]], "benchmark": "b"}
    return {**given, **changes}


def test_bug_035_filters_make_records_of_their_own_and_unnamed_ones_are_refused(bench: Workbench) -> None:
    named = [
        line(0, filter="strict-match", metrics=["exact_match"], exact_match=0.0, filtered_resps=["[invalid]"]),
        line(0, filter="flexible-extract", metrics=["exact_match"], exact_match=1.0, filtered_resps=["42"]),
    ]
    unnamed = [{key: value for key, value in each.items() if key not in {"filter", "metrics"}} for each in named]

    bench.bring(bench.log("named.jsonl", *named))
    refused = bench.refusal(bench.log("unnamed.jsonl", *unnamed), run="run-2")

    shown = [(record["question_id"], record["filter"], record["correct"]) for record in bench.records()]
    assert shown == [("q0", "strict-match", False), ("q0", "flexible-extract", True)]
    assert [(one.code.id, one.where.line, one.where.path) for one in refused.findings] == [("H004", 2, "$.doc_id")]
    assert "Several filters are the likely cause" in refused.text


def test_bug_035_unnamed_filters_are_refused_without_ids_too(bench: Workbench) -> None:
    anonymous = [line(0, doc={"question": "6*7"}, exact_match=value) for value in (0.0, 1.0)]

    assert bench.faults(bench.log("anonymous.jsonl", *anonymous)) == [("H004", 2, "$.doc_id")]


def test_bug_037_requests_keep_their_number_order_in_both_forms(bench: Workbench) -> None:
    choices = [f" choice {number}" for number in range(12)]
    numbers = [-1.0 - number for number in range(12)]
    lists = line(
        0,
        arguments=[["Q", choice] for choice in choices],
        resps=[[[number, False]] for number in numbers],
        filtered_resps=[[number, False] for number in numbers],
    )
    texts = [[str(number), "False"] for number in numbers]
    by_name = sorted((f"gen_args_{n}", {"arg_0": "Q", "arg_1": choice}) for n, choice in enumerate(choices))
    objects = line(1, arguments=dict(by_name), resps=[[text] for text in texts], filtered_resps=texts)

    bench.bring(bench.log("order.jsonl", lists, objects))

    first, second = bench.records()
    assert first["scores"] == second["scores"] == {"likelihoods": numbers, "greedy": [False] * 12}
    assert second["input"]["arguments"] == [["Q", choice] for choice in choices]
    assert second["response"]["resps"] == [[text] for text in texts]


_ODD_METRICS = [
    line(0, resps=[[["-8.48", "False"]]], perplexity=-8.48, acc=0),
    line(1, metrics=["word_perplexity"], word_perplexity=[-30.0, 11]),
    line(2, metrics={"inst_level": [True, False, True], "prompt_level": False}),
]


@pytest.mark.parametrize("metric", [None, "inst_level", "word_perplexity"])
def test_bug_039_metrics_keep_their_shape_and_only_a_binary_one_says_what_is_right(
    bench: Workbench, metric: str | None
) -> None:
    chosen = {} if metric is None else {"correctness_metric": metric}
    bench.bring(bench.log("odd.jsonl", *_ODD_METRICS), metadata=chosen)

    records = bench.records()
    assert [record["metrics"] for record in records] == [
        {"perplexity": -8.48, "acc": 0},
        {"word_perplexity": [-30.0, 11]},
        {"inst_level": [True, False, True], "prompt_level": False},
    ]
    assert [record["correct"] for record in records] == [False if metric is None else None, None, None]
    assert whole(bench.root) == []


@pytest.mark.parametrize("turned", [False, True], ids=["acc first", "exact_match first"])
def test_bug_041_two_metrics_that_contradict_leave_it_open_whatever_their_order(bench: Workbench, turned: bool) -> None:
    metrics = {"exact_match": 1, "acc": 0} if turned else {"acc": 0, "exact_match": 1}
    bench.bring(
        bench.log("clash.jsonl", line(0, filter="flexible", **metrics), line(0, filter="strict", exact_match=0))
    )

    first, second = bench.records()
    assert (first["correct"], second["correct"]) == (None, False)
    assert [len(record["warnings"]) for record in (first, second)] == [1, 0]
    assert bench.files()[0].warnings == {"H013": 1}


def test_bug_041_a_chosen_metric_settles_it(bench: Workbench) -> None:
    log = bench.log("clash.jsonl", line(0, filter="flexible", acc=0, exact_match=1))
    bench.bring(log, metadata={"correctness_metric": "exact_match"})

    assert [(record["correct"], record["warnings"]) for record in bench.records()] == [(True, [])]


def paired(number: int, original: dict[str, Any], rephrased: dict[str, Any]) -> dict[str, Any]:
    """A line with a question in two wordings."""
    return {"question_id": f"k{number}", "benchmark": "demo", "original": original, "rephrased": rephrased}


def test_bug_044_a_key_behind_the_last_choice_is_refused_and_no_key_is_shifted(bench: Workbench) -> None:
    def wording(key: int) -> dict[str, Any]:
        return {"question": "Q", "choices": ["a", "b", "c", "d"], "correct_index": key, "pred_acc": 3}

    beyond = bench.log("beyond.jsonl", paired(1, wording(3), wording(4)))

    refused = bench.refusal(beyond)

    assert [(one.code.id, one.where.path) for one in refused.findings] == [("R021", "$.rephrased.correct_index")]
    assert "from 0" in refused.text or "from 1" in refused.text
    bench.bring(bench.log("within.jsonl", paired(1, wording(3), wording(2))))
    assert [(record["target"], record["correct"]) for record in bench.records()] == [
        ({"index": 3}, True),
        ({"index": 2}, False),
    ]


def test_bug_046_zero_is_a_key_and_a_missing_key_is_unknown(bench: Workbench) -> None:
    log = bench.log(
        "keys.jsonl",
        paired(
            3,
            {"choices": ["a", "b"], "correct_index": 0, "pred_acc": 0},
            {"choices": ["a", "b"], "correct_index": None, "pred_acc": 0},
        ),
        paired(4, {"choices": ["a", "b"], "pred_acc": 1}, {"choices": ["b", "a"], "pred_acc": 0}),
    )
    bench.bring(log)

    records = bench.records()
    assert [(record["target"], record["correct"]) for record in records] == [
        ({"index": 0}, True),
        (None, None),
        (None, None),
        (None, None),
    ]
    assert [record["prediction"] for record in records] == [{"index": 0}, {"index": 0}, {"index": 1}, {"index": 0}]
