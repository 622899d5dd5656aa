"""A code names one kind of fault, is made in one place, and is shown by a test or a case."""

from __future__ import annotations

import ast
import re
from collections import Counter
from functools import cache
from typing import Final

import pytest

from house.sources import REPOSITORY, package

#: The part of the product that each letter stands for.
LETTERS: Final = "ACDGHIJLPRUWX"


@cache
def codes() -> tuple[tuple[str, str, str], ...]:
    """Id, title and place of every code that the package makes."""
    found = []
    for source in package():
        for name, call in source.calls():
            if name == "Code":
                code, title = (ast.literal_eval(argument) for argument in call.args)
                found.append((code, title, f"{source.name}:{call.lineno}"))
    return tuple(sorted(found))


def test_a_code_is_a_letter_and_three_digits() -> None:
    assert [code for code, _, _ in codes() if not re.fullmatch(f"[{LETTERS}][0-9]{{3}}", code)] == []


@pytest.mark.parametrize("part", [0, 1], ids=["id", "title"])
def test_no_two_codes_share(part: int) -> None:
    assert [value for value, count in Counter(code[part] for code in codes()).items() if count > 1] == []


def test_a_title_is_a_phrase() -> None:
    assert [title for _, title, _ in codes() if not title or title != title.strip() or title.endswith(".")] == []


def test_every_code_is_shown_by_a_case_or_named_in_a_test() -> None:
    tests = REPOSITORY / "tests"
    texts = "\n".join(path.read_text(encoding="utf-8") for path in tests.rglob("*.py"))
    named = set(re.findall(r"\b[A-Z][0-9]{3}\b", texts)) | {path.name[:4] for path in (tests / "cases").iterdir()}
    unshown = [f"{code} ({place})" for code, _, place in codes() if code not in named]
    assert not unshown, f"neither a test nor a case for {', '.join(unshown)}"


def test_every_case_is_named_for_a_code_that_there_is() -> None:
    folders = [path.name for path in (REPOSITORY / "tests/cases").iterdir() if path.is_dir() and path.name[0] != "_"]
    known = {code for code, _, _ in codes()}
    assert [name for name in folders if not re.fullmatch(r"[A-Z][0-9]{3}_\w+", name) or name[:4] not in known] == []


def test_a_code_is_a_constant_of_its_room() -> None:
    within = []
    for source in package():
        for function in (node for node in ast.walk(source.tree) if isinstance(node, ast.FunctionDef)):
            calls = [node for node in ast.walk(function) if isinstance(node, ast.Call)]
            within += [source.name for call in calls if isinstance(call.func, ast.Name) and call.func.id == "Code"]
    assert within == []
