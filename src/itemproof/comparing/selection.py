"""Which records of a side take part: a wording, and what the options choose."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Selection"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """What is asked of the records of both sides; None lets everything through.

    Attributes:
        benchmark: Only this benchmark.
        language: Only this language.
        filter: Only this filter.
        metric: What is compared; None takes the records' correctness.
    """

    benchmark: str | None = None
    language: str | None = None
    filter: str | None = None
    metric: str | None = None

    def takes(self, benchmark: str, language: str | None, filter_: str) -> bool:
        """Whether a record of these takes part."""
        return (
            self.benchmark in (None, benchmark) and self.language in (None, language) and self.filter in (None, filter_)
        )

    def __str__(self) -> str:
        """The choices in words, such as `benchmark 'gsm8k', filter 'none'`; empty where there is none."""
        named = (("benchmark", self.benchmark), ("language", self.language), ("filter", self.filter))
        return ", ".join(f"{name} {value!r}" for name, value in named if value is not None)
