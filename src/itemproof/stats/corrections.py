"""Adjusted p values for many tests at once: Holm for claims, Benjamini-Hochberg for screening."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["benjamini_hochberg", "holm"]


def holm(p_values: Sequence[float]) -> list[float]:
    """The p values adjusted by Holm's steps down, in the order given: the risk of any false claim is held.

    Raises:
        ValueError: A p value does not lie from 0 to 1.
    """
    count, order = len(p_values), _ascending(p_values)
    adjusted = [0.0] * count
    least = 0.0
    for rank, place in enumerate(order):
        least = max(least, min((count - rank) * p_values[place], 1.0))
        adjusted[place] = least
    return adjusted


def benjamini_hochberg(p_values: Sequence[float]) -> list[float]:
    """The p values adjusted by Benjamini and Hochberg's steps up, in the order given: the share of false finds is held.

    Raises:
        ValueError: A p value does not lie from 0 to 1.
    """
    count, order = len(p_values), _ascending(p_values)
    adjusted = [0.0] * count
    most = 1.0
    for rank in range(count, 0, -1):
        place = order[rank - 1]
        most = min(most, p_values[place] * (count / rank))
        adjusted[place] = most
    return adjusted


def _ascending(p_values: Sequence[float]) -> list[int]:
    for p in p_values:
        if not 0 <= p <= 1:
            raise ValueError(f"a p value lies from 0 to 1, not at {p}")
    return sorted(range(len(p_values)), key=p_values.__getitem__)
