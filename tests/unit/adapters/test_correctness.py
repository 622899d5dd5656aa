"""Which metric says whether an answer is right, and when none does."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from itemproof.adapters.base import Decisions, Tally
from itemproof.adapters.correctness import Correctness, binary
from itemproof.core.errors import InvalidInput
from normalising import file_context, places


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (True, True),
        (False, False),
        (1, True),
        (0, False),
        (1.0, True),
        (0.0, False),
        (-0.0, False),
        (2, None),
        (0.5, None),
        ("1", None),
        ("true", None),
        (None, None),
        ([1], None),
        ({}, None),
        (10**30, None),
    ],
    ids=repr,
)
def test_binary_is_true_false_one_or_zero(value: Any, expected: bool | None) -> None:
    assert binary(value) is expected


def judged(
    metrics: dict[str, Any], chosen: Any = None, *, not_binary: tuple[str, ...] = (), benchmark: str = "b"
) -> tuple[bool | None, bool, set[str], set[str]]:
    """The verdict, whether metrics contradict, and the names that populated and that proved not binary."""
    metadata = {} if chosen is None else {"correctness_metric": chosen}
    decisions = Decisions(not_binary=frozenset((benchmark, "none", name) for name in not_binary))
    tally = Tally()
    correctness = Correctness(replace(file_context(metadata=metadata), decisions=decisions))
    verdict, contradiction = correctness.plan(benchmark, "none", [*metrics]).fill({}, metrics, tally)
    return verdict, contradiction, {use[2] for use in tally.populated}, {use[2] for use in tally.not_binary}


@pytest.mark.parametrize(
    ("metrics", "chosen", "expected"),
    [
        pytest.param({}, None, (None, False, set(), set()), id="no metric"),
        pytest.param({"acc": 1.0}, None, (True, False, {"acc"}, set()), id="acc"),
        pytest.param({"exact_match": 0}, None, (False, False, {"exact_match"}, set()), id="exact_match"),
        pytest.param({"acc": 1, "exact_match": True}, None, (True, False, {"acc", "exact_match"}, set()), id="both"),
        pytest.param({"acc": 1, "exact_match": 0}, None, (None, True, {"acc", "exact_match"}, set()), id="disagree"),
        pytest.param({"acc": None, "exact_match": 1}, None, (True, False, {"exact_match"}, set()), id="a null acc"),
        pytest.param({"acc": 0.5, "exact_match": 1}, None, (True, False, {"exact_match"}, {"acc"}), id="a share"),
        pytest.param({"acc": "1"}, None, (None, False, set(), {"acc"}), id="a text"),
        pytest.param({"acc_norm": 1}, None, (None, False, set(), set()), id="another metric"),
        pytest.param({"acc": 1, "acc_norm": 0}, "acc_norm", (False, False, {"acc_norm"}, set()), id="the chosen one"),
        pytest.param({"acc": 1}, "acc_norm", (None, False, set(), set()), id="the chosen one is absent"),
        pytest.param({"acc": 1, "f1": 0}, {"b": "f1"}, (False, False, {"f1"}, set()), id="chosen for the benchmark"),
        pytest.param({"acc": 1, "f1": 0}, {"c": "f1"}, (True, False, {"acc"}, set()), id="chosen for another"),
    ],
)
def test_the_verdict_comes_from_the_metric_that_may_give_it(
    metrics: dict[str, Any], chosen: Any, expected: tuple[Any, ...]
) -> None:
    assert judged(metrics, chosen) == expected


def test_a_metric_that_proved_not_binary_gives_no_verdict_anywhere_in_the_file() -> None:
    assert judged({"acc": 1, "exact_match": 0}, not_binary=("acc",)) == (False, False, {"exact_match"}, set())


@pytest.mark.parametrize("chosen", [1, ["acc"], {"b": None}, {"b": ["acc"]}])
def test_a_choice_of_metric_that_is_no_name_is_refused(chosen: Any) -> None:
    with pytest.raises(InvalidInput) as refused:
        Correctness(file_context(metadata={"correctness_metric": chosen}))
    assert places(refused.value.findings.kept) == [("R006", "$.metadata.correctness_metric")]
