"""Requests: arguments in numeric order, likelihoods by the kind of the request, generations untouched."""

from __future__ import annotations

from typing import Any

import pytest

from harness_lines import CHOICES, PROMPT, gen_args
from itemproof.adapters.base import LineRefused
from itemproof.adapters.harness_requests import answers_of, arguments_of, fast_answers
from normalising import places


def answers(arguments: Any, filtered: Any, resps: Any = None) -> tuple[Any, ...]:
    return tuple(answers_of(arguments, resps, filtered))


def test_twelve_requests_stand_in_the_order_of_their_numbers() -> None:
    written = dict(sorted(gen_args(*((PROMPT, f" {n}") for n in range(12))).items()))
    assert list(written)[:3] == ["gen_args_0", "gen_args_1", "gen_args_10"]
    assert arguments_of(written) == [[PROMPT, f" {n}"] for n in range(12)]


@pytest.mark.parametrize(
    ("given", "due"),
    [
        pytest.param(gen_args(("p", " a"), ("p", " b")), [["p", " a"], ["p", " b"]], id="two_arguments"),
        pytest.param(gen_args(("text",)), [["text"]], id="rolling"),
        pytest.param(gen_args(("p", " a", {"visual": ["f"]})), [["p", " a", {"visual": ["f"]}]], id="picture"),
        pytest.param({"gen_args_0": {"arg_1": " a", "arg_0": "p"}}, [["p", " a"]], id="out_of_order"),
        pytest.param(gen_args((["[{}]"], {"until": []})), [[["[{}]"], {"until": []}]], id="chat"),
        pytest.param([["p", " a"], ["p", " b"]], [["p", " a"], ["p", " b"]], id="lists_of_0_4_0"),
        pytest.param({"gen_args_0": ["p", " a"]}, [["p", " a"]], id="lists_in_an_object"),
        pytest.param({}, [], id="none_in_an_object"),
        pytest.param([], [], id="none_in_a_list"),
    ],
)
def test_every_form_that_a_version_wrote_becomes_one_list_a_request(given: Any, due: Any) -> None:
    assert arguments_of(given) == due


@pytest.mark.parametrize(
    ("given", "path"),
    [
        pytest.param("p", "$.arguments", id="a_text"),
        pytest.param(["p", " a"], "$.arguments[0]", id="texts_in_a_list"),
        pytest.param({"arg_0": "p"}, "$.arguments", id="no_request"),
        pytest.param({"gen_args_00": {}}, "$.arguments", id="a_leading_zero"),
        pytest.param({"gen_args_0": {"arg_0": "p", "arg_x": 1}}, "$.arguments[0]", id="no_argument"),
        pytest.param({"gen_args_0": {"arg_0": "p", "arg_2": 1, "x": 1}}, "$.arguments[0]", id="a_stray_key"),
        pytest.param({"gen_args_0": "ab"}, "$.arguments[0]", id="a_text_for_a_request"),
    ],
)
def test_arguments_of_no_known_form_are_refused_at_their_place(given: Any, path: str) -> None:
    with pytest.raises(LineRefused) as refused:
        arguments_of(given)
    assert places(list(refused.value.findings)) == [("H001", path)]


PAIR = [["p", " a"]]
KWARGS = [["p", {"until": []}]]
ROLLING = [["p"]]


@pytest.mark.parametrize(
    ("arguments", "filtered", "due"),
    [
        pytest.param(PAIR, [["-1.5", "False"]], ([-1.5], [False], None, []), id="pair_of_texts"),
        pytest.param(PAIR, [[-1.5, True]], ([-1.5], [True], None, []), id="pair_of_0_4_0"),
        pytest.param(PAIR, [[-1, True]], ([-1.0], [True], None, []), id="an_integer_becomes_a_float"),
        pytest.param(PAIR, [["1e-05", "True"]], ([1e-05], [True], None, []), id="exponent"),
        pytest.param(PAIR, [["-inf", "False"]], ([None], [False], None, ["-inf"]), id="minus_infinity"),
        pytest.param(PAIR, [["nan", "False"]], ([None], [False], None, ["nan"]), id="nan"),
        pytest.param(PAIR, [["-1e999", "False"]], ([None], [False], None, ["-1e999"]), id="too_large"),
        pytest.param(PAIR, [[-(10**400), False]], ([None], [False], None, [str(-(10**400))]), id="too_large_integer"),
        pytest.param(PAIR, [["-1.5", "false"]], ([], [], None, []), id="no_flag"),
        pytest.param(PAIR, [["-1.5", 1]], ([], [], None, []), id="one_is_no_flag"),
        pytest.param(PAIR, [["1_0", "True"]], ([], [], None, []), id="python_underscores_are_no_number"),
        pytest.param(PAIR, [["-1.5", "False", "x"]], ([], [], None, []), id="three_elements"),
        pytest.param(PAIR, ["-1.5"], ([], [], None, []), id="a_bare_number_where_a_pair_is_due"),
        pytest.param(KWARGS, [["-1.5", "False"]], ([], [], ["-1.5", "False"], []), id="a_generated_pair"),
        pytest.param(KWARGS, ["-3.2"], ([], [], "-3.2", []), id="a_generated_number"),
        pytest.param(KWARGS, ["True"], ([], [], "True", []), id="a_generated_true"),
        pytest.param(KWARGS, ["None"], ([], [], "None", []), id="none_is_a_text"),
        pytest.param(KWARGS, [["a", "b"]], ([], [], ["a", "b"], []), id="a_list_that_a_filter_left"),
        pytest.param(KWARGS * 2, ["a", "b"], ([], [], ["a", "b"], []), id="two_generations"),
        pytest.param(KWARGS, "[invalid]", ([], [], "[invalid]", []), id="a_bare_filtered_text"),
        pytest.param(KWARGS, None, ([], [], None, []), id="no_filtered_response"),
        pytest.param(ROLLING, ["-1914.25"], ([-1914.25], [], None, []), id="rolling"),
        pytest.param(ROLLING, [["-1914.25"]], ([-1914.25], [], None, []), id="rolling_in_a_list"),
        pytest.param(ROLLING, [-8.5], ([-8.5], [], None, []), id="rolling_of_0_4_0"),
        pytest.param(ROLLING, ["words"], ([], [], "words", []), id="words_for_a_lone_argument"),
        pytest.param([*KWARGS, *PAIR], ["F", ["-2.5", "False"]], ([-2.5], [False], "F", []), id="mixed"),
        pytest.param(PAIR * 2, [["-1.0", "True"]], ([], [], None, []), id="fewer_answers_than_requests"),
        pytest.param(KWARGS * 2, ["only"], ([], [], "only", []), id="one_answer_to_two_generations"),
        pytest.param(None, [["-1.5", "False"]], ([-1.5], [False], None, []), id="a_pair_without_arguments"),
        pytest.param(None, ["-30.0"], ([], [], "-30.0", []), id="a_number_text_without_arguments"),
        pytest.param(None, [-30.0], ([-30.0], [], None, []), id="a_number_without_arguments"),
        pytest.param([], [], ([], [], None, []), id="no_request"),
    ],
)
def test_a_request_tells_what_its_answer_is(arguments: Any, filtered: Any, due: Any) -> None:
    assert answers(arguments, filtered) == due


@pytest.mark.parametrize(
    ("filtered", "due"),
    [
        pytest.param(None, ([-1.5], [False], None, []), id="absent"),
        pytest.param([["x", "False"]], ([-1.5], [False], None, []), id="made_into_something_else"),
        pytest.param([["-9.5", "True"]], ([-9.5], [True], None, []), id="there"),
    ],
)
def test_the_first_response_stands_in_for_a_filtered_one(filtered: Any, due: Any) -> None:
    assert answers(PAIR, filtered, [[["-1.5", "False"], ["-2.5", "False"]]]) == due


def test_no_filtered_response_is_taken_for_the_prediction_of_a_generation() -> None:
    assert answers(KWARGS, None, [["raw"]]) == ([], [], None, [])


@pytest.mark.parametrize(
    "filtered",
    [
        pytest.param([["-1.5", "False"]], id="fewer"),
        pytest.param([["-1", "False"]] * 3, id="integers"),
        pytest.param([["null", "False"]] * 3, id="json_that_is_no_number"),
        pytest.param([["1.0,2.0", "False"], ["[3.0", "False"], ["4.0]", "False"]], id="pieces_of_json"),
        pytest.param([["-inf", "False"]] * 3, id="not_finite"),
        pytest.param([["-1.5", "no"]] * 3, id="no_flag"),
        pytest.param([["-1.5", ["True"]]] * 3, id="a_list_for_a_flag"),
        pytest.param([{"-1.5": 0, "True": 1}] * 3, id="objects"),
        pytest.param(["-T", "-T", "-T"], id="texts_of_two_characters"),
        pytest.param([-1.5, -1.5, -1.5], id="numbers"),
    ],
)
def test_the_fast_way_leaves_what_is_not_plain_to_the_other(filtered: Any) -> None:
    assert fast_answers([[PROMPT, f" {choice}"] for choice in CHOICES], filtered) is None


@pytest.mark.parametrize(
    "arguments",
    [
        pytest.param(None, id="none"),
        pytest.param([["p", " a"], ["p"]], id="rolling_among_them"),
        pytest.param([["p", " a"], ["p", {"until": []}]], id="generation_among_them"),
    ],
)
def test_the_fast_way_needs_two_texts_for_each_request(arguments: Any) -> None:
    assert fast_answers(arguments, [["-1.5", "False"], ["-2.5", "True"]]) is None
    assert fast_answers([["p", " a"], ["p", " b"]], [["-1.5", "False"], ["-2.5", "True"]]) == (
        [-1.5, -2.5],
        [False, True],
    )
