"""The page of the codes: every kind of fault there is, and what comes of it."""

from __future__ import annotations

import ast
import importlib
import inspect
import pkgutil
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from types import ModuleType

import itemproof
from generator.markdown import MADE, table
from itemproof.archive.rules import lists
from itemproof.core.findings import Code

__all__ = ["codes_page"]

_HEAD = """
# Codes

Every message names its kind of fault by a letter and three digits. A code is never used for anything else. The message
itself says what was found, what was due, and the next step; this page is the list of all kinds.

What comes of it:

- **exit 2**: the input or the command is wrong. Nothing was changed.
- **exit 3**: not now. Nothing was changed.
- **exit 4**: the disk did not answer.
- **exit 1**: `itemproof validate` found it.
- **warning**: the record is kept; the text stands in its `warnings`, the count in the run's manifest.
- **note**: `itemproof validate` says it, and the archive is intact all the same.
"""

#: The parts, in the order of the page.
_PARTS = {
    "J": "Lines and JSON",
    "I": "Identities",
    "R": "Fields and formats",
    "H": "Logs of lm-evaluation-harness",
    "P": "Paired files",
    "C": "Canonical lines",
    "W": "Writing to an archive",
    "D": "Disk, paths and locks",
    "A": "What validation finds",
    "X": "Exports",
    "U": "Command line",
    "G": "Scoring generated text",
    "L": "CogLang",
}

_EXITS = {"invalid": "exit 2", "refused": "exit 3", "unavailable": "exit 4", "Note": "warning", "_warn": "warning"}


@dataclass(slots=True)
class _Seen:
    """A code in the source.

    Attributes:
        title: Its title.
        outcomes: What comes of it.
    """

    title: str
    outcomes: set[str] = field(default_factory=set)


def codes_page() -> str:
    """The page, by part and code."""
    codes = _every_code()
    lines = [MADE, _HEAD]
    for letter, part in _PARTS.items():
        rows = [
            (f'<a id="{code}"></a>`{code}`', seen.title, ", ".join(sorted(seen.outcomes)))
            for code, seen in sorted(codes.items())
            if code.startswith(letter)
        ]
        lines += [f"## {letter}: {part}", "", *table(("code", "what it is", "comes to"), rows)]
    if unknown := {code for code in codes if code[0] not in _PARTS}:
        raise LookupError(f"no part of the page is for {sorted(unknown)}")
    return "\n".join(lines).rstrip() + "\n"


def _every_code() -> dict[str, _Seen]:
    """Every code that a module of the package makes, with what its uses come to."""
    titles: dict[str, str] = {}
    outcomes: dict[str, set[str]] = defaultdict(set)
    notes = {rule.__module__ for name in lists.__all__ if name.endswith("_NOTES") for rule in getattr(lists, name)}
    for module in _modules():
        for call in (node for node in ast.walk(ast.parse(inspect.getsource(module))) if isinstance(node, ast.Call)):
            called = call.func.id if isinstance(call.func, ast.Name) else getattr(call.func, "attr", "")
            if called == "Code":
                code, title = (ast.literal_eval(argument) for argument in call.args)
                titles[code] = title
            for code in _codes_of(call, module):
                outcomes[code].add(_outcome(called, module.__name__, is_note=module.__name__ in notes))
    return {code: _Seen(title, outcomes[code] or {_outcome("", "", is_note=False)}) for code, title in titles.items()}


def _modules() -> Iterator[ModuleType]:
    for found in pkgutil.walk_packages(itemproof.__path__, "itemproof."):
        if not found.name.endswith(".__main__"):
            yield importlib.import_module(found.name)


def _codes_of(call: ast.Call, module: ModuleType) -> Iterator[str]:
    """The codes that are handed to a call by the name of their constant."""
    for argument in call.args:
        value = getattr(module, argument.id, None) if isinstance(argument, ast.Name) else None
        if isinstance(value, Code):
            yield value.id


def _outcome(called: str, module: str, *, is_note: bool) -> str:
    if is_note:
        return "note"
    if module.startswith("itemproof.archive.rules.") and called == "Finding":
        return "exit 1"
    if module == "itemproof.archive.seal" and called == "Finding":
        return "exit 3"
    if module.startswith("itemproof.coglang.") or not module:
        return "—"
    return _EXITS.get(called, "exit 2")
