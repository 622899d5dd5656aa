"""Whatever lines come: they are imported whole and can be told from their records, or refused and nothing changes."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cli.workbench import Workbench, snapshot, whole
from itemproof.core.errors import InvalidInput

_TEXT = st.text(st.characters(codec="utf-8"), max_size=8)
_ID = st.one_of(st.integers(-3, 3), st.sampled_from(["1", "-1", "a", "A", "a ", "\u00e9", "e\u0301", "\0"]), _TEXT)
_METRIC = st.sampled_from([0, 1, 0.0, 1.0, True, False, None, 0.5, 2, "1", [1]])
_ARGUMENTS: list[Any] = [
    *(None, 7, [], [[]], [7], [["p"]], [["p", " c"]], [[["p"], {}]], [[None, None, None]]),
    *({}, {"gen_args_0": {}}, {"gen_args_x": {}}, {"gen_args_0": {"arg_0": "p", "arg_1": " c"}}),
]
_SOME = {
    "question_id": _ID,
    "filter": st.sampled_from(["none", "strict", "\u2028"]),
    "benchmark": st.sampled_from(["b", "c\u0000"]),
    "repeat_id": st.sampled_from([0, 1, "1", "x"]),
    "acc": _METRIC,
    "exact_match": _METRIC,
    "note": st.recursive(
        st.one_of(st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False, allow_infinity=False), _TEXT),
        lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(_TEXT, inner, max_size=3)),
        max_leaves=5,
    ),
    "doc_id": st.integers(0, 3),
    "arguments": st.sampled_from(_ARGUMENTS),
    "filtered_resps": st.sampled_from([None, [], ["a"], [["-1.5", "True"]], [[-1.5, False]], "a", [["-inf", "False"]]]),
    "metrics": st.sampled_from([None, [], ["acc"], {"acc": 1}, {"f1": [0.5]}, ["nothing"]]),
    "doc_hash": st.sampled_from([None, "0" * 64, 7]),
    "prompt_hash": st.sampled_from([None, "0" * 64]),
    "target_hash": st.sampled_from([None, "0" * 64]),
}


@st.composite
def harness_line(draw: st.DrawFn) -> dict[str, Any]:
    """A line with a document, and any of what a harness line may have."""
    doc = draw(st.fixed_dictionaries({"question": _TEXT}, optional={"id": _ID}))
    line = draw(st.fixed_dictionaries({"target": _TEXT, "resps": st.lists(st.lists(_TEXT, max_size=2), max_size=2)}))
    rest = draw(st.fixed_dictionaries({}, optional=_SOME))
    return {"doc": doc, **line, **rest}


@settings(max_examples=100)
@given(
    lines=st.lists(harness_line(), min_size=1, max_size=6),
    ends=st.sampled_from(["\n", "\r\n", "\n\n"]),
    id_field=st.sampled_from([(), ("auto",), ("doc.id",)]),
)
def test_lines_are_imported_whole_or_refused_whole(
    tmp_path_factory: pytest.TempPathFactory, lines: list[dict[str, Any]], ends: str, id_field: tuple[str, ...]
) -> None:
    bench = Workbench.made(tmp_path_factory.mktemp("lines"))
    texts = [json.dumps(line, ensure_ascii=False) for line in lines]
    log = bench.log("log.jsonl", ends.join(texts).encode("utf-8"))
    before = snapshot(bench.root)

    refused = None
    try:
        bench.bring(log, benchmark=None if "benchmark" in lines[0] else "b", id_field=id_field)
    except InvalidInput as error:
        refused = error
    if refused is not None:
        assert len(refused.findings) > 0
        assert snapshot(bench.root) == before
        return

    records = bench.records()
    assert [record["input"]["document"] for record in records] == [line["doc"] for line in lines]
    assert [bench.raw_line(record) for record in records] == lines
    scopes = Counter(record["identity_scope"] for record in records)
    assert {
        scope: count for scope, count in bench.files()[0].scopes.items() if scope != "ambiguous" and count
    } == scopes
    assert whole(bench.root) == []
    assert_cannot_come_twice(bench, log, before=snapshot(bench.root), id_field=id_field)


def assert_cannot_come_twice(
    bench: Workbench, log: Path, *, before: dict[str, bytes | None], id_field: tuple[str, ...]
) -> None:
    """The same bytes are refused by their file, before a record of them is looked at."""
    with pytest.raises(InvalidInput) as refused:
        bench.bring(log, benchmark="b" if bench.files()[0].options else None, id_field=id_field)
    assert [finding.code.id for finding in refused.value.findings] == ["W027"]
    assert snapshot(bench.root) == before
