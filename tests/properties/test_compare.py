"""Whatever two sides hold, the pairs are those that a plain look-up finds, and every count adds up."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from comparing_tables import a_line, table_of
from itemproof.comparing.certainty import Asked
from itemproof.comparing.comparison import compare_tables
from itemproof.comparing.outcomes import Judge
from itemproof.comparing.pairing import pair
from itemproof.comparing.table import Headline

KEYS = st.tuples(
    st.sampled_from(["b", "c"]),
    st.sampled_from([None, "en"]),
    st.sampled_from([None, "Latn"]),
    st.sampled_from(["none", "strict"]),
    st.sampled_from([0, 1, "x"]),
    st.sampled_from(["q1", "Q1", "q1 ", "q2", "01", "1", "\u202e"]),
)
SIDES = st.dictionaries(KEYS, st.tuples(st.sampled_from([True, False, None]), st.booleans()), max_size=25)
NAMES = ("benchmark", "language", "script", "filter", "repeat_id")
OUTCOMES = {(1, 1): "both_correct", (0, 0): "both_wrong", (1, 0): "correct_to_wrong", (0, 1): "wrong_to_correct"}

Side = dict[tuple[Any, ...], tuple[bool | None, bool]]


def lines_of(side: Side) -> list[bytes]:
    return [
        a_line(
            key[5],
            correct=correct,
            identity_scope="stable" if is_stable else "run-local",
            **dict(zip(NAMES, key[:5], strict=True)),
        )
        for key, (correct, is_stable) in side.items()
    ]


@settings(max_examples=150)
@given(SIDES, SIDES, st.randoms(use_true_random=False))
def test_the_pairs_are_those_of_a_plain_look_up(left: Side, right: Side, draw: Any) -> None:
    mine, theirs = lines_of(left), lines_of(right)
    draw.shuffle(mine)
    draw.shuffle(theirs)
    joined = pair(table_of(mine), table_of(theirs))
    judge = Judge(joined, None)
    stable = [{key: correct for key, (correct, is_stable) in side.items() if is_stable} for side in (left, right)]
    due = {}
    for key in {*stable[0], *stable[1]}:
        before, after = stable[0].get(key, "absent"), stable[1].get(key, "absent")
        if before == "absent" or after == "absent":
            due[key] = "right_only" if before == "absent" else "left_only"
        elif before is None or after is None:
            due[key] = "unscored"
        else:
            due[key] = OUTCOMES[int(before), int(after)]
    found = {}
    for key, one, other in joined.items():
        headline = Headline(key.benchmark, key.language, key.script, key.filter)
        whole = (key.benchmark, key.language, key.script, key.filter, key.repeat_id, key.question_id)
        assert whole not in found
        found[whole] = judge.outcome(headline, one, other)
    assert found == due
    counts = compare_tables(joined, judge, None, Asked()).counts
    for name in (*OUTCOMES.values(), "unscored", "left_only", "right_only"):
        assert getattr(counts, name) == sum(outcome == name for outcome in due.values())
    assert counts.left_records == len(left)
    assert counts.right_run_local == sum(not is_stable for _, is_stable in right.values())


@settings(max_examples=50)
@given(SIDES, SIDES)
def test_sides_exchanged_give_the_mirror_image(left: Side, right: Side) -> None:
    wholes = []
    for one, other in ((left, right), (right, left)):
        joined = pair(table_of(lines_of(one)), table_of(lines_of(other)))
        wholes.append(compare_tables(joined, Judge(joined, None), None, Asked()))
    there, back = wholes
    assert there.counts.correct_to_wrong == back.counts.wrong_to_correct
    assert there.counts.left_only == back.counts.right_only
    assert there.accuracy.pairs == back.accuracy.pairs
    for here, mirrored in zip(there.groups, back.groups, strict=True):
        assert (here.accuracy.left, here.accuracy.right) == (mirrored.accuracy.right, mirrored.accuracy.left)
        assert (here.statistics.mcnemar is None) == (mirrored.statistics.mcnemar is None)
        if here.statistics.mcnemar and mirrored.statistics.mcnemar:
            assert here.statistics.mcnemar.p == mirrored.statistics.mcnemar.p


@settings(max_examples=50)
@given(SIDES, st.randoms(use_true_random=False))
def test_the_order_of_the_lines_changes_nothing(side: Side, draw: Any) -> None:
    lines = lines_of(side)
    shuffled = list(lines)
    draw.shuffle(shuffled)
    wholes = []
    for mine, theirs in ((lines, lines), (shuffled, lines), (lines, shuffled)):
        joined = pair(table_of(mine), table_of(theirs))
        whole = compare_tables(joined, Judge(joined, None), None, Asked())
        keys = [json.dumps(key) for key, _, _ in joined.items()]
        wholes.append((whole.groups, whole.counts, whole.statistics, keys))
    assert wholes[0] == wholes[1] == wholes[2]
