"""The statistics of a comparison are those of `stats`, with the unit that the pairs allow."""

from __future__ import annotations

import pytest

from comparing_tables import a_line, paired, table_of
from itemproof.comparing.certainty import Asked, accuracy_of, statistics_of, verdict_of
from itemproof.comparing.comparison import Whole, compare_tables
from itemproof.comparing.outcomes import Judge
from itemproof.comparing.pairing import pair
from itemproof.records.certainty import Delta, Interval
from itemproof.records.comparison import Accuracy
from itemproof.stats.clustered import cluster, clustered_mean
from itemproof.stats.estimate import Estimate
from itemproof.stats.intervals import student, wilson
from itemproof.stats.mcnemar import McNemar, mcnemar
from itemproof.stats.paired import PairedTable, newcombe
from itemproof.stats.resampling import cluster_bootstrap, sign_flips

T0 = PairedTable(both_correct=130, correct_to_wrong=28, wrong_to_correct=12, both_wrong=30)


def whole_of(lines: list[bytes], others: list[bytes], asked: Asked = Asked()) -> Whole:  # noqa: B008
    joined = pair(table_of(lines), table_of(others))
    return compare_tables(joined, Judge(joined, None), None, asked)


def test_the_worked_table() -> None:
    found = statistics_of(T0, None, None, Asked())
    delta, left, tested = newcombe(T0), wilson(158, 200), mcnemar(T0)
    assert isinstance(delta, Estimate)
    assert isinstance(left, Estimate)
    assert isinstance(tested, McNemar)
    assert (found.delta.low, found.delta.high, found.delta.method) == (delta.low, delta.high, delta.method)
    assert found.delta.low == pytest.approx(-0.14183, abs=1e-5)
    assert found.delta.se == pytest.approx(0.031191, abs=1e-6)
    assert found.left == Interval(low=left.low, high=left.high, method="Wilson")
    assert found.mcnemar is not None
    assert (found.mcnemar.p, found.mcnemar.mid_p, found.mcnemar.n) == (tested.p, tested.mid_p, 40)
    assert (found.flip_rate, found.unit, found.level, found.clusters) == (0.2, "pair", 0.95, None)
    assert accuracy_of(T0) == Accuracy(pairs=200, left=0.79, right=0.71, delta=-0.08)
    assert found.why == {}


def test_without_pairs_everything_is_null_with_a_reason() -> None:
    empty = PairedTable(both_correct=0, correct_to_wrong=0, wrong_to_correct=0, both_wrong=0)
    found = statistics_of(empty, None, None, Asked())
    assert accuracy_of(empty) == Accuracy(pairs=0, left=None, right=None, delta=None)
    assert (found.left, found.delta, found.mcnemar, found.flip_rate, found.mde) == (
        Interval(low=None, high=None, method=None),
        Delta(low=None, high=None, se=None, method=None),
        None,
        None,
        None,
    )
    assert set(found.why) == {"left", "right", "delta", "mcnemar", "flip_rate", "mde"}


def test_no_change_still_has_a_width_and_no_detectable_difference() -> None:
    found = statistics_of(
        PairedTable(both_correct=40, correct_to_wrong=0, wrong_to_correct=0, both_wrong=0), None, None, Asked()
    )
    assert found.delta.low == pytest.approx(-0.0876, abs=1e-4)
    assert (found.delta.se, found.mde) == (None, None)
    assert {"se", "mde"} <= set(found.why)
    assert verdict_of(found.delta, Asked()) == "inconclusive"


@pytest.mark.parametrize(
    ("low", "high", "within", "word"),
    [
        (0.01, 0.05, None, "better"),
        (-0.05, -0.01, None, "worse"),
        (-0.01, 0.01, None, "inconclusive"),
        (-0.01, 0.01, 0.02, "within 2.0 points"),
        (-0.01, 0.03, 0.02, "inconclusive"),
        (0.001, 0.01, 0.02, "within 2.0 points"),
        (0.01, 0.05, 0.02, "better"),
        (None, None, None, None),
    ],
)
def test_the_word_for_a_difference(
    low: float | None, high: float | None, within: float | None, word: str | None
) -> None:
    assert verdict_of(Delta(low=low, high=high, se=None, method="m"), Asked(within=within)) == word


def test_a_lower_number_may_be_the_better_one() -> None:
    delta = Delta(low=0.01, high=0.05, se=None, method="m")
    assert verdict_of(delta, Asked(), higher_is_better=False) == "worse"


def test_repeats_of_a_question_are_one_unit() -> None:
    verdicts = {"q1": (1, 1, 0), "q2": (0, 0, 1), "q3": (1, 0, 0), "q4": (1, 1, 1)}
    left = [
        a_line(name, repeat_id=at, correct=bool(one)) for name, row in verdicts.items() for at, one in enumerate(row)
    ]
    right = [a_line(name, repeat_id=at, correct=True) for name, row in verdicts.items() for at, _ in enumerate(row)]
    (group,) = whole_of(left, right).groups
    labels = [name for name, row in verdicts.items() for _ in row]
    change = cluster([1 - one for row in verdicts.values() for one in row], labels)
    due, flips = clustered_mean(change, bounds=(-1, 1)), sign_flips(change, seed=0)
    assert isinstance(due, Estimate)
    statistics = group.statistics
    assert (statistics.unit, statistics.clusters, statistics.mcnemar) == ("question", 4, None)
    assert (statistics.delta.low, statistics.delta.high, statistics.delta.se) == (due.low, due.high, due.se)
    assert statistics.sign_flips is not None
    assert statistics.sign_flips.p == getattr(flips, "p", None)
    assert "mcnemar" in statistics.why
    assert group.accuracy.pairs == 12


def test_the_aggregate_takes_filters_and_languages_of_one_question_for_one_unit() -> None:
    left = [a_line(f"q{at}", filter=name, correct=at % 2 == 0) for at in range(6) for name in ("a", "b")]
    right = [a_line(f"q{at}", filter=name, correct=at % 3 == 0) for at in range(6) for name in ("a", "b")]
    found = whole_of(left, right)
    assert [group.statistics.unit for group in found.groups] == ["pair", "pair"]
    assert (found.statistics.unit, found.statistics.clusters, found.accuracy.pairs) == ("question", 6, 12)


def test_the_same_name_in_two_benchmarks_is_two_questions() -> None:
    lines = [a_line(f"q{at}", benchmark=name, correct=at % 2 == 0) for at in range(6) for name in ("a", "b")]
    assert whole_of(lines, lines).statistics.unit == "pair"


def test_clusters_that_are_named_have_a_bootstrap() -> None:
    left = {f"q{at}": at % 3 != 0 for at in range(30)}
    right = {f"q{at}": at % 4 != 0 for at in range(30)}
    joined = paired(left, right)
    labels = [str(at % 5) for at in range(30)]
    asked = Asked(cluster="topic", seed=7, margin=0.5)
    found = compare_tables(joined, Judge(joined, None), None, asked, lambda _: labels)
    change = cluster([right[name] - left[name] for name in left], labels)
    due = cluster_bootstrap(change, seed=7)
    assert isinstance(due, Estimate)
    statistics = found.groups[0].statistics
    assert statistics.bootstrap is not None
    assert (statistics.bootstrap.low, statistics.bootstrap.high) == (due.low, due.high)
    assert (statistics.unit, statistics.clusters) == ("topic", 5)
    one_sided = clustered_mean(change, level=2 * 0.95 - 1, bounds=(-1, 1))
    assert isinstance(one_sided, Estimate)
    assert statistics.non_inferiority is not None
    assert (statistics.non_inferiority.low, statistics.non_inferiority.p) == (one_sided.low, None)


def test_holm_corrects_over_the_groups() -> None:
    left = [a_line(f"q{at}", benchmark=name, correct=True) for at in range(20) for name in ("a", "b")]
    right = [a_line(f"q{at}", benchmark="a", correct=at > 9) for at in range(20)]
    right += [a_line(f"q{at}", benchmark="b", correct=at > 5) for at in range(20)]
    groups = whole_of(left, right).groups
    p_values = [group.statistics.mcnemar.p for group in groups if group.statistics.mcnemar]
    assert [group.holm_p for group in groups] == [2 * p_values[0], p_values[1]]
    assert whole_of(left[:1], left[:1]).groups[0].holm_p is None


def test_numbers_have_means_and_students_interval() -> None:
    left = {"a": 0.1, "b": 0.5, "c": 0.25, "d": None}
    right = {"a": 0.3, "b": 0.25, "c": 0.25, "d": 0.5}
    joined = paired(left, right, metric="m")
    (group,) = compare_tables(joined, Judge(joined, "m"), "m", Asked()).groups
    due = student([0.3 - 0.1, -0.25, 0.0])
    assert isinstance(due, Estimate)
    assert group.means is not None
    assert (group.means.pairs, group.means.better, group.means.worse, group.means.equal) == (3, 1, 1, 1)
    assert group.means.delta == pytest.approx(due.value)
    assert (group.statistics.delta.low, group.statistics.delta.high) == (due.low, due.high)
    assert (group.counts.unscored, group.counts.both_correct, group.accuracy.pairs) == (1, None, 0)
    assert group.verdict == "inconclusive"


def test_equal_numbers_have_no_interval_and_a_reason() -> None:
    joined = paired({"a": 0.5, "b": 0.5}, {"a": 0.5, "b": 0.5}, metric="m")
    (group,) = compare_tables(joined, Judge(joined, "m"), "m", Asked()).groups
    assert (group.statistics.delta.low, group.verdict) == (None, None)
    assert "delta" in group.statistics.why


def test_non_inferiority_is_the_one_sided_answer() -> None:
    table = PairedTable(both_correct=900, correct_to_wrong=40, wrong_to_correct=35, both_wrong=25)
    answer = statistics_of(table, None, None, Asked(margin=0.02)).non_inferiority
    assert answer is not None
    assert (answer.shown, answer.margin, answer.level) == (True, 0.02, 0.95)
    assert answer.low == pytest.approx(-0.01955, abs=1e-5)
    assert answer.p == pytest.approx(0.0449, abs=1e-4)
