"""Items are paired by their whole identity, whatever their order, and by nothing else."""

from __future__ import annotations

import random

import pytest

from comparing_tables import a_line, paired, table_of
from itemproof.comparing.pairing import pair, refuse_twice
from itemproof.comparing.table import Headline
from itemproof.core.errors import InvalidInput
from itemproof.records.item import ItemKey

HEADLINE = Headline("b", None, None, "none")


def test_the_order_of_the_lines_does_not_matter() -> None:
    lines = [a_line(f"q{at}", correct=at % 3 == 0) for at in range(50)]
    shuffled = list(lines)
    random.Random(1).shuffle(shuffled)
    joined = pair(table_of(lines), table_of(shuffled))
    verdicts = [
        (joined.left.verdicts[left], joined.right.verdicts[right])
        for _, left, right in joined.items()
        if left is not None and right is not None
    ]
    assert len(verdicts) == 50
    assert all(left == right for left, right in verdicts)
    keys = [key for key, _, _ in joined.items()]
    assert keys == [key for key, _, _ in pair(table_of(shuffled), table_of(lines)).items()] == sorted(keys)


@pytest.mark.parametrize(
    "change",
    [
        {"benchmark": "c"},
        {"language": "en"},
        {"script": "Latn"},
        {"filter": "strict"},
        {"repeat_id": 1},
        {"repeat_id": "0a"},
        {"question_id": "Q1"},
        {"question_id": "q1 "},
        {"question_id": "q01"},
    ],
    ids=lambda change: "-".join(map(str, next(iter(change.items())))),
)
def test_another_identity_is_another_item(change: dict[str, str | int]) -> None:
    joined = pair(table_of([a_line("q1")]), table_of([a_line("q1", **change)]))
    assert joined.matched == 0
    assert sum(group.left_only for group in joined.groups.values()) == 1
    assert sum(group.right_only for group in joined.groups.values()) == 1


def test_run_local_records_never_pair_even_under_one_name() -> None:
    line = a_line("same", identity_scope="run-local")
    joined = pair(table_of([line]), table_of([line]))
    assert (joined.matched, list(joined.items())) == (0, [])
    assert list(joined.groups) == [HEADLINE]


def test_items_of_one_side_only_are_items() -> None:
    joined = paired({"a": True, "b": True}, {"b": True, "c": True})
    assert [(key.question_id, left, right) for key, left, right in joined.items()] == [
        ("a", 0, None),
        ("b", 1, 0),
        ("c", None, 1),
    ]
    group = joined.groups[HEADLINE]
    assert (len(group.left), group.left_only, group.right_only) == (1, 1, 1)


def test_items_are_ordered_by_their_key() -> None:
    lines = [
        a_line("q2"),
        a_line("q1", repeat_id=10),
        a_line("q1", repeat_id=2),
        a_line("q1", filter="a"),
        a_line("q1", language="en"),
        a_line("q9", benchmark="a"),
    ]
    keys = [key for key, _, _ in pair(table_of(lines), table_of([])).items()]
    assert keys == [
        ItemKey("a", None, None, "q9", "none", 0),
        ItemKey("b", None, None, "q1", "a", 0),
        ItemKey("b", None, None, "q1", "none", 2),
        ItemKey("b", None, None, "q1", "none", 10),
        ItemKey("b", None, None, "q2", "none", 0),
        ItemKey("b", "en", None, "q1", "none", 0),
    ]


def test_labels_stand_in_the_order_of_the_rows() -> None:
    left = [a_line("q2"), a_line("q1"), a_line("q2", repeat_id=1), a_line("alone")]
    right = [a_line("q2", repeat_id=1), a_line("q1"), a_line("q2")]
    joined = pair(table_of(left), table_of(right))
    (group,) = joined.groups.values()
    assert list(joined.labels(group)) == ["q2", "q1", "q2"]
    assert list(group.left) == [0, 1, 2]
    assert list(group.right) == [2, 1, 0]


def test_a_repeated_identity_is_refused_with_both_places() -> None:
    key = ItemKey("b", None, None, "q1", "none", 0)
    with pytest.raises(InvalidInput) as refused:
        refuse_twice("left", [(key, ("raw/1", 3), ("raw/2", 7))])
    (finding,) = refused.value.findings
    assert (str(finding.code), finding.where.file, finding.where.line) == ("I020", "raw/2", 7)
    assert "raw/1:3" in finding.text
    refuse_twice("left", [])
