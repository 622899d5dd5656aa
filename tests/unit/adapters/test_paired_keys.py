"""An answer key is shared between two wordings only where nothing speaks against it, and never silently."""

from __future__ import annotations

from typing import Any

import jsonschema
import pytest

from itemproof.adapters.paired import PairedAdapter
from itemproof.core.errors import InvalidInput
from itemproof.records.schema import schema_of
from normalising import faults, file_context, normalised, places

ADAPTER = PairedAdapter()
ABC = ["a", "b", "c"]
ASSERTED = "the answer key is shared because the run's metadata says so: shared_answer_key is true"

NOT_USED = "the line's shared correct_index is not used here: "
ORDER_UNKNOWN = (
    f"{NOT_USED}the order of its choices or of the original's is not on the line; supply a key for each wording, or "
    "set shared_answer_key to true in the run's metadata if it holds for both"
)
ORDER_DIFFERS = f"{NOT_USED}its choices or their order differ from the original's, so it needs its own key"
KEY_NULL = f"{NOT_USED}its own correct_index is null, which says that its key is unknown"


def line(original: dict[str, Any] | None = None, rephrased: dict[str, Any] | None = None, /, **others: Any) -> Any:
    given = {"original": original or {}, "rephrased": rephrased or {}}
    return {"question_id": "q1", "benchmark": "b", **given, **others}


def records_of(given: dict[str, Any], **options: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    (original, rephrased), _ = normalised(ADAPTER, given, file_context(**options))
    for record in (original, rephrased):
        jsonschema.validate(record, schema_of("record-v1"))
    return original, rephrased


@pytest.mark.parametrize(
    ("original", "rephrased", "asserted", "keys"),
    [
        pytest.param({"choices": ABC}, {"choices": ABC}, False, (2, 2), id="the same choices share"),
        pytest.param({"choices": ABC}, {"choices": ["b", "a", "c"]}, False, (2, None), id="another order does not"),
        pytest.param({"choices": ABC}, {"choices": ["b", "a", "c"]}, True, (2, None), id="nor when asserted"),
        pytest.param({"choices": [1, 0, 0]}, {"choices": [True, 0, 0]}, True, (2, None), id="true is not the choice 1"),
        pytest.param({}, {}, False, (2, None), id="unknown orders do not share"),
        pytest.param({}, {}, True, (2, 2), id="unknown orders share when asserted"),
        pytest.param({"choices": ABC}, {}, False, (2, None), id="half known does not"),
        pytest.param({"choices": ABC}, {}, True, (2, 2), id="half known shares when asserted"),
        pytest.param({}, {"choices": ABC}, True, (2, 2), id="the other half known shares when asserted"),
        pytest.param({"correct_index": 0}, {"correct_index": 1}, True, (0, 1), id="own keys come first"),
        pytest.param({"correct_index": None}, {"correct_index": None}, True, (None, None), id="null keys are unknown"),
        pytest.param(
            {"choices": ABC, "correct_index": 0}, {"choices": ABC}, False, (0, 2), id="the original's own is its own"
        ),
    ],
)
def test_the_lines_key_is_shared_only_where_that_is_safe(
    original: dict[str, Any], rephrased: dict[str, Any], asserted: bool, keys: tuple[int | None, int | None]
) -> None:
    metadata = {"shared_answer_key": asserted}
    records = records_of(line(original, rephrased, correct_index=2), metadata=metadata)
    assert tuple(record["target"] for record in records) == tuple(
        None if key is None else {"index": key} for key in keys
    )
    assert [record["correct_index"] for record in records] == [2, 2]


@pytest.mark.parametrize(
    ("given", "asserted", "warnings", "counted"),
    [
        pytest.param(line(correct_index=0), True, [[], [ASSERTED]], {"P010": 1}, id="an assertion"),
        pytest.param(
            line(correct_index=0),
            False,
            [
                [],
                [ORDER_UNKNOWN],
            ],
            {"P011": 1},
            id="unknown orders",
        ),
        pytest.param(
            line({"choices": ["a"]}, {"choices": ["b"]}, correct_index=0),
            True,
            [
                [],
                [ORDER_DIFFERS],
            ],
            {"P011": 1},
            id="other choices",
        ),
        pytest.param(
            line({"correct_index": None}, {"correct_index": 1}, correct_index=0),
            True,
            [
                [KEY_NULL],
                [],
            ],
            {"P011": 1},
            id="a null key of its own",
        ),
        pytest.param(line({"choices": ABC}, {"choices": ABC}, correct_index=0), True, [[], []], {}, id="same choices"),
        pytest.param(line({}, {}), True, [[], []], {}, id="no key at all"),
    ],
)
def test_what_became_of_a_shared_key_is_a_warning(
    given: dict[str, Any], asserted: bool, warnings: list[list[str]], counted: dict[str, int]
) -> None:
    records, tally = normalised(ADAPTER, given, file_context(metadata={"shared_answer_key": asserted}))
    assert [record["warnings"] for record in records] == warnings
    assert dict(tally.warnings) == counted


@pytest.mark.parametrize("value", ["true", 1, 0, [], {}])
def test_an_assertion_that_is_no_truth_value_is_refused(value: Any) -> None:
    with pytest.raises(InvalidInput) as refused:
        ADAPTER.normaliser(file_context(metadata={"shared_answer_key": value}))
    assert places(refused.value.findings.kept) == [("P006", "$.metadata.shared_answer_key")]


@pytest.mark.parametrize("value", [None, False])
def test_a_key_is_not_shared_without_the_assertion(value: Any) -> None:
    _, rephrased = records_of(line(correct_index=0), metadata={"shared_answer_key": value})
    assert rephrased["target"] is None


def test_a_key_that_looks_counted_from_one_is_told_so() -> None:
    given = line({"choices": ["a", "b", "c", "d"], "correct_index": 4})
    (finding,) = faults(ADAPTER, given, file_context())
    assert finding.text == (
        "found index 4, but $.original.choices has 4, so 3 is the last one. It looks counted from 1: if it is, lower "
        "every index of the file by one, then import again."
    )
