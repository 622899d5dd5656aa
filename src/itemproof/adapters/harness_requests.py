"""The requests of a harness line: their arguments in order, their likelihoods, and what was generated.

Request `i` has the arguments `i`, the responses `resps[i]` and the filtered response `filtered_resps[i]`. Whether it
asked for a likelihood or for text is told by its second argument alone, because since 0.4.3 every leaf of a response is
a text, and a generation may read "-3.2" or "True".
"""

from __future__ import annotations

import math
import re
from typing import Any, Final, NamedTuple

import orjson

from itemproof.adapters.fields import line_refused
from itemproof.core.findings import Code

__all__ = ["Answers", "answers_of", "arguments_of", "fast_answers"]

BAD_ARGUMENTS: Final = Code("H001", "arguments are in no form that the harness writes")

_REQUEST: Final = re.compile(r"gen_args_(0|[1-9][0-9]{0,8})")
_ARGUMENT: Final = re.compile(r"arg_(0|[1-9][0-9]{0,8})")
#: A number as Python writes it; `float()` alone would also take "1_0" and "infinity".
_NUMBER: Final = re.compile(r"[ \t\r\n]*[+-]?(?:(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?|inf|nan)[ \t\r\n]*")
_GREEDY: Final = {"True": True, "False": False}
#: The keys of an `arguments` object by the number of requests, as the harness writes them.
_ORDERED: Final = {n: tuple(f"gen_args_{i}" for i in range(n)) for n in range(33)}


class Answers(NamedTuple):
    """What a line's requests came to.

    Attributes:
        likelihoods: One for each likelihood request, in order; null where the number is not finite.
        greedy: Whether each continuation was the greedy one; rolling likelihoods have none.
        prediction: The filtered responses of the generations: one by itself, several as a list; None without any.
        not_finite: The likelihoods that are no finite number, as written.
    """

    likelihoods: list[float | None]
    greedy: list[bool]
    prediction: Any
    not_finite: list[str]


def arguments_of(arguments: Any) -> list[list[Any]]:
    """One list of arguments for each request, in numeric order; the lists of 0.4.0 to 0.4.2 stay as they are.

    Raises:
        LineRefused: It is another shape (H001).
    """
    if type(arguments) is dict:
        if _ORDERED.get(len(arguments)) == tuple(arguments):
            pairs: list[list[Any]] = []
            try:
                for request in arguments.values():
                    if len(request) != 2:
                        break
                    pairs.append([request["arg_0"], request["arg_1"]])
                else:
                    return pairs
            except (KeyError, TypeError):
                pass
        requests = _in_order(arguments, _REQUEST, "$.arguments", "gen_args_N")
    elif type(arguments) is list:
        requests = arguments
    else:
        raise line_refused(
            BAD_ARGUMENTS, "$.arguments", "found neither a list nor an object; see `arguments` below it."
        )
    return [_arguments(request, number) for number, request in enumerate(requests)]


def _arguments(request: Any, number: int) -> list[Any]:
    if type(request) is list:
        return request
    path = f"$.arguments[{number}]"
    if type(request) is dict:
        return _in_order(request, _ARGUMENT, path, "arg_N")
    raise line_refused(BAD_ARGUMENTS, path, "expected the arguments of one request: a list, or an object of arg_N.")


def _in_order(values: dict[str, Any], name: re.Pattern[str], path: str, due: str) -> list[Any]:
    numbered = []
    for key, value in values.items():
        match = name.fullmatch(key)
        if match is None:
            raise line_refused(BAD_ARGUMENTS, path, f"found the key {key!r}; expected only {due}, N counted from 0.")
        numbered.append((int(match[1]), value))
    numbered.sort(key=lambda pair: pair[0])
    return [value for _, value in numbered]


def fast_answers(arguments: list[list[Any]] | None, filtered: Any) -> tuple[list[float], list[bool]] | None:
    """Likelihoods and greedy flags of the commonest line: every request a likelihood, every leaf a text.

    None says nothing about the line but that `answers_of` must read it.
    """
    if arguments is None or type(filtered) is not list or len(filtered) != len(arguments):
        return None
    texts, greedy = [], []
    try:
        for pair in filtered:
            number, _ = pair
            texts.append(number)
            greedy.append(_GREEDY[pair[1]])
        for request in arguments:
            if type(request[1]) is not str:
                return None
        numbers = orjson.loads(f"[{','.join(texts)}]")
    except (IndexError, KeyError, TypeError, ValueError):
        return None
    if len(numbers) != len(texts):
        return None
    for number in numbers:
        if type(number) is not float:
            return None
    return numbers, greedy


def answers_of(arguments: list[list[Any]] | None, resps: Any, filtered: Any) -> Answers:
    """What every request came to, from its filtered response, else from the first of its responses."""
    answers = Answers([], [], None, [])
    best = filtered if type(filtered) is list else [] if filtered is None else [filtered]
    first = [repeats[0] if type(repeats) is list and repeats else repeats for repeats in _list(resps)]
    count = len(arguments) if arguments is not None else max(len(best), len(first))
    sources = [leaves for leaves in (best, first) if len(leaves) == count]
    generations: list[int] = []
    for number in range(count):
        request = None if arguments is None else arguments[number]
        found = next((found for leaves in sources if (found := _likelihood(request, leaves[number]))), None)
        if found is not None:
            _keep(answers, *found)
        elif not _asks_likelihood(request):
            generations.append(number)
    if not generations or not best:
        return answers
    texts = [best[number] for number in generations] if len(best) == count else best
    return answers._replace(prediction=texts[0] if len(texts) == 1 else texts)


def _list(value: Any) -> list[Any]:
    return value if type(value) is list else []


def _asks_likelihood(request: list[Any] | None) -> bool:
    return request is not None and len(request) > 1 and type(request[1]) is str


def _likelihood(request: list[Any] | None, leaf: Any) -> tuple[float | str, bool | None] | None:
    """The number (the text of one that is not finite) and the greedy flag of an answer; None if it is no likelihood."""
    if type(leaf) is list and len(leaf) == 2 and (request is None or _asks_likelihood(request)):
        greedy = leaf[1] if type(leaf[1]) is bool else _GREEDY.get(leaf[1]) if type(leaf[1]) is str else None
        number = _number(leaf[0])
        return None if greedy is None or number is None else (number, greedy)
    if request is not None and len(request) != 1:
        return None
    bare = leaf[0] if type(leaf) is list and len(leaf) == 1 else leaf
    if request is None and type(bare) is str:
        return None
    number = _number(bare)
    return None if number is None else (number, None)


def _number(value: Any) -> float | str | None:
    if type(value) is str:
        if _NUMBER.fullmatch(value) is None:
            return None
        number = float(value)
    elif type(value) in (int, float):
        try:
            number = float(value)
        except OverflowError:
            return str(value)
    else:
        return None
    return number if math.isfinite(number) else str(value)


def _keep(answers: Answers, number: float | str, greedy: bool | None) -> None:
    if isinstance(number, str):
        answers.likelihoods.append(None)
        answers.not_finite.append(number)
    else:
        answers.likelihoods.append(number)
    if greedy is not None:
        answers.greedy.append(greedy)
