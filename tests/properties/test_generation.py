"""What holds for every text and every response file: nothing raises, canonical text is settled, order means nothing."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from itemproof.app.generation import Settings, evaluate, prepared
from itemproof.core.errors import InvalidInput
from itemproof.generation.coglang_language import CogLang
from itemproof.generation.fixture import Case
from itemproof.generation.report import page
from itemproof.generation.scoring import score_one

CASE = Case("c", "L1", "p", 'Equal[Get[{"a": 1}, "a"], x_]', ("Equal", "List"))

#: Texts of any characters, halves of surrogate pairs included, and texts that look like the language.
anything = st.text(alphabet=st.characters(), max_size=60)
pieces = st.sampled_from(
    [
        "Equal",
        "Foo",
        "Unify",
        "Traverse",
        "[",
        "]",
        "{",
        "}",
        ",",
        ":",
        '"',
        "\\",
        " ",
        "\n",
        "x_",
        "_",
        "1",
        "-.5",
        "é",
        "True",
    ]
)
language_like = st.lists(pieces, max_size=30).map("".join)
texts = st.one_of(anything, language_like)


@given(texts, st.booleans())
def test_the_scorer_never_raises(text: str, strict: bool) -> None:
    language = CogLang(strict=strict)

    score = score_one(CASE, text, language)

    assert (not score.categories) == (score.validate_ok and score.head_ok and not score.hallucinated) or strict
    assert score == score_one(CASE, text, language)
    json.dumps([one.text for one in language.remarks(text)])


@given(texts)
def test_canonical_text_that_parses_is_its_own_canonical_text(text: str) -> None:
    language = CogLang()
    canonical = language.canonical_of(text)
    if canonical is None:
        return
    again = language.canonical_of(canonical)

    # Heads that no token can be do not read back, and neither do floats with an exponent.
    assert again is None or again == canonical or "e" in canonical or "inf" in canonical or not _has_plain_heads(text)


def _has_plain_heads(text: str) -> bool:
    return all(character.isalnum() or character in '[]{},: "\\_.-\n' for character in text) and not text.startswith('"')


@settings(max_examples=30, deadline=None)
@given(
    st.dictionaries(st.sampled_from([f"L1-{n:02d}" for n in range(1, 13)]), texts), st.randoms(use_true_random=False)
)
def test_the_order_of_responses_and_the_form_of_the_file_mean_nothing(outputs: dict[str, str], shuffler: Any) -> None:
    records = [{"case_id": case_id, "output": output} for case_id, output in outputs.items()]
    shuffled = list(records)
    shuffler.shuffle(shuffled)
    plan = prepared(None, ["L1"])
    results = []
    with TemporaryDirectory() as folder:
        for number, text in enumerate(
            ("".join(json.dumps(one) + "\n" for one in records), json.dumps({"responses": shuffled}, indent=1))
        ):
            path = Path(folder) / f"{number}.json"
            path.write_text(text, encoding="utf-8")
            evaluated = evaluate(plan, path, Settings(remember=number * 100), shown="r")
            page(evaluated.scored, evaluated.result)
            results.append(json.dumps(evaluated.result))

    assert results[0] == results[1]


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5) | st.sampled_from(["case_id", "A", "L1-01"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["case_id", "output", "text", "schema_version", "responses", "answers"]), inner
        )
    ),
    max_leaves=12,
)


@settings(max_examples=150, deadline=None)
@given(st.lists(json_values, max_size=4).map(lambda values: "\n".join(map(json.dumps, values)).encode()) | st.binary())
def test_a_response_file_is_scored_or_refused_and_nothing_else(data: bytes) -> None:
    plan = prepared(None, ["L1"])
    with TemporaryDirectory() as folder:
        path = Path(folder) / "r.jsonl"
        path.write_bytes(data)
        with suppress(InvalidInput):
            assert evaluate(plan, path, Settings()).result["case_count"] == 12
