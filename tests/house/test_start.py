"""The command starts light: what is heavy is imported where it is needed."""

from __future__ import annotations

import subprocess
import sys
from importlib.resources import files

import pytest

HEAVY = {"numpy", "orjson", "msgspec", "rich", "zstandard"}


def loaded_by(program: str) -> set[str]:
    """The modules that a program has loaded when it ends."""
    listing = "import sys\nsys.stderr.write('\\n'.join(sys.modules))"
    done = subprocess.run(
        [sys.executable, "-S", "-c", f"import sys\nsys.path[:0] = {sys.path!r}\n{program}\n{listing}"],
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    return set(done.stderr.split("\n"))


@pytest.mark.parametrize(
    "program",
    [
        pytest.param("import itemproof", id="the package"),
        pytest.param("from itemproof.cli.main import main; main(['--version'])", id="--version"),
        pytest.param("from itemproof.cli.main import main; main(['--help'])", id="--help"),
    ],
)
def test_what_is_heavy_is_not_loaded_by(program: str) -> None:
    assert loaded_by(program).intersection(HEAVY) == set()


def test_the_package_alone_loads_nothing_of_others() -> None:
    own = {name.partition(".")[0] for name in loaded_by("import itemproof")}
    assert own - sys.stdlib_module_names - {"__main__", ""} == {"itemproof"}


def test_the_package_says_that_it_is_typed() -> None:
    assert files("itemproof").joinpath("py.typed").is_file()


def test_the_package_brings_its_schemas() -> None:
    names = {entry.name for entry in files("itemproof").joinpath("records/schemas").iterdir()}
    assert {"record-v1.schema.json", "run-manifest-v1.schema.json"} <= names
