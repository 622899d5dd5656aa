"""Writes the generated pages and schemas, or checks that they are what the code says.

`python docs/generate.py` writes; `python docs/generate.py --check` names the stale ones and ends with 1.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from generator.codes import codes_page
from generator.commands import commands_page
from generator.schemas import schemas_page

from itemproof.records.schema import PUBLISHED, SCHEMAS, schema_text

_REFERENCE = Path(__file__).resolve().parent / "reference"


def generated() -> Iterator[tuple[Path, str]]:
    """Every file that is made, and its text."""
    yield _REFERENCE / "commands.md", commands_page()
    yield _REFERENCE / "codes.md", codes_page()
    yield _REFERENCE / "schemas.md", schemas_page()
    for name in PUBLISHED:
        yield SCHEMAS / f"{name}.schema.json", schema_text(name)


def main(*, check: bool) -> int:
    """The exit code: 1 if files were to be checked and one is not what the code says."""
    stale = [(path, text) for path, text in generated() if not path.exists() or path.read_text("utf-8") != text]
    for path, text in stale:
        if not check:
            path.write_text(text, encoding="utf-8", newline="\n")
        sys.stdout.write(f"{'stale' if check else 'wrote'}: {path}\n")
    return 1 if check and stale else 0


if __name__ == "__main__":
    sys.exit(main(check="--check" in sys.argv[1:]))
