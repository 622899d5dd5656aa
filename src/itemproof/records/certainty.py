"""How sure the numbers of a comparison are: the statistical part of its shape."""

from __future__ import annotations

import msgspec

__all__ = ["Delta", "Interval", "NonInferior", "Resampled", "SignFlip", "Statistics", "TwoSided"]


class Interval(msgspec.Struct, frozen=True, kw_only=True):
    """The ends of an interval; null where it is undefined.

    Attributes:
        low: The lower end.
        high: The upper end.
        method: How the interval was made.
    """

    low: float | None
    high: float | None
    method: str | None


class Delta(msgspec.Struct, frozen=True, kw_only=True):
    """The interval of the difference; null where it is undefined.

    Attributes:
        low: The lower end.
        high: The upper end.
        se: The standard error of the difference.
        method: How the interval was made.
    """

    low: float | None
    high: float | None
    se: float | None
    method: str | None


class TwoSided(msgspec.Struct, frozen=True, kw_only=True):
    """McNemar's test.

    Attributes:
        p: The exact two-sided p value.
        mid_p: The mid-p value.
        n: The pairs that changed.
    """

    p: float
    mid_p: float
    n: int


class SignFlip(msgspec.Struct, frozen=True, kw_only=True):
    """A test by drawn signs of whole clusters.

    Attributes:
        p: The two-sided p value.
        resamples: How many arrangements were drawn.
        seed: Of the stream.
    """

    p: float
    resamples: int
    seed: int


class Resampled(msgspec.Struct, frozen=True, kw_only=True):
    """The interval of the difference by a bootstrap of whole clusters.

    Attributes:
        low: The lower end.
        high: The upper end.
        method: How it was drawn, with the seed.
    """

    low: float
    high: float
    method: str


class NonInferior(msgspec.Struct, frozen=True, kw_only=True):
    """Whether the right side was shown to be worse by less than a margin.

    Attributes:
        margin: The largest loss that would be accepted, a share.
        low: The one-sided lower limit of the difference.
        level: The level of that limit.
        shown: Whether the limit lies above that loss.
        p: The one-sided p value of Tango's test; null where pairs are not independent.
    """

    margin: float
    low: float
    level: float
    shown: bool
    p: float | None


class Statistics(msgspec.Struct, frozen=True, kw_only=True):
    """How sure the numbers are; null where undefined, and then `why` has the reason.

    Attributes:
        left: The interval of the left accuracy or mean.
        right: The interval of the right one.
        delta: The interval of the difference.
        mcnemar: The test of a change; null where pairs are not independent.
        flip_rate: The share of pairs that changed.
        mde: The smallest difference that would be found with a power of 80 %.
        unit: What counts as independent: `pair`, `question`, or the field of `--cluster`.
        level: The confidence level.
        clusters: How many independent units there are, where the unit is not the pair.
        sign_flips: The test where the unit is not the pair.
        bootstrap: The interval by resampling, with `--cluster`.
        non_inferiority: The answer to `--non-inferiority`.
        why: The reason for what is null, by name.
    """

    left: Interval
    right: Interval
    delta: Delta
    mcnemar: TwoSided | None
    flip_rate: float | None
    mde: float | None
    unit: str
    level: float
    clusters: int | None
    sign_flips: SignFlip | None
    bootstrap: Resampled | None
    non_inferiority: NonInferior | None
    why: dict[str, str]
