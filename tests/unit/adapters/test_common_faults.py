"""The faults of the common fields, each of them and in a fixed order."""

from __future__ import annotations

from typing import Any

import pytest

from itemproof.adapters.common_faults import COMMON, CommonFaults
from normalising import file_context, places


def test_each_field_is_read_alone() -> None:
    line: dict[str, Any] = {name: [] for name in COMMON}
    assert places(CommonFaults(file_context(), default_variant=None).of(line, {})) == [
        ("R002", "$.run_id"),
        ("R002", "$.model"),
        ("R001", "$.benchmark"),
        ("R001", "$.language"),
        ("R001", "$.script"),
        ("R001", "$.variant_id"),
        ("R001", "$.filter"),
        ("R005", "$.repeat_id"),
        ("R001", "$.rephrasing_model"),
    ]


@pytest.mark.parametrize(
    ("line", "doc", "default", "expected"),
    [
        pytest.param({"benchmark": "b", "variant_id": "v"}, {}, None, [], id="a sound line"),
        pytest.param({}, {}, None, [("R003", "$.benchmark"), ("R004", "$.variant_id")], id="nothing said"),
        pytest.param({}, {}, "original", [("R003", "$.benchmark")], id="a format that names its variant"),
        pytest.param({}, {"benchmark": "b", "language": 1}, "original", [("R001", "$.doc.language")], id="in the doc"),
    ],
)
def test_what_is_missing_is_a_fault_of_its_own(
    line: dict[str, Any], doc: dict[str, Any], default: str | None, expected: list[tuple[str, str]]
) -> None:
    assert places(CommonFaults(file_context(), default_variant=default).of(line, doc)) == expected


def test_an_option_for_the_benchmark_disturbs_no_other_field() -> None:
    context = file_context(benchmark="b")
    assert places(CommonFaults(context, default_variant="v").of({"filter": 1}, {})) == [("R001", "$.filter")]
