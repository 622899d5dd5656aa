"""The page for a pull request says the numbers, and interprets nothing of the data."""

from __future__ import annotations

import msgspec
import pytest

from comparing_tables import a_line, table_of
from itemproof.comparing.certainty import Asked
from itemproof.comparing.comparison import compare_tables
from itemproof.comparing.gates import check_gates, parse_gates
from itemproof.comparing.outcomes import Judge
from itemproof.comparing.pairing import pair
from itemproof.records.comparison import Comparison, Difference, Floor, IdentityUse, Side
from itemproof.report.markdown import code, markdown
from itemproof.report.words import categories, certainty, change, delta, leftovers, p_of


def a_comparison(*, benchmark: str = "rivers", broke: int = 1, fixed: int = 9) -> Comparison:
    left = [a_line(f"q{at}", benchmark=benchmark, correct=at >= fixed) for at in range(40)]
    right = [a_line(f"q{at}", benchmark=benchmark, correct=at < 40 - broke) for at in range(40)]
    joined = pair(table_of(left), table_of([*right, a_line("alone", benchmark=benchmark)]))
    whole = compare_tables(joined, Judge(joined, None), None, Asked(margin=0.1, within=0.1))
    return Comparison(
        left=Side(run="one", path=None, variant="original", model="m/1"),
        right=Side(run=None, path="./two", variant="original", model="m/2"),
        identity=IdentityUse(selected=[], reidentified=False, ambiguous=0),
        metric="correct",
        counts=whole.counts,
        accuracy=whole.accuracy,
        statistics=whole.statistics,
        groups=whole.groups,
        differences=[Difference(key="limit", left=None, right=10)],
        documents=whole.documents,
        prompts=whole.prompts,
        floor=Floor(run="again", pairs=40, changed=2, flip_rate=0.05),
        gates=check_gates(parse_gates(["not-worse", "correct_to_wrong == 0"]), whole.groups, whole.counts),
        warnings=["a <b>warning</b>"],
        explanation=[],
    )


def test_the_page_says_everything_once() -> None:
    page = markdown(a_comparison())
    for text in (
        "### itemproof: better",
        "`one` (`m/1`, `original`) → `./two` (`m/2`, `original`)",
        "- ✅ `not-worse: holds",
        "- ❌ `correct_to_wrong == 0: does not hold (1)`",
        "| `rivers` | `correct` | 40 | 77.5 % -> 97.5 % | +20.0 points",
        "broke 1 · fixed 9 · both right 30 · both wrong 0 · right only 1",
        "A rerun of the left side changes 2 of 40 pairs by itself.",
        "- `limit`: `none` → `10`",
        "- `a <b>warning</b>`",
    ):
        assert page.count(text) == 1, text
    assert page.endswith("\n")
    assert "\n\n\n" not in page


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain", "`plain`"),
        ("a`b", "``a`b``"),
        ("`", "`` ` ``"),
        ("a|b", "`a\\|b`"),
        ("@all <img> #1 [x](javascript:1)", "`@all <img> #1 [x](javascript:1)`"),
        ("two\nlines\x1b[2K", "`two\\u000alines\\u001b[2K`"),
        ("\u202eabc", "`\\u202eabc`"),
        ("", "`  `"),
        ("x" * 130, f"`{'x' * 120}… (10 characters more)`"),
    ],
    ids=ascii,
)
def test_data_is_shown_as_code_on_one_line(text: str, shown: str) -> None:
    assert code(text) == shown


def test_nothing_of_a_benchmark_reaches_the_page_bare() -> None:
    page = markdown(a_comparison(benchmark="x</td>|<script>@you\n# head"))
    assert "\n# head" not in page
    assert page.count("<script>@you") == page.count("`x</td>\\|<script>@you\\u000a# head`") > 0


def test_no_pairs_are_explained() -> None:
    comparison = a_comparison()
    joined = pair(table_of([a_line("a")]), table_of([a_line("b")]))
    whole = compare_tables(joined, Judge(joined, None), None, Asked())
    empty = msgspec.structs.replace(
        comparison, groups=whole.groups, counts=whole.counts, explanation=["no id"], gates=[]
    )
    page = markdown(empty)
    assert "### itemproof: no pairs to compare" in page
    assert "- `no id`" in page
    assert "| n/a | n/a: no pairs | n/a |" in page


def test_the_words_of_a_headline() -> None:
    (group,) = a_comparison().groups
    assert change(group) == "77.5 % -> 97.5 %"
    assert delta(group).startswith("+20.0 points [")
    assert p_of(group.statistics) == "p 0.021"
    assert categories(group) == "broke 1 · fixed 9 · both right 30 · both wrong 0 · right only 1"
    assert leftovers(group.counts) == ["right only 1"]
    said = certainty(group)
    assert said[0] == "flip rate 25.0 %"
    assert said[-1].startswith("worse by less than 10.0 points: shown (one-sided limit ")
