"""Text that comes from data is shown with every character visible that could drive a terminal."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from cli.main_in_process import Said, said
from cli.workbench import Workbench, whole

#: A colour, a cursor movement, a line break, a bell, a right-to-left mark, an end of line of Unicode, no character.
_HOSTILE = "e\x1b[31mvil\r\n\x07\u202eab\u2028\x9b\ufeff"
_SHOWN = "e\\x1b[31mvil\\x0d\\x0a\\x07\\u202eab\\u2028\\x9b\\ufeff"


@pytest.fixture
def bench(tmp_path: Path) -> Workbench:
    return Workbench.made(tmp_path)


def line(question_id: str, **changes: Any) -> dict[str, Any]:
    """A harness line with this id."""
    given = {"question_id": question_id, "doc": {}, "resps": [["a"]], "target": "a", "benchmark": "b", "acc": 1}
    return {**given, **changes}


def assert_harmless(done: Said) -> None:
    """Nothing that was printed could drive a terminal, and lines are the tool's own."""
    for text in (done.out, done.err):
        assert [char for char in text if not char.isprintable() and char != "\n"] == []


def test_names_of_the_model_the_benchmark_and_the_file_are_shown_visibly(bench: Workbench) -> None:
    log = bench.log(f"{_HOSTILE}.jsonl", line("q1", benchmark=_HOSTILE, filter=_HOSTILE, variant_id=_HOSTILE))
    root = ["--root", bench.root]

    told = [
        said(*root, "import", "r", log, "--create", "--model", _HOSTILE, "--meta", f"{_HOSTILE}={_HOSTILE}"),
        said(*root, "list"),
        said(*root, "show", "r"),
        said(*root, "summary", "r"),
        said(*root, "validate"),
        said(*root, "attach", "r", log),
        said(*root, "add", log, "--model", _HOSTILE),
    ]

    assert [done.code for done in told] == [0] * len(told)
    for done in told:
        assert_harmless(done)
    assert _SHOWN in told[1].out
    assert _SHOWN in told[3].out
    assert bench.archive.run("r").manifest.model == _HOSTILE


def test_what_a_fault_quotes_is_shown_visibly(bench: Workbench) -> None:
    log = bench.log(f"{_HOSTILE}.jsonl", line(_HOSTILE), line(_HOSTILE), line("q", model=_HOSTILE))
    twice = bench.log("twice.jsonl", line(_HOSTILE), line(_HOSTILE))
    root = ["--root", bench.root]

    told = [
        said(*root, "import", "r", log, "--create", "--model", "m"),
        said(*root, "import", "r", twice, "--create", "--model", "m"),
        said(*root, "import", _HOSTILE, twice, "--create", "--model", "m"),
        said(*root, "import", "r", bench.folder / _HOSTILE),
        said(*root, "import", "r", twice, "--format", _HOSTILE),
        said(*root, "import", "r", twice, f"--{_HOSTILE}"),
        said(*root, "show", _HOSTILE),
        said(_HOSTILE),
        said("--root", bench.folder / _HOSTILE, "list"),
    ]

    assert [done.code for done in told] == [2] * len(told)
    for done in told:
        assert_harmless(done)
        assert done.out == ""


def test_documents_hold_the_data_exactly_and_in_ascii(bench: Workbench) -> None:
    log = bench.log("x.jsonl", line("q1", benchmark=_HOSTILE))
    assert said("--root", bench.root, "import", "r", log, "--create", "--model", _HOSTILE).code == 0

    done = said("--root", bench.root, "summary", "r", "--json")

    assert done.out.isascii()
    assert_harmless(done)
    assert done.document["rows"][0]["benchmark"] == _HOSTILE
    assert done.document["model"] == _HOSTILE


def test_a_path_that_is_no_unicode_is_shown_escaped(bench: Workbench) -> None:
    log = bench.log("caf\udce9.jsonl", line("q1"), line("q2", acc="?", model="n"))

    done = said("--root", bench.root, "import", "r", log, "--create", "--model", "m")

    assert done.code == 2
    assert "caf\\udce9.jsonl:2" in done.err
    bench.bring(bench.log("caf\udce9.jsonl", line("q1")), run="ok")
    assert [file.name for file in bench.files("ok")] == ["caf\\udce9.jsonl"]


def test_a_name_with_a_line_end_makes_no_line_of_its_own(bench: Workbench) -> None:
    forged = "x\nruns/r  A001  forged\rx"
    log = bench.log(f"{forged}.jsonl", line("q1"), b"{\n")
    good = bench.log(f"good {forged}.jsonl", line("q1"))
    root = ["--root", bench.root]

    told = [
        said(*root, "import", "r", log, "--create", "--model", "m"),
        said(*root, "import", "r", bench.folder / forged),
        said(*root, "add", log, "--model", forged),
        said(*root, "add", log, "--model", forged, "--keep-going"),
        said(*root, "import", "r", good, "--create", "--model", forged),
        said(*root, "show", "r"),
        said(*root, f"--{forged}"),
        said(*root, forged),
        said(*root, "attach", "r", bench.folder / forged),
        said(*root, "import", "r", good, "--name-pattern", forged),
    ]

    for done in told:
        assert_harmless(done)
        assert [text for text in (done.out + done.err).splitlines() if text.lstrip().startswith("runs/r  A001")] == []
    assert [done.code for done in told] == [2, 2, 2, 1, 0, 0, 2, 2, 2, 2]
    assert "x\\x0aruns/r  A001  forged\\x0dx" in told[0].err


def test_a_folder_whose_name_is_no_utf8_is_imported_with_what_is_to_be_said_of_it(bench: Workbench) -> None:
    stamp = "2026-01-02T03-04-05.6"
    results = {"results": {"t": {}}, "configs": {"t": {}}, "config": {"model_args": "api_key=abcdefgh12345"}}
    bench.log(f"caf\udce9/results_{stamp}.json", json.dumps(results).encode())
    bench.log(f"caf\udce9/samples_t_{stamp}.jsonl", line("q1"))
    bench.log("caf\udce9/results_other.json", b'{"results": ')

    done = said("--root", bench.root, "add", bench.folder / "logs", "--model", "m")

    assert done.code == 0
    assert [one for one in bench.archive.run("m").manifest.imports[0].notices if "looks like a key" in one] == [
        (
            f"{bench.folder}/logs/caf\\udce9/results_{stamp}.json $.config.model_args looks like a key or token; once "
            "the run is sealed it cannot be removed."
        )
    ]
    assert whole(bench.root) == []
