"""Is the right side worse by less than a margin? Never by Wald, whose test is certain where nothing changed."""

from __future__ import annotations

from dataclasses import dataclass

from itemproof.stats.distributions import normal_tail
from itemproof.stats.estimate import LEVEL, Undefined
from itemproof.stats.paired import PairedTable, newcombe
from itemproof.stats.tango import tango_z

__all__ = ["NonInferiority", "non_inferiority"]


@dataclass(frozen=True, slots=True, kw_only=True)
class NonInferiority:
    """Whether the right side was shown to be worse by less than the margin.

    Attributes:
        margin: The largest loss that would be accepted, a share.
        delta: The observed difference (right - left).
        low: The one-sided lower limit of the difference (Newcombe 10).
        level: The confidence level of that limit.
        shown: Whether the limit lies above the loss that would be accepted.
        p: The one-sided p value of Tango's score test of the same question.
        n: The pairs.
    """

    margin: float
    delta: float
    low: float
    level: float
    shown: bool
    p: float
    n: int


def non_inferiority(table: PairedTable, margin: float, *, level: float = LEVEL) -> NonInferiority | Undefined:
    """The answer at a one-sided level.

    Raises:
        ValueError: The margin does not lie between 0 and 1, or the level not between 0.5 and 1.
    """
    if not 0 < margin < 1:
        raise ValueError(f"a margin lies between 0 and 1 (0.02 is two points), not at {margin}")
    if not 0.5 < level < 1:
        raise ValueError(f"a one-sided level lies between 0.5 and 1, not at {level}")
    two_sided = newcombe(table, level=2 * level - 1)
    if isinstance(two_sided, Undefined):
        return two_sided
    return NonInferiority(
        margin=margin,
        delta=two_sided.value,
        low=two_sided.low,
        level=level,
        shown=two_sided.low > -margin,
        p=normal_tail(tango_z(table, -margin)),
        n=table.n,
    )
