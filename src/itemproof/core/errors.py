"""Every error of the toolkit, as one tree; `cli/main.py` alone turns it into exit codes.

    ItemproofError
      InvalidInput       the data, the configuration or the usage is wrong; nothing was changed   exit 2
        NotInstalled     an extra is missing; the text has its install command                    exit 2
      Refused            not now: locked, sealed, exists with other bytes, plan stale             exit 3
      Unavailable        disk, network or Hub did not answer                                      exit 4

A check that was carried out and does not hold is a result, not an error (exit 1). Misuse of the Python interface stays
`TypeError` and `ValueError`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from itemproof.core.findings import Code, Finding, Findings

if TYPE_CHECKING:
    from itemproof.core.where import Where

__all__ = [
    "InvalidInput",
    "ItemproofError",
    "NotInstalled",
    "Refused",
    "Unavailable",
    "invalid",
    "refused",
    "unavailable",
]


class ItemproofError(Exception):
    """The root: one or more findings, of which the first gives `code`, `text` and `where`.

    Args:
        findings: What was found, at least one.
        outcome: What it means for the whole, such as "Nothing was imported."
    """

    def __init__(self, findings: Findings, outcome: str = "") -> None:
        super().__init__(findings, outcome)
        self.findings = findings
        self.outcome = outcome

    @property
    def code(self) -> Code:
        """The code of the first finding."""
        return self.findings.kept[0].code

    @property
    def text(self) -> str:
        """The text of the first finding."""
        return self.findings.kept[0].text

    @property
    def where(self) -> Where:
        """The place of the first finding."""
        return self.findings.kept[0].where

    def __str__(self) -> str:
        lines = [str(finding) for finding in self.findings.kept]
        if (more := self.findings.count - len(lines)) > 0:
            lines.append(f"and {more} more")
        if self.outcome:
            lines.append(self.outcome)
        return "\n".join(lines)


class InvalidInput(ItemproofError):
    """The data, the configuration or the usage is wrong; nothing was changed."""


class NotInstalled(InvalidInput):
    """An optional part is missing."""


class Refused(ItemproofError):
    """It cannot be done now: locked, sealed, or there with other bytes."""


class Unavailable(ItemproofError):
    """The disk, the network or the Hub did not answer."""


def _one(code: Code, text: str, where: Where | None) -> Findings:
    findings = Findings()
    findings.add(Finding(code, text, where) if where is not None else Finding(code, text))
    return findings


def invalid(code: Code, text: str, where: Where | None = None, *, outcome: str = "") -> InvalidInput:
    """An `InvalidInput` of one finding."""
    return InvalidInput(_one(code, text, where), outcome)


def refused(code: Code, text: str, where: Where | None = None, *, outcome: str = "") -> Refused:
    """A `Refused` of one finding."""
    return Refused(_one(code, text, where), outcome)


def unavailable(code: Code, text: str, where: Where | None = None, *, outcome: str = "") -> Unavailable:
    """An `Unavailable` of one finding."""
    return Unavailable(_one(code, text, where), outcome)
