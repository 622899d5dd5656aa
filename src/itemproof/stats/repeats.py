"""Several answers to one item: pass@k, pass^k, and how far the answers disagree."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise

from itemproof.stats.estimate import Undefined

__all__ = ["Repeats", "majority", "pass_at_k", "pass_hat_k", "repeats"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Repeats:
    """How the known outcomes of one item relate; unknown ones are left out, never counted as wrong.

    Attributes:
        n: Known outcomes.
        correct: Those that are correct.
        non_majority_share: The share outside the greater camp; does not depend on the order.
        pairwise_disagreement: The share of pairs of outcomes that differ; needs two.
        transitions: How often a known outcome differs from the known one before it.
        all_agree: Whether all are equal.
        all_correct: Whether each is correct.
        any_correct: Whether one is correct.
    """

    n: int
    correct: int
    non_majority_share: float
    pairwise_disagreement: float | Undefined
    transitions: int
    all_agree: bool
    all_correct: bool
    any_correct: bool


def repeats(outcomes: Iterable[bool | None]) -> Repeats | Undefined:
    """The measures of one item's outcomes, in the order in which they were produced."""
    known = [outcome for outcome in outcomes if outcome is not None]
    n, correct = len(known), sum(known)
    if n == 0:
        return Undefined("no outcome is known")
    pairs = math.comb(n, 2)
    return Repeats(
        n=n,
        correct=correct,
        non_majority_share=min(correct, n - correct) / n,
        pairwise_disagreement=correct * (n - correct) / pairs if pairs else Undefined("one outcome makes no pair"),
        transitions=sum(before != after for before, after in pairwise(known)),
        all_agree=correct in (0, n),
        all_correct=correct == n,
        any_correct=correct > 0,
    )


def majority(outcomes: Iterable[bool | None]) -> bool | Undefined:
    """The outcome that more than half of the known ones have."""
    known = [outcome for outcome in outcomes if outcome is not None]
    if not known:
        return Undefined("no outcome is known")
    if 2 * sum(known) == len(known):
        return Undefined("as many outcomes are correct as wrong")
    return 2 * sum(known) > len(known)


def pass_at_k(n: int, correct: int, k: int) -> float | Undefined:
    """The chance that at least one of k answers is correct, without bias from n answers to one item.

    Raises:
        ValueError: The counts do not fit: correct is not within 0 and n, or k is below 1.
    """
    _check(n, correct, k)
    if k > n:
        return Undefined(_too_few(n, k))
    ways = math.comb(n, k)
    return (ways - math.comb(n - correct, k)) / ways


def pass_hat_k(n: int, correct: int, k: int) -> float | Undefined:
    """The chance that each of k answers is correct (pass^k), without bias from n answers to one item.

    Raises:
        ValueError: The counts do not fit: correct is not within 0 and n, or k is below 1.
    """
    _check(n, correct, k)
    return math.comb(correct, k) / math.comb(n, k) if k <= n else Undefined(_too_few(n, k))


def _check(n: int, correct: int, k: int) -> None:
    if not (0 <= correct <= n and k >= 1):
        raise ValueError(f"{correct} correct of {n} answers, {k} at a time, is not possible")


def _too_few(n: int, k: int) -> str:
    return f"{n} known answers cannot show what {k} would do"
