"""Compare evaluation runs of language models question by question, and keep the evidence."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from itemproof.app.comparing import compare
    from itemproof.archive.archive import Archive, Run
    from itemproof.core.errors import InvalidInput, ItemproofError, Refused, Unavailable

__all__ = ["Archive", "InvalidInput", "ItemproofError", "Refused", "Run", "Unavailable", "__version__", "compare"]

__version__ = "0.1.0"

#: Where the public names live; they are imported when they are first used, so that the command starts quickly.
_HOMES = {
    "Archive": "itemproof.archive.archive",
    "Run": "itemproof.archive.archive",
    "InvalidInput": "itemproof.core.errors",
    "ItemproofError": "itemproof.core.errors",
    "Refused": "itemproof.core.errors",
    "Unavailable": "itemproof.core.errors",
    "compare": "itemproof.app.comparing",
}


def __dir__() -> list[str]:
    return __all__


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_HOMES[name]), name)
