"""Coverage-guided fuzzing of the language front-end with atheris, which is no dependency of the project.

    python benchmarks/coglang_fuzz.py [libFuzzer options, such as -max_total_time=600]

Every text must be read, judged and printed without an exception, its canonical text must not change when it is read
again (but for the documented exceptions, which only lose a number's or a head's form), and 100 KB never take 0.2 s.
"""

from __future__ import annotations

import importlib
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "src"))

atheris = importlib.import_module("atheris")

with atheris.instrument_imports():
    from itemproof.coglang.ast import Application
    from itemproof.coglang.diagnostics import diagnose
    from itemproof.coglang.lexer import tokenize
    from itemproof.coglang.parser import parse
    from itemproof.coglang.preflight import preflight
    from itemproof.coglang.printer import canonical
    from itemproof.coglang.reading import read
    from itemproof.coglang.tree import tree_json
    from itemproof.coglang.validate import check_specification, validate

_LIMIT_S = 0.2


def one(data: bytes) -> None:
    """One text: as UTF-8 where it is, else each byte a character."""
    try:
        text = data.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        text = data.decode("latin-1")
    start = time.process_time()
    reading = read(text)
    preflight(reading)
    if time.process_time() - start > _LIMIT_S * max(1.0, len(text) / 100_000):
        raise AssertionError(f"slow on {len(text)} characters")
    preflight(reading).as_json(reading)
    diagnose(reading)
    tree_json(reading.parsed)
    if reading.survey is not None:
        validate(reading.survey, text)
        check_specification(reading.survey, text)
    if isinstance(reading.parsed, Application) and all(tokenize(head) == [head] for head in reading.heads):
        again = parse(reading.canonical)
        if isinstance(again, Application) and "inf" not in reading.canonical and "e" not in reading.canonical:
            assert canonical(again) == reading.canonical


if __name__ == "__main__":
    atheris.Setup(sys.argv, one)
    atheris.Fuzz()
