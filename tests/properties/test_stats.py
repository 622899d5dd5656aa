"""What holds of the statistics for all tables and lists: symmetry, order, bounds, a slow and obvious recount."""

from __future__ import annotations

import math
import random
from fractions import Fraction

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from itemproof.stats.clustered import cluster, cluster_errors, clustered_mean
from itemproof.stats.corrections import benjamini_hochberg, holm
from itemproof.stats.distributions import beta_cdf
from itemproof.stats.estimate import Estimate, Undefined
from itemproof.stats.intervals import clopper_pearson, student, wilson
from itemproof.stats.mcnemar import McNemar, mcnemar
from itemproof.stats.moments import mean, quantile, standard_error
from itemproof.stats.paired import PairedTable, newcombe, paired_se
from itemproof.stats.planning import detectable_shift
from itemproof.stats.repeats import pass_at_k, pass_hat_k, repeats
from itemproof.stats.resampling import cluster_bootstrap, sign_flips
from itemproof.stats.tango import tango

#: A busy machine is no fault of the numbers.
no_hurry = settings(deadline=None)

COUNTS = st.one_of(st.integers(0, 12), st.integers(0, 10**6))
LEVELS = st.sampled_from([0.5, 0.8, 0.9, 0.95, 0.99])
NUMBERS = st.floats(-1e6, 1e6).map(lambda value: round(value, 3))
P_VALUES = st.lists(st.floats(0, 1), max_size=12)


@st.composite
def tables(draw: st.DrawFn, counts: st.SearchStrategy[int] = COUNTS) -> PairedTable:
    a, b, c, d = (draw(counts) for _ in range(4))
    assume(a + b + c + d > 0)
    return PairedTable(both_correct=a, correct_to_wrong=b, wrong_to_correct=c, both_wrong=d)


def swapped(table: PairedTable) -> PairedTable:
    """The same pairs with left and right exchanged."""
    return PairedTable(
        both_correct=table.both_correct,
        correct_to_wrong=table.wrong_to_correct,
        wrong_to_correct=table.correct_to_wrong,
        both_wrong=table.both_wrong,
    )


def mirrored(table: PairedTable) -> PairedTable:
    """The same pairs with correct and wrong exchanged."""
    return PairedTable(
        both_correct=table.both_wrong,
        correct_to_wrong=table.wrong_to_correct,
        wrong_to_correct=table.correct_to_wrong,
        both_wrong=table.both_correct,
    )


@no_hurry
@given(n=st.integers(1, 10**6), share=st.floats(0, 1), level=LEVELS)
def test_an_interval_of_a_share_contains_it_and_mirrors(n: int, share: float, level: float) -> None:
    count = round(share * n)
    for interval in (wilson, clopper_pearson):
        found, other = interval(count, n, level=level), interval(n - count, n, level=level)
        assert isinstance(found, Estimate)
        assert isinstance(other, Estimate)
        assert 0 <= found.low <= found.value <= found.high <= 1
        assert (other.low, other.high) == pytest.approx((1 - found.high, 1 - found.low), rel=1e-9, abs=1e-12)


@no_hurry
@given(n=st.integers(2, 5_000), count=st.integers(0, 4_999), level=LEVELS)
def test_an_interval_of_a_share_rises_with_the_count(n: int, count: int, level: float) -> None:
    assume(count < n)
    for interval in (wilson, clopper_pearson):
        less, more = interval(count, n, level=level), interval(count + 1, n, level=level)
        assert isinstance(less, Estimate)
        assert isinstance(more, Estimate)
        assert less.low < more.low
        assert less.high < more.high


@no_hurry
@given(tables(), LEVELS)
def test_intervals_of_a_difference_contain_it_within_bounds(table: PairedTable, level: float) -> None:
    for interval in (newcombe, tango):
        found = interval(table, level=level)
        assert isinstance(found, Estimate)
        assert -1 <= found.low <= found.value <= found.high <= 1
        assert found.low < found.high


@no_hurry
@given(tables(), LEVELS)
def test_swapping_the_sides_turns_a_difference_round(table: PairedTable, level: float) -> None:
    for interval in (newcombe, tango):
        found = interval(table, level=level)
        assert isinstance(found, Estimate)
        for other in (interval(swapped(table), level=level), interval(mirrored(table), level=level)):
            assert isinstance(other, Estimate)
            turned = (-found.value, -found.high, -found.low)
            assert (other.value, other.low, other.high) == pytest.approx(turned, rel=1e-7, abs=1e-9)
    assert mcnemar(swapped(table)) == mcnemar(table)
    assert paired_se(swapped(table)) == paired_se(table)
    assert detectable_shift(swapped(table)) == detectable_shift(table)


@no_hurry
@given(tables())
def test_a_higher_level_is_a_wider_interval(table: PairedTable) -> None:
    for interval in (newcombe, tango):
        narrow, wide = interval(table, level=0.8), interval(table, level=0.99)
        assert isinstance(narrow, Estimate)
        assert isinstance(wide, Estimate)
        assert wide.low < narrow.low or wide.low == -1
        assert wide.high > narrow.high or wide.high == 1


@no_hurry
@given(b=st.integers(0, 300), c=st.integers(0, 300))
def test_mcnemar_equals_the_sum_of_fractions(b: int, c: int) -> None:
    found = mcnemar(PairedTable(both_correct=1, correct_to_wrong=b, wrong_to_correct=c, both_wrong=0))
    m, k = b + c, min(b, c)
    weights = [Fraction(math.comb(m, i), 2**m) for i in range(m + 1)]
    # as far from the middle as what was observed, or farther, on either side
    p = sum((w for i, w in enumerate(weights) if abs(2 * i - m) >= m - 2 * k), Fraction(0))
    assert isinstance(found, McNemar)
    assert found.p == float(p)
    assert found.mid_p == (float(p - weights[k]) if b != c else 1.0)


@no_hurry
@given(m=st.integers(1, 10**7), share=st.floats(0, 0.5))
def test_a_mid_p_is_smaller_and_both_lie_in_bounds(m: int, share: float) -> None:
    k = int(share * m)
    found = mcnemar(PairedTable(both_correct=0, correct_to_wrong=m - k, wrong_to_correct=k, both_wrong=0))
    assert isinstance(found, McNemar)
    assert 0 < found.mid_p <= found.p <= 1


@no_hurry
@given(k=st.integers(1, 60), n=st.integers(1, 60), x=st.fractions(0, 1, max_denominator=64))
def test_the_beta_distribution_is_a_binomial_tail(k: int, n: int, x: Fraction) -> None:
    assume(k <= n)
    tail = sum(math.comb(n, i) * x**i * (1 - x) ** (n - i) for i in range(k, n + 1))
    assert beta_cdf(float(x), k, n - k + 1) == pytest.approx(float(tail), rel=1e-11, abs=1e-300)


@no_hurry
@given(st.lists(NUMBERS, min_size=1, max_size=30), st.randoms(use_true_random=False))
def test_the_order_of_values_does_not_show(values: list[float], chance: random.Random) -> None:
    mixed = chance.sample(values, len(values))
    assert (mean(mixed), standard_error(mixed)) == (mean(values), standard_error(values))


@no_hurry
@given(st.lists(NUMBERS, min_size=1, max_size=30), st.floats(0, 1), st.floats(0, 1))
def test_quantiles_rise_within_the_values(values: list[float], one: float, other: float) -> None:
    ordered = sorted(values)
    low, high = (quantile(ordered, at) for at in sorted((one, other)))
    assert ordered[0] <= low <= ordered[-1]
    assert low <= high or high == pytest.approx(low, rel=1e-12)


@no_hurry
@given(st.lists(NUMBERS, min_size=2, max_size=30), NUMBERS)
def test_shifting_the_values_shifts_their_interval(values: list[float], shift: float) -> None:
    assume(max(values) - min(values) > 0.01)
    found, moved = student(values), student([value + shift for value in values])
    assert isinstance(found, Estimate)
    assert isinstance(moved, Estimate)
    assert (moved.low, moved.high) == pytest.approx((found.low + shift, found.high + shift), rel=1e-6, abs=1e-6)


@no_hurry
@given(st.lists(st.tuples(st.integers(-1, 1), st.integers(0, 6)), min_size=2, max_size=40), st.randoms())
def test_clustered_results_do_not_depend_on_the_order(items: list[tuple[int, int]], chance: random.Random) -> None:
    mixed = chance.sample(items, len(items))
    one, other = (cluster([v for v, _ in rows], [str(c) for _, c in rows]) for rows in (items, mixed))
    assert one == other
    errors = cluster_errors(one)
    if isinstance(errors, Undefined):
        assert isinstance(clustered_mean(one), Undefined)
        return
    bootstrap, test = cluster_bootstrap(one, seed=1, resamples=100), sign_flips(one, seed=1, resamples=100)
    assert (cluster_bootstrap(other, seed=1, resamples=100), sign_flips(other, seed=1, resamples=100)) == (
        bootstrap,
        test,
    )
    average = sum(v for v, _ in items) / len(items)
    groups = [[v for v, c in items if c == group] for group in range(7)]
    meat = sum(sum(v - average for v in group) ** 2 for group in groups)
    assert errors.cr0 == pytest.approx(math.sqrt(meat) / len(items), rel=1e-9)


@no_hurry
@given(st.lists(st.integers(-1, 1), min_size=2, max_size=60))
def test_clusters_of_one_give_the_paired_standard_error(differences: list[int]) -> None:
    errors = cluster_errors(cluster(differences, map(str, range(len(differences)))))
    same = PairedTable(
        both_correct=differences.count(0),
        correct_to_wrong=differences.count(-1),
        wrong_to_correct=differences.count(1),
        both_wrong=0,
    )
    expected = paired_se(same)
    if isinstance(errors, Undefined):
        assert isinstance(expected, Undefined)
    else:
        assert errors.corrected == pytest.approx(expected, rel=1e-12)


@no_hurry
@given(P_VALUES)
def test_corrections_keep_the_order_and_only_raise(p_values: list[float]) -> None:
    for adjust in (holm, benjamini_hochberg):
        adjusted = adjust(p_values)
        assert all(before <= after <= 1 for before, after in zip(p_values, adjusted, strict=True))
        ranked = sorted(range(len(p_values)), key=lambda i: (p_values[i], adjusted[i]))
        assert [adjusted[i] for i in ranked] == sorted(adjusted)
    assert all(h >= b for h, b in zip(holm(p_values), benjamini_hochberg(p_values), strict=True))


@no_hurry
@given(n=st.integers(1, 60), correct=st.integers(0, 60), k=st.integers(1, 60))
def test_pass_rates_bracket_the_single_answer(n: int, correct: int, k: int) -> None:
    assume(correct <= n and k <= n)
    best, worst = pass_at_k(n, correct, k), pass_hat_k(n, correct, k)
    assert isinstance(best, float)
    assert isinstance(worst, float)
    assert worst <= correct / n <= best
    assert pass_hat_k(n, n - correct, k) == pytest.approx(1 - best)


@no_hurry
@given(st.lists(st.sampled_from([True, False, None]), max_size=12))
def test_pairwise_disagreement_is_the_share_of_unequal_pairs(outcomes: list[bool | None]) -> None:
    found = repeats(outcomes)
    known = [outcome for outcome in outcomes if outcome is not None]
    if isinstance(found, Undefined):
        assert not known
    elif len(known) > 1:
        pairs = [known[i] != known[j] for i in range(len(known)) for j in range(i)]
        assert found.pairwise_disagreement == pytest.approx(sum(pairs) / len(pairs))
