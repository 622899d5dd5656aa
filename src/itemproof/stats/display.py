"""Numbers as text that never round into a lie: 100 % only if it is all, 0 only if it is nothing."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from itemproof.stats.estimate import Estimate, Undefined

__all__ = [
    "DIFFERENCE",
    "NUMBER",
    "PERCENT",
    "POINTS",
    "SIZE_IN_POINTS",
    "Scale",
    "count",
    "in_full",
    "interval",
    "not_available",
    "p_value",
    "show",
]

_FINEST = 15


@dataclass(frozen=True, slots=True, kw_only=True)
class Scale:
    """A way of writing numbers.

    Attributes:
        unit: What follows the number, its blank included.
        factor: How many of the written units make 1.
        write: The number, without the unit, at a fineness.
        fineness: The usual one: decimals, or significant digits.
    """

    unit: str
    factor: int
    write: Callable[[float, int], str]
    fineness: int


def show(value: float | Undefined, scale: Scale) -> str:
    """The number with its unit, such as `35.6 %` or `+9.4 points`.

    Raises:
        ValueError: The number is not finite, or not in the range of the scale.
    """
    return not_available(value) if isinstance(value, Undefined) else scale.write(value, scale.fineness) + scale.unit


def interval(estimate: Estimate | Undefined, scale: Scale) -> str:
    """The interval without units, such as `[+5.4, +13.4]`, as fine as it takes to read about as wide as it is."""
    if isinstance(estimate, Undefined):
        return not_available(estimate)
    return _brackets(estimate, scale, _fineness(estimate, scale))


def in_full(estimate: Estimate | Undefined, scale: Scale) -> str:
    """The number and its interval equally fine, such as `+9.4 points [+5.4, +13.4]`."""
    if isinstance(estimate, Undefined):
        return not_available(estimate)
    fineness = _fineness(estimate, scale)
    return f"{scale.write(estimate.value, fineness)}{scale.unit} {_brackets(estimate, scale, fineness)}"


def p_value(p: float | Undefined) -> str:
    """A p value with two significant digits, such as `5.1e-06`, `0.017` or `1`.

    Raises:
        ValueError: It does not lie from 0 to 1.
    """
    if isinstance(p, Undefined):
        return not_available(p)
    if not 0 <= p <= 1:
        raise ValueError(f"a p value lies from 0 to 1, not at {p}")
    if p < 1e-300:
        return "<1e-300"
    text = f"{p:.2g}"
    return "0.99" if text == "1" and p < 1 else text


def count(number: int) -> str:
    """A count with thousands separated, such as `14,042`."""
    return f"{number:,}"


def not_available(undefined: Undefined) -> str:
    """The place of a number that there is not, with the reason."""
    return f"n/a: {undefined.reason}"


def _brackets(estimate: Estimate, scale: Scale, fineness: int) -> str:
    return f"[{scale.write(estimate.low, fineness)}, {scale.write(estimate.high, fineness)}]"


def _fineness(estimate: Estimate, scale: Scale) -> int:
    width = (estimate.high - estimate.low) * scale.factor
    for fineness in range(scale.fineness, _FINEST):
        low, high = (_read(scale.write(end, fineness)) for end in (estimate.low, estimate.high))
        if abs(high - low - width) <= width / 2:
            return fineness
    return _FINEST


def _read(text: str) -> float:
    return float(text.replace(",", ""))


def _percent(share: float, decimals: int) -> str:
    if not 0 <= share <= 1:
        raise ValueError(f"a share lies from 0 to 1, not at {share}")
    step = 10.0**-decimals
    percent = share * 100
    if 0 < share < 1:  # rounding stops one step short of none and of all
        percent = min(max(percent, step), 100 - step)
    return f"{percent:.{decimals}f}"


def _points(difference: float, decimals: int) -> str:
    size = _size_in_points(abs(difference), decimals)
    return f"{'+' if difference > 0 else '-'}{size}" if difference else size


def _size_in_points(size: float, decimals: int) -> str:
    if not 0 <= size < math.inf:
        raise ValueError(f"a size is finite and not negative, not {size}")
    points = size * 100
    if size:  # what is not nothing gets the decimals that show it, down to the finest
        while decimals < _FINEST and round(points, decimals) == 0:
            decimals += 1
        points = max(points, 10.0**-decimals)
    return f"{points:.{decimals}f}"


def _number(value: float, digits: int) -> str:
    if not math.isfinite(value):
        raise ValueError(f"{value} is not finite")
    if value and not 1e-4 <= abs(value) < 1e15:
        return f"{value:.{digits - 1}e}"
    exponent = int(f"{value:.{digits - 1}e}".partition("e")[2])
    text = f"{value + 0.0:,.{max(0, digits - 1 - exponent)}f}"
    short = text.rstrip("0").rstrip(".") if "." in text else text
    # trailing zeros are dropped only from a number that was not rounded: 0.5, but 1.000 for 0.99999
    return short if _read(short) == value else text


def _difference(value: float, digits: int) -> str:
    return f"+{_number(value, digits)}" if value > 0 else _number(value, digits)


#: A share, with one decimal; 99.96 % reads 99.9.
PERCENT = Scale(unit=" %", factor=100, write=_percent, fineness=1)

#: A difference of shares, with its sign and one decimal.
POINTS = Scale(unit=" points", factor=100, write=_points, fineness=1)

#: The size of a difference of shares, such as a margin, without a sign.
SIZE_IN_POINTS = Scale(unit=" points", factor=100, write=_size_in_points, fineness=1)

#: A metric in its own units, with four significant digits.
NUMBER = Scale(unit="", factor=1, write=_number, fineness=4)

#: A difference of a metric in its own units, with its sign.
DIFFERENCE = Scale(unit="", factor=1, write=_difference, fineness=4)
