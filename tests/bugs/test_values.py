"""Troubles that people reported of other tools with numbers, texts and keys, and what becomes of them here.

Each test is named for the report's number in the list that the project was planned with.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from cli.workbench import Workbench, whole
from itemproof.app.exports import export
from itemproof.core.digest import sha256_of


@pytest.fixture
def bench(tmp_path: Path) -> Workbench:
    return Workbench.made(tmp_path)


def line(number: int = 1, **changes: Any) -> dict[str, Any]:
    """A harness line about question `q<number>`."""
    given: dict[str, Any] = {
        "question_id": f"q{number}",
        "benchmark": "sums",
        "doc": {"question": f"{number} + {number}?"},
        "resps": [[str(2 * number)]],
        "filtered_resps": [str(2 * number)],
        "filter": "none",
        "target": str(2 * number),
        "acc": 1.0,
    }
    return {**given, **changes}


@pytest.mark.parametrize("token", ["NaN", "Infinity", "-Infinity", "1e999"])
def test_bug_001_a_number_that_is_not_finite_refuses_the_file_by_line_and_token(bench: Workbench, token: str) -> None:
    bad = json.dumps(line(2, ppl="?")).replace('"?"', token).encode() + b"\n"
    log = bench.log("scores.jsonl", line(1), bad, line(3))

    refused = bench.refusal(log)

    assert [(one.code.id, one.where.line, one.where.path) for one in refused.findings] == [("J003", 2, "$.ppl")]
    assert token in refused.text
    assert refused.outcome == "Nothing was imported."


@pytest.mark.parametrize("written", ["-inf", "nan", "inf"])
def test_bug_003_a_likelihood_text_that_is_not_finite_is_kept_and_its_score_unknown(
    bench: Workbench, written: str
) -> None:
    likely = [["-1.25", "False"], [written, "False"]]
    arguments = {f"gen_args_{n}": {"arg_0": "Q", "arg_1": f" {choice}"} for n, choice in enumerate("ab")}
    given = line(resps=[[leaf] for leaf in likely], filtered_resps=likely, arguments=arguments)

    bench.bring(bench.log("likely.jsonl", given))

    [record] = bench.records()
    assert record["scores"] == {"likelihoods": [-1.25, None], "greedy": [False, False]}
    assert record["response"] == {"resps": [[leaf] for leaf in likely], "filtered_resps": likely}
    assert bench.files()[0].warnings == {"H012": 1}
    assert [text for text in record["warnings"] if written in text]
    assert whole(bench.root) == []


def test_bug_004_an_integer_is_exact_up_to_4300_digits_and_refused_beyond(bench: Workbench) -> None:
    longest = int("7" * 4300)
    bench.bring(bench.log("kept.jsonl", line(1, doc={"answer": longest}), line(2, doc={"answer": -(2**64)})))

    too_long = bench.log("long.jsonl", line(3), line(4, doc={"answer": 0}))
    too_long.write_bytes(too_long.read_bytes().replace(b'"answer": 0', b'"answer": ' + b"7" * 4301))

    assert bench.faults(too_long) == [("J004", 2, "$.doc.answer")]
    answers = [record["input"]["document"]["answer"] for record in bench.records()]
    assert answers == [longest, -(2**64)]
    assert all(type(answer) is int for answer in answers)


def test_bug_005_a_byte_order_mark_is_kept_at_the_start_and_refused_within(bench: Workbench) -> None:
    one, two = (b"\xef\xbb\xbf" + json.dumps(line(n)).encode() + b"\n" for n in (1, 2))
    alone, joined = bench.log("one.jsonl", one), bench.log("joined.jsonl", one, two)

    bench.bring(alone)

    [record] = bench.records()
    assert (record["question_id"], record["source"]["line"]) == ("q1", 1)
    assert (bench.root / record["source"]["path"]).read_bytes() == one
    assert bench.faults(joined, run="run-2") == [("J008", 2, "$")]


def test_bug_007_half_of_a_surrogate_pair_refuses_the_file_by_line_and_field(bench: Workbench) -> None:
    half = json.dumps(line(2, resps=[["half \ud835 done"]])).encode() + b"\n"
    log = bench.log("half.jsonl", line(1), half)

    assert bench.faults(log) == [("J005", 2, "$.resps[0][0]")]


def test_bug_008_the_locale_changes_no_byte_and_no_message_fails_in_it(tmp_path: Path) -> None:
    """The same log in the C locale without UTF-8 mode, in Latin-1 and in UTF-8."""
    log = tmp_path / "logs" / "首都.jsonl"
    log.parent.mkdir()
    log.write_bytes(json.dumps(line(resps=[["東京 ≤ “ok” 🤗"]]), ensure_ascii=False).encode("utf-8") + b"\n")
    plain = {"PATH": os.environ["PATH"], "HOME": os.environ["HOME"], "PYTHONCOERCECLOCALE": "0"}
    settings = {
        "c": {"LC_ALL": "C", "PYTHONUTF8": "0"},
        "latin": {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONIOENCODING": "latin-1"},
        "utf8": {"PYTHONUTF8": "1"},
    }
    digests = set()
    for name, chosen in settings.items():
        root = tmp_path / name
        for arguments in (["init"], ["import", "r", str(log), "--create", "--model", "東京/モデル"], ["show", "r"]):
            done = subprocess.run(
                [sys.executable, "-m", "itemproof", "--root", str(root), *arguments],
                env={**plain, **chosen},
                capture_output=True,
                check=False,
            )
            assert (done.returncode, b"Traceback" in done.stderr) == (0, False), done.stderr
        digests.add(sha256_of((root / "runs/r/records/0001.jsonl").read_bytes()))

    assert len(digests) == 1


def test_bug_009_a_nul_in_a_text_survives_into_records_and_exports(bench: Workbench) -> None:
    bench.bring(bench.log("nul.jsonl", line(resps=[["head\0tail"]], filtered_resps=["head\0tail"])))

    [record] = bench.records()
    assert record["prediction"] == "head\0tail"
    for name in ("out.jsonl", "out.csv"):
        export(bench.archive, "run-1", bench.folder / name)
    assert json.loads((bench.folder / "out.jsonl").read_bytes())["prediction"] == "head\0tail"
    assert "tail" in (bench.folder / "out.csv").read_text(encoding="utf-8")
    assert whole(bench.root) == []


def test_bug_022_a_key_that_stands_twice_is_refused_with_its_place_at_any_depth(bench: Workbench) -> None:
    twice = (
        b'{"question_id":"q1","doc":{"question":"2+2","question":"3+3"},"resps":[["4"]],"target":"4","acc":0,"acc":1}\n'
    )
    log = bench.log("twice.jsonl", twice)

    assert bench.faults(log, benchmark="sums") == [("J002", 1, "$.acc"), ("J002", 1, "$.doc.question")]


def test_bug_024_a_field_may_have_another_type_on_the_next_line(bench: Workbench) -> None:
    titles: list[Any] = ["Ulysses", 1984, None]
    targets: list[Any] = ["a", ["a", "b"], 2]
    pairs = enumerate(zip(titles, targets, strict=True), 1)
    bench.bring(bench.log("types.jsonl", *(line(n, doc={"title": title}, target=due) for n, (title, due) in pairs)))

    records = bench.records()
    assert [record["target"] for record in records] == targets
    assert [record["input"]["document"]["title"] for record in records] == titles
    assert type(records[1]["input"]["document"]["title"]) is int


def test_bug_042_a_list_that_is_written_as_a_text_stays_a_text(bench: Workbench) -> None:
    doc = {"choices": "['Theme', 'Style']"}
    bench.bring(bench.log("repr.jsonl", line(1, doc=doc, target="['Paris', 'Lutetia']"), line(2, target="0")))

    first, second = bench.records()
    assert (first["target"], first["input"]["document"]) == ("['Paris', 'Lutetia']", doc)
    assert second["target"] == "0"
    assert [record["warnings"] for record in (first, second)] == [[], []]
