"""The worked statistics that lie beside the repository, computed there with scipy and statsmodels."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import pytest

from itemproof.stats import clustered, corrections, intervals, planning, repeats, resampling
from itemproof.stats.estimate import Estimate, Undefined
from itemproof.stats.mcnemar import McNemar, mcnemar
from itemproof.stats.moments import mean
from itemproof.stats.noninferiority import NonInferiority, non_inferiority
from itemproof.stats.paired import PairedTable, flip_rate, newcombe, paired_se, wald_se
from itemproof.stats.tango import tango, tango_z
from shared import SHARED, needs_shared

pytestmark = needs_shared

_FILE = SHARED / "data" / "stats_vectors.json"


@cache
def vectors() -> Any:
    return json.loads(_FILE.read_text(encoding="utf-8"))


def rows(*path: str) -> list[Any]:
    """The list at the path, for a case table; empty where the file is not."""
    found = vectors() if _FILE.is_file() else {}
    for key in path:
        found = found.get(key, {})
    return list(found)


def ends(estimate: Estimate | Undefined) -> tuple[float, float]:
    assert isinstance(estimate, Estimate)
    return estimate.low, estimate.high


def table(counts: list[int]) -> PairedTable:
    a, b, c, d = counts
    return PairedTable(both_correct=a, correct_to_wrong=b, wrong_to_correct=c, both_wrong=d)


@pytest.mark.parametrize("row", rows("single_proportion_95"), ids=lambda row: f"{row['k']}/{row['n']}")
def test_a_share_has_the_worked_intervals(row: Any) -> None:
    wilson = intervals.wilson(row["k"], row["n"])
    exact = intervals.clopper_pearson(row["k"], row["n"])
    assert ends(wilson) == pytest.approx(row["wilson"], rel=1e-10, abs=1e-15)
    assert ends(exact) == pytest.approx(row["clopper_pearson"], rel=1e-6)


@pytest.mark.parametrize("row", rows("paired_tables"), ids=lambda row: str(list(row.values())[:4]))
def test_a_paired_table_has_the_worked_statistics(row: Any) -> None:
    found = table(list(row.values())[:4])
    test = mcnemar(found)
    assert (found.n, found.changed) == (row["n"], row["discordant"])
    assert found.delta == pytest.approx(row["delta"], rel=1e-15)
    assert ends(newcombe(found)) == pytest.approx(row["newcombe10_ci_95"], rel=1e-10, abs=1e-15)
    assert ends(tango(found)) == pytest.approx(row["tango_score_ci_95"], rel=1e-9)
    assert isinstance(test, McNemar)
    assert (test.p, test.mid_p) == pytest.approx((row["mcnemar_exact_p"], row["mcnemar_midp"]), rel=1e-11)
    for error, worked in ((paired_se(found), row["se_paired_ddof1"]), (wald_se(found), row["se_wald_ddof0"])):
        # the worked zero is the very claim that is not made here
        assert isinstance(error, Undefined) if worked == 0 else error == pytest.approx(worked, rel=1e-14)


def _families(*, column: str) -> clustered.Clusters:
    records = rows("clustered", "records")
    labels = [record[0] for record in records]
    values = {
        "base": [record[2] for record in records],
        "other": [record[3] for record in records],
        "d": [record[3] - record[2] for record in records],
    }[column]
    return clustered.cluster(values, labels)


@pytest.mark.parametrize("column", ["base", "other", "d"])
def test_clustered_means_have_the_worked_errors(column: str) -> None:
    families, worked = _families(column=column), vectors()["clustered"]["result"][column]
    errors, found = clustered.cluster_errors(families), clustered.clustered_mean(families)
    assert isinstance(errors, clustered.ClusterErrors)
    assert (families.n, families.count) == (worked["n"], worked["clusters"])
    assert families.mean == pytest.approx(worked["mean"], rel=1e-15)
    assert (errors.cr0, errors.corrected) == pytest.approx((worked["se_cr0"], worked["statsmodels_cr1"]), rel=1e-12)
    assert ends(found) == pytest.approx(worked["ci95_t_Gminus1"], rel=1e-12)


@pytest.mark.parametrize("column", ["base", "other", "d"])
def test_the_macro_mean_is_the_worked_one(column: str) -> None:
    found, worked = clustered.macro_mean(_families(column=column)), vectors()["clustered"]["macro_by_family"]
    assert isinstance(found, Estimate)
    assert found.value == pytest.approx(worked[column], rel=1e-14)
    if column == "d":
        assert found.se == pytest.approx(worked["se_d"], rel=1e-12)


def test_the_bootstrap_of_pythons_stream_is_the_worked_one() -> None:
    worked = vectors()["bootstrap"]
    found = resampling.cluster_bootstrap(_families(column="d"), seed=worked["seed"], resamples=worked["B"])
    assert ends(found) == pytest.approx(worked["cluster_percentile_stdlib_random"]["ci"], rel=1e-14)


def test_the_sign_flips_come_near_those_of_another_stream() -> None:
    worked = vectors()["clustered"]["sign_flip_p_two_sided"]
    found = resampling.sign_flips(_families(column="d"), seed=worked["seed"], resamples=worked["B"])
    assert isinstance(found, resampling.SignFlips)
    assert found.p == pytest.approx(worked["p"], abs=0.02)  # some three standard errors of two such figures


@pytest.mark.parametrize(
    "row", [row for row in rows("power", "miller") if "delta" in row], ids=lambda row: str(row["n"])
)
def test_items_for_a_difference_are_the_worked_ones(row: Any) -> None:
    by_chance = sum(row[f"s{side}2"] / row.get(f"K{side}", 1) for side in "AB")
    needed = planning.items_for_difference(row["omega2"] + by_chance, row["delta"])
    assert needed == -int(-row["n"] // 1)


@pytest.mark.parametrize("row", rows("power", "mde"), ids=lambda row: str(row["n"]))
def test_detectable_differences_are_the_worked_ones(row: Any) -> None:
    se = ((row["omega2"] + row["sA2"] + row["sB2"]) / row["n"]) ** 0.5
    assert planning.detectable_difference(se) == pytest.approx(row["mde"], rel=1e-12)


@pytest.mark.parametrize("row", rows("power", "mcnemar_n"), ids=lambda row: str(row["n_ceil"]))
def test_items_for_a_shift_are_the_worked_ones(row: Any) -> None:
    assert planning.items_for_shift(row["psi"], row["delta"]) == row["n_ceil"]


@pytest.mark.parametrize("row", rows("power", "min_discordant_one_sided_run"), ids=lambda row: str(row["m"]))
def test_changes_one_way_have_the_worked_p_values(row: Any) -> None:
    assert mcnemar(table([1, row["m"], 0, 1])) == McNemar(p=row["exact_p"], mid_p=row["midp"], changed=row["m"])


def test_adjusted_p_values_are_the_worked_ones() -> None:
    worked = vectors()["multiplicity"]
    holm, bh = corrections.holm(worked["p"]), corrections.benjamini_hochberg(worked["p"])
    assert holm == pytest.approx(worked["holm"], rel=1e-14)
    assert bh == pytest.approx(worked["fdr_bh"], rel=1e-14)
    assert [p <= 0.05 for p in holm] == worked["holm_reject"]
    assert [p <= 0.05 for p in bh] == worked["bh_reject"]


@pytest.mark.parametrize("row", rows("repeats", "pass_at_k"), ids=lambda row: f"{row['c']}/{row['n']}@{row['k']}")
def test_pass_rates_are_the_worked_ones(row: Any) -> None:
    counts = row["n"], row["c"], row["k"]
    assert repeats.pass_at_k(*counts) == pytest.approx(row["pass_at_k"], rel=1e-14)
    assert repeats.pass_hat_k(*counts) == pytest.approx(row["pass_hat_k"], rel=1e-14)


def test_the_measures_of_repeats_are_the_worked_ones() -> None:
    worked = vectors()["repeats"]
    found = []
    for name, outcomes in worked["items"].items():
        item, expected = repeats.repeats(outcomes), worked["per_item"][name]
        assert isinstance(item, repeats.Repeats)
        assert (item.n, item.correct, item.transitions) == (
            expected["n"],
            expected["correct"],
            expected["adjacent_transitions"],
        )
        assert (item.all_agree, item.all_correct, item.any_correct) == (
            expected["all_agree"],
            expected["all_correct"],
            expected["any_correct"],
        )
        assert item.non_majority_share == pytest.approx(expected["non_majority_rate"], rel=1e-15)
        assert item.pairwise_disagreement == pytest.approx(expected["pairwise_disagreement"], rel=1e-15)
        found.append(item)
    assert mean([item.non_majority_share for item in found]) == pytest.approx(worked["mean_non_majority_rate"])
    assert mean([float(item.all_agree) for item in found]) == pytest.approx(worked["share_all_agree"])
    assert mean([float(item.all_correct) for item in found]) == pytest.approx(worked["worst_case_accuracy_all_correct"])
    assert mean([float(item.any_correct) for item in found]) == pytest.approx(worked["best_case_any_correct"])


def test_the_flip_rate_is_the_worked_one() -> None:
    worked = vectors()["agreement"]
    found = flip_rate(table(worked["table"]))
    assert isinstance(found, Estimate)
    assert found.value == worked["flip_rate"]
    assert ends(found) == pytest.approx(worked["flip_rate_wilson"], rel=1e-12)


@pytest.mark.parametrize("row", rows("noninferiority"), ids=lambda row: f"{row['table']} {row['margin']}")
def test_non_inferiority_is_the_worked_one(row: Any) -> None:
    found = non_inferiority(table(row["table"]), row["margin"])
    assert isinstance(found, NonInferiority)
    assert found.low == pytest.approx(row["newcombe10_one_sided_95_lower"], rel=1e-10)
    assert found.p == pytest.approx(row["tango_p"], rel=1e-9)
    assert tango_z(table(row["table"]), -row["margin"]) == pytest.approx(row["tango_z"], rel=1e-10)
    assert (found.shown, found.p <= 0.05) == (row["noninferior_newcombe"], row["noninferior_tango"])
