"""Name patterns: asserted by the user, never guessed at."""

from __future__ import annotations

import pytest

from itemproof.adapters.harness_pattern import name_pattern
from itemproof.core.errors import InvalidInput

USUAL = "{benchmark}_{language}[_{variant}]"


@pytest.mark.parametrize(
    ("pattern", "task", "due"),
    [
        (USUAL, "mgq_es", {"benchmark": "mgq", "language": "es"}),
        (USUAL, "mgq_es_rephrased", {"benchmark": "mgq", "language": "es", "variant": "rephrased"}),
        (USUAL, "mgq_es_rephrased_2", {"benchmark": "mgq", "language": "es", "variant": "rephrased_2"}),
        (USUAL, "my_long_bench_es", {"benchmark": "my_long_bench", "language": "es"}),
        (USUAL, "flores_eng_Latn", {"benchmark": "flores", "language": "eng_Latn"}),
        (USUAL, "x_pt_BR", {"benchmark": "x", "language": "pt_BR"}),
        (USUAL, "x_pt-BR_altered", {"benchmark": "x", "language": "pt-BR", "variant": "altered"}),
        (USUAL, "bench_english", {"benchmark": "bench", "language": "english"}),
        ("{benchmark}_{language}", "truthfulqa-multi_gen_en", {"benchmark": "truthfulqa-multi_gen", "language": "en"}),
        ("{benchmark}_{language}", "my_bench_english", {"benchmark": "my_bench", "language": "english"}),
        ("{benchmark}_{language}_{script}", "b_sr_Cyrl", {"benchmark": "b", "language": "sr", "script": "Cyrl"}),
        ("gsm8k_cot_{language}[_{variant}]", "gsm8k_cot_en", {"language": "en"}),
        ("[{variant}-]b_{language}", "rephrased-b_es", {"language": "es", "variant": "rephrased"}),
        ("a.b+{benchmark}", "a.b+c", {"benchmark": "c"}),
    ],
)
def test_a_name_with_one_reading_is_taken_apart(pattern: str, task: str, due: dict[str, str]) -> None:
    assert name_pattern(pattern).read(task) == due


@pytest.mark.parametrize(
    ("pattern", "task"),
    [
        (USUAL, "mgq"),
        (USUAL, "_es"),
        (USUAL, "mgq_"),
        (USUAL, ""),
        ("mmlu_{language}", "gsm8k_en"),
        ("{benchmark}_{language}.x", "mgq_es"),
    ],
)
def test_a_name_that_does_not_fit_is_refused(pattern: str, task: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        name_pattern(pattern).read(task)
    assert refused.value.code.id == "H020"
    assert "does not fit" in refused.value.text


@pytest.mark.parametrize("task", ["gsm8k_cot_en", "everyday_english_rephrased"])
def test_a_name_with_two_readings_is_refused_with_both(task: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        name_pattern(USUAL).read(task)
    assert refused.value.code.id == "H020"
    assert refused.value.text.count("benchmark '") == 2


def test_the_readings_are_shown_in_full() -> None:
    with pytest.raises(InvalidInput) as refused:
        name_pattern(USUAL).read("gsm8k_cot_en")
    assert refused.value.text == (
        "the task 'gsm8k_cot_en' can be read by --name-pattern '{benchmark}_{language}[_{variant}]' as"
        " benchmark 'gsm8k', language 'cot', variant 'en' or benchmark 'gsm8k_cot', language 'en'."
        " Write out in the pattern what all names share, such as mmlu_pro_{language}."
    )


@pytest.mark.parametrize(
    ("pattern", "fault"),
    [
        ("", "it has no placeholder"),
        ("mgq", "it has no placeholder"),
        ("{benchmark", "'{' has no partner"),
        ("benchmark}", "'}' has no partner"),
        ("{benchmark}[_{variant}", "'[' has no partner"),
        ("{benchmark}_{variant}]", "']' has no partner"),
        ("{benchmark}[_[{variant}]]", "'[' has no partner"),
        ("{task}", "{task} is no placeholder"),
        ("{}", "{} is no placeholder"),
        ("{language}{benchmark}[{language}]", "{language} occurs twice"),
        ("{benchmark}[{lang}]", "{lang} is no placeholder"),
    ],
)
def test_a_pattern_that_cannot_be_read_says_why(pattern: str, fault: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        name_pattern(pattern)
    assert refused.value.code.id == "H021"
    assert refused.value.text.startswith(f"--name-pattern {pattern!r}: {fault}.")
