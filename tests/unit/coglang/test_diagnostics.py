"""What an author is told."""

from __future__ import annotations

import pytest

from itemproof.coglang import flags
from itemproof.coglang.diagnostics import diagnose
from itemproof.coglang.flags import Flag
from itemproof.coglang.reading import read

CODES = {
    "missing_comma": "L040",
    "trailing_comma": "L041",
    "punctuation_as_value": "L042",
    "odd_head": "L043",
    "quoted_top_level": "L044",
    "bare_head": "L045",
    "nonascii_space": "L046",
    "odd_variable": "L047",
    "number_like_text": "L048",
    "odd_number": "L049",
    "bare_boolean": "L050",
    "odd_word": "L051",
    "control_char_in_string": "L052",
    "unterminated_string": "L053",
    "duplicate_key": "L054",
    "literal_parse_error": "L055",
    "composed_head": "L056",
    "not_a_head": "L057",
    "code_fence": "L060",
    "reasoning_tag": "L061",
    "several_expressions": "L062",
    "extra_bracket": "L063",
    "prose": "L064",
}


def told(text: str) -> list[tuple[str, int, int]]:
    """Name, count and first token of each diagnostic."""
    return [(found.flag.name, found.count, found.position) for found in diagnose(read(text))]


@pytest.mark.parametrize(
    "text",
    [
        'Do[Get["ada", x_], {"k": -1.5, "j": _}, f[a, near_by]]',
        "Do[ ]",
        'List["1e5", "True", "x\u00a0y", "_"]',
        "",
        "Do[1",
        "equal",
    ],
)
def test_what_the_specification_allows_and_plain_failures_are_not_told(text: str) -> None:
    assert told(text) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("List[1 2 3]", [("missing_comma", 2, 3)], id="missing-comma"),
        pytest.param('List[{"a": 1 "b": 2}{}]', [("missing_comma", 2, 6)], id="missing-comma-in-a-dict"),
        pytest.param('List[{"a": 1,},]', [("trailing_comma", 2, 6)], id="trailing-comma"),
        pytest.param("List[1,,2]", [("punctuation_as_value", 1, 4), ("missing_comma", 1, 5)], id="punctuation"),
        pytest.param("[[1]", [("odd_head", 1, 0)], id="bracket-as-head"),
        pytest.param("Foo-Bar[变[]]", [("odd_head", 2, 0)], id="odd-head"),
        pytest.param('"Do"', [("quoted_top_level", 1, 0)], id="quoted-top-level"),
        pytest.param("Sure", [("bare_head", 1, 0)], id="bare-head"),
        pytest.param("\ufeffDo[1]", [("odd_head", 1, 0), ("nonascii_space", 1, 0)], id="byte-order-mark"),
        pytest.param(
            "List[\u00a0x, y\u200b_]",
            [("nonascii_space", 2, 2), ("odd_word", 1, 2), ("odd_variable", 1, 4)],
            id="spaces",
        ),
        pytest.param("List[1_, __]", [("odd_variable", 2, 2)], id="odd-variable"),
        pytest.param("List[+1, 1e5, --1, 0x10, 1_000, 1.2.3]", [("number_like_text", 6, 2)], id="number-like"),
        pytest.param("List[\u0663]", [("odd_number", 1, 2)], id="odd-number"),
        pytest.param("If[true, null, False]", [("bare_boolean", 3, 2), ("odd_word", 1, 6)], id="truth"),
        pytest.param("List[Abc, 'a', f.g]", [("odd_word", 3, 2)], id="odd-word"),
        pytest.param('List["a\nb", {"c\x07": 1}]', [("control_char_in_string", 2, 2)], id="control-character"),
        pytest.param('"Open', [("quoted_top_level", 1, 0), ("unterminated_string", 1, 0)], id="open-string"),
        pytest.param('List["abc]', [("unterminated_string", 1, 2)], id="open-string-swallows"),
        pytest.param('List[{"a": {"a": 1}, "a": 2}]', [("duplicate_key", 1, 11)], id="duplicate-key"),
        pytest.param('ParseError["x", 1]', [("literal_parse_error", 1, 0)], id="literal-parse-error"),
        pytest.param('Do[Compose["F", List[x_], x_], F[1], G[2]]', [("composed_head", 1, 14)], id="composed-head"),
        pytest.param("List[x_[1]]", [("not_a_head", 1, 3), ("extra_bracket", 1, 6)], id="variable-as-head"),
        pytest.param('"a"[1]', [("not_a_head", 1, 1)], id="string-as-head"),
        pytest.param("```coglang\nDo[1]\n```", [("code_fence", 1, 0)], id="fence"),
        pytest.param("`Do[1]`", [("code_fence", 1, 0)], id="backticks"),
        pytest.param("<think>well</think>\nDo[1]", [("reasoning_tag", 1, 0)], id="reasoning"),
        pytest.param(
            "<think> so we need it </think> Do[1]", [("reasoning_tag", 1, 0), ("prose", 1, 1)], id="long-reasoning"
        ),
        pytest.param("Do[1]\n\nIf[1]", [("several_expressions", 1, 4)], id="several"),
        pytest.param("Do[1]]", [("extra_bracket", 1, 4)], id="bracket-too-many"),
        pytest.param("Sure! Here it is: Do[1]", [("prose", 1, 0)], id="prose-before"),
        pytest.param("Do[1] is the answer", [("prose", 1, 4)], id="prose-behind"),
        pytest.param("Do[1];", [], id="semicolon"),
    ],
)
def test_what_an_author_should_know_is_told_once_a_kind(text: str, expected: list[tuple[str, int, int]]) -> None:
    assert told(text) == expected


def test_a_diagnostic_has_its_place_and_its_advice() -> None:
    (first,) = diagnose(read("List[1,\n  2 3 4]"))
    assert str(first.finding) == (
        "line 2  L040  column 5: no comma between two values (2 times). "
        "Write a comma between arguments and between dict entries."
    )


def test_only_these_kinds_are_within_the_specification() -> None:
    kinds = [value for value in vars(flags).values() if isinstance(value, Flag)]
    assert {kind.name for kind in kinds if not kind.is_outside} == {
        "bare_boolean",
        "composed_head",
        "control_char_in_string",
        "duplicate_key",
        "literal_parse_error",
    }


def test_names_and_codes_stay_as_they_are() -> None:
    kinds = [value for value in vars(flags).values() if isinstance(value, Flag)]
    assert {kind.name: kind.code.id for kind in kinds} == CODES
    assert len(kinds) == len(CODES)
