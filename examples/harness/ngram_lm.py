"""A character n-gram language model that lm-evaluation-harness can call: two orders of it stand for two checkpoints."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

from lm_eval.api.instance import Instance
from lm_eval.api.model import LM
from lm_eval.api.registry import register_model

TEXTS = Path(__file__).resolve().parent / "texts"


class CharNgrams:
    """How often each character followed each context, for every context shorter than the order.

    A probability starts uniform and is pulled towards the counts of one context after the other, from the empty one to
    the longest: add-k smoothing in which the k imagined observations are spread as the shorter context would have it.
    """

    def __init__(self, text: str, *, order: int, k: float) -> None:
        self._order = order
        self._k = k
        self._alphabet = sorted(set(text))
        self._follow: dict[str, Counter[str]] = defaultdict(Counter)
        for at, char in enumerate(text):
            for length in range(min(order, at + 1)):
                self._follow[text[at - length : at]][char] += 1

    def probability(self, char: str, context: str) -> float:
        """The probability of a character after a context of any length."""
        estimate = 1 / (len(self._alphabet) + 1)
        for length in range(min(self._order, len(context) + 1)):
            seen = self._follow.get(context[len(context) - length :])
            if seen is None:
                break
            estimate = (seen[char] + self._k * estimate) / (seen.total() + self._k)
        return estimate

    def likeliest(self, context: str) -> str:
        """The likeliest next character; of equals the first by code point."""
        return max(self._alphabet, key=lambda char: self.probability(char, context))


@register_model("ngram")
class NgramLM(LM):
    """The harness's view of `CharNgrams`, trained on the texts beside this file.

    Args:
        pretrained: A name that ends in the order, such as `demo/ngram-2`; the harness logs it as the model's name.
        k: The weight of the shorter context.
        options: What the harness adds (batch size, device); nothing here depends on it.
    """

    def __init__(self, pretrained: str, k: float = 0.5, **options: Any) -> None:  # noqa: ARG002
        super().__init__()
        text = "\n".join(path.read_text(encoding="utf-8") for path in sorted(TEXTS.glob("*.txt")))
        self._model = CharNgrams(text, order=int(pretrained.rpartition("-")[2]), k=k)

    def loglikelihood(self, requests: list[Instance]) -> list[tuple[float, bool]]:
        """For each context and continuation the log-likelihood, and whether greedy decoding would have written it."""
        return [self._score(*request.args) for request in requests]

    def loglikelihood_rolling(self, requests: list[Instance]) -> list[float]:
        """For each text its log-likelihood from the first character on."""
        return [self._score("", request.args[0])[0] for request in requests]

    def generate_until(self, requests: list[Instance]) -> list[str]:
        """For each context the greedy continuation, without the stop text that ended it."""
        return [self._generate(*request.args) for request in requests]

    def _score(self, context: str, continuation: str) -> tuple[float, bool]:
        logarithm, greedy = 0.0, True
        for char in continuation:
            logarithm += math.log(self._model.probability(char, context))
            greedy = greedy and char == self._model.likeliest(context)
            context += char
        return logarithm, greedy

    def _generate(self, context: str, options: dict[str, Any]) -> str:
        written = ""
        for _ in range(options["max_gen_toks"]):
            written += self._model.likeliest(context + written)
            for stop in options["until"]:
                if written.endswith(stop):
                    return written.removesuffix(stop)
        return written
