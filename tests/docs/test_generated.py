"""The reference is what the code says, and the pages that are written by hand leave nothing out."""

from __future__ import annotations

import re
import subprocess
import sys
from typing import Final

from docs.pages import REPOSITORY
from itemproof.adapters.registry import names
from itemproof.cli.main import COMMANDS
from itemproof.records.record import FIELDS

REFERENCE: Final = REPOSITORY / "docs/reference"


def page(name: str) -> str:
    return (REFERENCE / name).read_text(encoding="utf-8")


def test_no_generated_page_or_schema_is_stale() -> None:
    done = subprocess.run(
        [sys.executable, "docs/generate.py", "--check"], cwd=REPOSITORY, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", ""), "run `make docs`"


def test_every_command_has_a_section_in_the_order_of_the_help() -> None:
    assert re.findall(r"^## (\S+)$", page("commands.md"), re.MULTILINE) == list(COMMANDS)


def test_every_code_of_a_page_is_in_the_list() -> None:
    listed = set(re.findall(r'<a id="(\w{4})"></a>', page("codes.md")))
    pages = [path for path in (REPOSITORY / "docs").rglob("*.md") if "reference/codes" not in path.as_posix()]
    named = {code for path in pages for code in re.findall(r"\b[A-Z]\d{3}\b", path.read_text(encoding="utf-8"))}
    assert named - listed == set()


def test_the_table_of_formats_has_every_field_in_order_and_every_format() -> None:
    header, *rows = re.findall(
        r"^\| (?:field|`\w+`) \|.*$", page("formats.md").partition("## What becomes what")[2], re.MULTILINE
    )
    assert [row.split("`")[1] for row in rows] == list(FIELDS)
    assert {name.strip() for name in header.split("|")[2:-1]} == set(names(plugins=lambda: ()))


def test_every_error_and_option_that_a_page_shows_in_prose_exists() -> None:
    known = set(re.findall(r"`(--[a-z-]+)", page("commands.md"))) | {"--version", "--help"}
    shown = set()
    for path in [
        REPOSITORY / "README.md",
        *(REPOSITORY / "docs").glob("*.md"),
        *(REPOSITORY / "docs/how-to").glob("*.md"),
    ]:
        for command in re.findall(r"\bitemproof [^\n`]*", path.read_text(encoding="utf-8")):
            shown |= set(re.findall(r"(?<=\s)(--[a-z][a-z-]*)", command.partition("|")[0]))
    assert shown - known == set()
