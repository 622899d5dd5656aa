"""Every error that leaves the package is under its one root, and carries what a reader needs."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from collections.abc import Iterator

import itemproof
from itemproof.cli import main
from itemproof.core.errors import InvalidInput, ItemproofError, NotInstalled, Refused, Unavailable

#: Signals that a module or an adapter and the import pass to each other; none of them reaches a caller.
INNER = {"itemproof.adapters.base.LineRefused", "itemproof.coglang.parser._Stop"}


def errors() -> Iterator[type[BaseException]]:
    """Every exception class that a module of the package defines."""
    for found in pkgutil.walk_packages(itemproof.__path__, "itemproof."):
        if found.name.endswith(".__main__"):
            continue
        for value in vars(importlib.import_module(found.name)).values():
            if inspect.isclass(value) and issubclass(value, BaseException) and value.__module__ == found.name:
                yield value


def test_every_error_is_under_the_root() -> None:
    outside = {f"{error.__module__}.{error.__name__}" for error in errors() if not issubclass(error, ItemproofError)}
    assert outside == INNER


def test_every_error_has_an_exit_code() -> None:
    kinds = {kind for kind, _ in main._EXIT_CODES}
    leaves = {error for error in errors() if issubclass(error, ItemproofError) and error is not ItemproofError}
    assert {error for error in leaves if not kinds.intersection(error.__mro__)} == set()
    assert leaves == {InvalidInput, NotInstalled, Refused, Unavailable}


def test_the_face_shows_what_it_says() -> None:
    assert [name for name in itemproof.__all__ if getattr(itemproof, name, None) is None] == []


def test_every_module_has_what_its_list_of_public_names_says() -> None:
    absent = []
    for found in pkgutil.walk_packages(itemproof.__path__, "itemproof."):
        if not found.name.endswith(".__main__"):
            module = importlib.import_module(found.name)
            absent += [(found.name, name) for name in getattr(module, "__all__", ()) if not hasattr(module, name)]
    assert absent == []
