"""Delete with two arguments removes an edge, and says so."""

from __future__ import annotations

from itemproof.coglang.ast import Application
from itemproof.coglang.rules.base import Rule
from itemproof.core.findings import Code

__all__ = ["DELETE_EDGE"]


def _is_broken(application: Application) -> bool:
    arguments = application.arguments
    return application.head == "Delete" and len(arguments) == 2 and arguments[0] != "Edge"


def _explain(_: Application) -> str:
    return 'Delete with two arguments removes an edge; its first is then "Edge".'


DELETE_EDGE = Rule(Code("L025", "a two-argument Delete of something else than an edge"), _is_broken, _explain)
