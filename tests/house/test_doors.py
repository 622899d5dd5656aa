"""The outside comes in through one door each: printing, the clock, the environment, randomness, text encodings."""

from __future__ import annotations

import ast
from typing import Final

import pytest

from house.sources import REPOSITORY, Source, package, python_files

#: What may be named, and in which modules alone.
DOORS: Final = [
    pytest.param(
        ("print", "sys.stdout.write", "sys.stderr.write", "click.echo", "click.secho"), (), id="no other printing"
    ),
    pytest.param(("sys.stderr",), ("cli/output.py",), id="standard error"),
    pytest.param(("sys.stdout",), ("cli/output.py",), id="standard output"),
    pytest.param(
        ("datetime.now", "datetime.utcnow", "datetime.today", "date.today"), ("core/clock.py",), id="the clock"
    ),
    pytest.param(("time.time", "time.time_ns", "time.localtime", "time.strftime"), (), id="no other clock"),
    # Seconds that pass: a lock is waited for, and a bar shows after one.
    pytest.param(
        ("time.monotonic", "monotonic", "time.perf_counter"), ("cli/output.py", "files/lock.py"), id="seconds"
    ),
    pytest.param(("os.environ", "os.getenv", "os.environb"), ("cli/main.py", "cli/options.py"), id="the environment"),
    pytest.param(("os.getcwd", "os.chdir", "Path.cwd", "Path.home"), (), id="the current folder"),
    pytest.param(("secrets.token_hex", "uuid.uuid4", "os.urandom"), ("archive/archive.py",), id="new ids"),
    # A generator that is given its seed makes the same numbers everywhere.
    pytest.param(("random.Random", "np.random.RandomState"), ("stats/resampling.py",), id="seeded numbers"),
    pytest.param(("random.random", "random.choice", "random.shuffle", "np.random.default_rng"), (), id="randomness"),
    pytest.param(("locale.setlocale", "locale.getlocale", "locale.getpreferredencoding"), (), id="the locale"),
]


@pytest.mark.parametrize(("names", "doors"), DOORS)
def test_the_outside_comes_in_through_its_door_only(names: tuple[str, ...], doors: tuple[str, ...]) -> None:
    found = {f"{source.name}:{line} {name}" for source in package() for name, line in source.names() if name in names}
    assert {place for place in found if place.partition(":")[0] not in doors} == set()


def test_every_door_is_used() -> None:
    due = {door for param in DOORS for door in param.values[1]}  # type: ignore[union-attr]
    named = {name for param in DOORS for name in param.values[0]}  # type: ignore[union-attr]
    assert due == {source.name for source in package() if named.intersection(name for name, _ in source.names())}


def test_the_current_folder_is_looked_at_for_the_command_line_only() -> None:
    used = [source.name for source in package() for name, call in source.calls() if name == "Path" and not call.args]
    assert {name for name in used if not name.startswith(("cli/", "app/adding.py"))} == set()


@pytest.mark.parametrize("folder", ["src", "docs", "tests", "benchmarks", "examples"])
def test_every_text_is_read_and_written_with_an_encoding(folder: str) -> None:
    silent = [
        f"{folder}/{source.name}:{call.lineno}"
        for source in python_files(REPOSITORY / folder)
        for name, call in source.calls()
        if _is_text_without_encoding(name.rpartition(".")[2], call)
    ]
    assert silent == []


def _is_text_without_encoding(name: str, call: ast.Call) -> bool:
    given = {keyword.arg for keyword in call.keywords}
    if "encoding" in given or None in given:
        return False
    if name == "read_text":
        return not call.args
    if name == "write_text":
        return len(call.args) < 2
    if name != "open":
        return False
    mode = next((keyword.value for keyword in call.keywords if keyword.arg == "mode"), None)
    literals = [one.value for one in [*call.args, mode] if isinstance(one, ast.Constant) and isinstance(one.value, str)]
    return bool(literals) and not any("b" in text for text in literals) and set(literals[-1]) <= set("rwax+t")


@pytest.mark.parametrize(
    ("text", "is_silent"),
    [
        ("path.read_text()", True),
        ('path.read_text("utf-8")', False),
        ('path.write_text("x")', True),
        ('path.write_text("x", encoding="utf-8")', False),
        ('path.open("w")', True),
        ('path.open("wb")', False),
        ('path.open("w", encoding="utf-8")', False),
        ("os.open(path, flags)", False),
    ],
)
def test_a_text_without_an_encoding_is_seen(text: str, *, is_silent: bool) -> None:
    ((name, call),) = Source("x", text, ast.parse(text)).calls()
    assert _is_text_without_encoding(name.rpartition(".")[2], call) is is_silent
