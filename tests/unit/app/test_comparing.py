"""Two sides are opened, read and paired: runs, wordings and paths; what cannot be paired says why."""

from __future__ import annotations

import gc
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from builders import change_manifest
from cli.workbench import Workbench, snapshot
from harness_lines import choice_line
from itemproof.app.compared import Compared
from itemproof.app.comparing import compare
from itemproof.app.sides import is_path
from itemproof.core.errors import InvalidInput, ItemproofError, NotInstalled, Refused
from itemproof.records.item import ItemKey


@pytest.fixture
def bench(tmp_path: Path) -> Workbench:
    return Workbench.made(tmp_path)


def a_line(question: str, *, correct: bool | None = True, **changes: Any) -> dict[str, Any]:
    """A canonical line."""
    return {"question_id": question, "variant_id": "original", "benchmark": "b", "correct": correct, **changes}


def lines_of(corrects: str, **changes: Any) -> list[dict[str, Any]]:
    """A line for each character: `1` correct, `0` wrong, `?` unknown."""
    verdicts = {"1": True, "0": False, "?": None}
    return [a_line(f"q{at}", correct=verdicts[char], **changes) for at, char in enumerate(corrects)]


def two_runs(bench: Workbench, left: list[dict[str, Any]], right: list[dict[str, Any]], **metadata: Any) -> None:
    """The runs `one` and `two`; metadata is of both."""
    for name, lines in (("one", left), ("two", right)):
        bench.bring(bench.log(f"{name}.jsonl", *lines), run=name, model=f"m/{name}", metadata=metadata)


def compared(bench: Workbench, left: Any = "one", right: Any = "two", **options: Any) -> Compared:
    return compare(left, right, root=bench.root, **options)


def refusal(make: Callable[[], object]) -> ItemproofError:
    with pytest.raises(InvalidInput) as refused:
        make()
    return refused.value


def code_of(make: Callable[[], object]) -> str:
    return str(refusal(make).code)


def test_two_runs_are_paired_and_counted(bench: Workbench) -> None:
    two_runs(bench, lines_of("1100?1"), [*lines_of("1010?"), a_line("new")])
    before = snapshot(bench.root)
    summary = compared(bench).summary
    assert summary["counts"] == {
        "left_records": 6,
        "right_records": 6,
        "left_run_local": 0,
        "right_run_local": 0,
        "matched": 5,
        "left_only": 1,
        "right_only": 1,
        "both_correct": 1,
        "both_wrong": 1,
        "correct_to_wrong": 1,
        "wrong_to_correct": 1,
        "unscored": 1,
    }
    assert summary["accuracy"] == {"pairs": 4, "left": 0.5, "right": 0.5, "delta": 0.0}
    assert summary["left"] == {"run": "one", "path": None, "variant": "original", "model": "m/one"}
    assert summary["identity"] == {"selected": [], "reidentified": False, "ambiguous": 0}
    assert (summary["schema_version"], summary["metric"]) == ("itemproof-comparison/v1", "correct")
    assert snapshot(bench.root) == before


def test_the_document_has_the_stable_keys_in_their_order(bench: Workbench) -> None:
    two_runs(bench, lines_of("10"), lines_of("11"))
    summary = compared(bench).summary
    assert list(summary)[:9] == [
        *("schema_version", "left", "right", "identity", "metric", "counts", "accuracy", "statistics", "groups"),
    ]
    assert {"differences", "gates", "warnings"} <= set(summary)
    assert list(summary["statistics"])[:8] == [
        *("left", "right", "delta", "mcnemar", "flip_rate", "mde", "unit", "level"),
    ]
    assert list(summary["statistics"]["delta"]) == ["low", "high", "se", "method"]
    assert json.loads(json.dumps(summary, allow_nan=False)) == summary


def test_items_are_whole_records_in_the_order_of_their_keys(bench: Workbench) -> None:
    two_runs(bench, lines_of("10", own={"a": [1]}), list(reversed(lines_of("11"))))
    items = list(compared(bench).items())
    assert [(item.key, item.outcome) for item in items] == [
        (ItemKey("b", None, None, "q0", "none", 0), "both_correct"),
        (ItemKey("b", None, None, "q1", "none", 0), "wrong_to_correct"),
    ]
    records = [record for record in bench.records("one") if record["question_id"] == "q1"]
    assert [json.loads(items[1].left or b"")] == records
    assert [item.key.question_id for item in compared(bench).items(only=["changed"])] == ["q1"]


def test_paths_are_sides_and_nothing_is_left_behind(bench: Workbench, monkeypatch: pytest.MonkeyPatch) -> None:
    made = bench.folder / "tmp"
    made.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(made))
    left, right = bench.log("a/one.jsonl", *lines_of("1100")), bench.log("a/two.jsonl", *lines_of("1010"))
    before = snapshot(bench.folder / "logs")
    found = compare(str(left), right)
    assert found.summary["left"] == {"run": None, "path": str(left), "variant": "original", "model": "one.jsonl"}
    assert found.summary["identity"]["selected"] == ["auto"]
    assert [item.outcome for item in found.items()] == [
        *("both_correct", "correct_to_wrong", "wrong_to_correct", "both_wrong"),
    ]
    found.close()
    assert list(made.iterdir()) == []
    compare(left, right)
    gc.collect()
    assert list(made.iterdir()) == []
    with pytest.raises(InvalidInput):
        compare(left, bench.folder / "nowhere")
    assert list(made.iterdir()) == []
    assert snapshot(bench.folder / "logs") == before


@pytest.mark.parametrize(
    ("given", "due"),
    [
        ("run", False),
        ("llama-3.1-8b", False),
        ("./run", True),
        ("out/a", True),
        ("a.jsonl", True),
        ("a.jsonl.gz", True),
        ("A.JSONL.ZST", True),
        (".", True),
        (Path("run"), True),
    ],
)
def test_a_slash_or_a_suffix_makes_a_path(given: str | Path, *, due: bool) -> None:
    assert is_path(given) is due


def test_a_run_and_a_folder_of_one_name_are_told_apart(bench: Workbench, monkeypatch: pytest.MonkeyPatch) -> None:
    two_runs(bench, lines_of("11"), lines_of("10"))
    monkeypatch.chdir(bench.folder)
    (bench.folder / "one").mkdir()
    (bench.folder / "three").mkdir()
    assert compared(bench).summary["left"]["run"] == "one"
    error = refusal(lambda: compared(bench, "three"))
    assert (str(error.code), "./three" in error.text) == ("U021", True)
    assert code_of(lambda: compared(bench, "four")) == "W002"
    assert code_of(lambda: compared(bench, "hf://datasets/a/b@c/d")) == "U022"


def test_the_model_of_a_path_is_what_its_lines_say(bench: Workbench) -> None:
    path = bench.log("x.jsonl", *lines_of("11", model="demo"))
    assert compare(path, path).summary["left"]["model"] == "demo"


def test_two_wordings_of_one_run(bench: Workbench) -> None:
    lines = [*lines_of("1100"), *lines_of("1010", variant_id="new")]
    bench.bring(bench.log("x.jsonl", *lines), run="one")
    found = compare("one", root=bench.root)
    assert (found.value.left.variant, found.value.right.variant) == ("original", "new")
    assert (found.value.counts.matched, found.value.counts.correct_to_wrong) == (4, 1)
    back = compare("one", root=bench.root, baseline="new", variant="original")
    assert back.value.counts.wrong_to_correct == 1


def test_one_run_without_a_second_wording_needs_a_second_side(bench: Workbench) -> None:
    two_runs(bench, lines_of("11"), [*lines_of("11"), *lines_of("1", variant_id="a"), *lines_of("1", variant_id="b")])
    assert code_of(lambda: compare("one", root=bench.root)) == "U024"
    error = refusal(lambda: compare("two", root=bench.root))
    assert (str(error.code), "a, b" in error.text) == ("U024", True)


def test_a_wording_that_is_not_there_is_refused_with_those_that_are(bench: Workbench) -> None:
    two_runs(bench, lines_of("11"), lines_of("11", variant_id="new"))
    error = refusal(lambda: compared(bench))
    assert str(error.code) == "U023"
    assert "new (2 records)" in error.text
    found = compared(bench, variant="new")
    assert found.value.counts.matched == 2
    assert "both the run and the wording change, original to new" in found.value.warnings[0]


def test_a_run_against_itself_says_so(bench: Workbench) -> None:
    two_runs(bench, lines_of("10"), lines_of("10"))
    found = compared(bench, "one", "one").value
    assert (found.counts.matched, found.warnings) == (2, ["both sides are the same records."])


def test_zero_pairs_explain_themselves(bench: Workbench) -> None:
    lines = [choice_line(at, benchmark="b", doc={"idx": f"n{at}", "q": f"text {at}"}) for at in range(4)]
    two_runs(bench, lines, list(reversed(lines)))
    found = compared(bench).value
    assert (found.counts.matched, found.counts.left_run_local, found.counts.right_run_local) == (0, 4, 4)
    assert found.accuracy.delta is None
    assert found.explanation == [
        (
            "run-local, so not paired: 4 records on the left, 4 on the right. They carry no id that would hold beyond "
            "their run."
        ),
        "documents that are byte-identical on both sides: 4.",
        (
            "doc_hash is unique on both sides and equal on 4 questions; if it names the question: "
            "itemproof compare one two --id-field doc_hash"
        ),
        (
            "doc.idx is unique on both sides and equal on 4 questions; if it names the question: "
            "itemproof compare one two --id-field doc.idx"
        ),
    ]


@pytest.mark.parametrize("field", ["doc_hash", "doc.idx", "auto"])
def test_identities_are_chosen_anew_as_a_view(bench: Workbench, field: str) -> None:
    lines = [choice_line(at, benchmark="b", doc={"idx": f"n{at}", "q": f"text {at}"}) for at in range(4)]
    two_runs(bench, lines, list(reversed(lines)))
    with bench.unchanged():
        found = compared(bench, id_field=(field,))
        assert (found.value.counts.matched, found.value.counts.left_run_local) == (4, 0)
        assert found.summary["identity"] == {"selected": [field], "reidentified": True, "ambiguous": 0}
        places = [json.loads(item.left or b"")["source"]["path"] for item in found.items()]
    assert set(places) == {"runs/one/raw/0001-one.jsonl"}


def test_two_identical_documents_name_neither(bench: Workbench) -> None:
    lines = [choice_line(at, benchmark="b", doc={"q": f"text {min(at, 2)}"}) for at in range(4)]
    two_runs(bench, lines, lines)
    value = compared(bench, id_field=("doc_hash",)).value
    assert (value.counts.matched, value.counts.left_run_local, value.identity.ambiguous) == (2, 2, 4)


def test_a_repeated_id_of_the_producer_is_refused_with_both_places(bench: Workbench) -> None:
    lines = [choice_line(at, benchmark="b", doc={"key": min(at, 1), "q": f"text {at}"}) for at in range(3)]
    two_runs(bench, lines, lines)
    error = refusal(lambda: compared(bench, id_field=("doc.key",)))
    assert [(str(one.code), one.where.file, one.where.line) for one in error.findings] == [
        ("I020", "runs/one/raw/0001-one.jsonl", 3)
    ]
    assert "runs/one/raw/0001-one.jsonl:2" in error.text


def test_a_digest_cannot_pair_two_wordings(bench: Workbench) -> None:
    two_runs(bench, lines_of("11"), lines_of("11", variant_id="new"))
    assert code_of(lambda: compared(bench, variant="new", id_field=("doc_hash",))) == "I025"


def test_options_of_paths_are_refused_for_runs(bench: Workbench) -> None:
    two_runs(bench, lines_of("11"), lines_of("11"))
    options: list[dict[str, Any]] = [{"as_repeats": True}, {"timestamp": "latest"}, {"name_pattern": "{benchmark}"}]
    for option in options:
        with pytest.raises(InvalidInput, match="U028"):
            compared(bench, **option)
    path = bench.log("two.jsonl", *lines_of("11"))
    assert compared(bench, path, timestamp="latest").value.counts.matched == 2


def test_one_identity_with_two_documents_is_warned_of(bench: Workbench) -> None:
    left = [line | {"input": {"document": "a"}} for line in lines_of("11")]
    right = [line | {"input": {"document": at}} for at, line in zip("ab", lines_of("11"), strict=True)]
    two_runs(bench, left, right)
    value = compared(bench).value
    assert value.warnings == [
        "1 pairs have one identity and different documents: see that they are the same questions."
    ]
    assert (value.documents.identical, value.documents.different) == (1, 1)


def test_a_digest_for_one_benchmark_cannot_pair_two_wordings_either(bench: Workbench) -> None:
    two_runs(bench, lines_of("11"), lines_of("11", variant_id="new"))
    assert code_of(lambda: compared(bench, variant="new", id_field=("b=doc_hash",))) == "I025"


def test_two_long_sides_read_at_the_same_time_are_the_same_sides(
    bench: Workbench, monkeypatch: pytest.MonkeyPatch
) -> None:
    document = {"input": {"document": {"a": 1}, "prompt": "p"}}
    two_runs(bench, [one | document for one in lines_of("1100")], [one | document for one in lines_of("101?")])
    alone = compared(bench).summary
    monkeypatch.setattr("itemproof.app.side_reading._WORTH_FORKING_BYTES", 0)
    monkeypatch.setattr("itemproof.app.side_reading.usable_cores", lambda: 2)
    assert compared(bench).summary == alone
    assert alone["documents"] == {"identical": 4, "different": 0, "unknown": 0}
    path = bench.root / "runs/two/records/0001.jsonl"
    path.chmod(0o644)
    path.write_bytes(path.read_bytes().replace(b'"correct":true', b'"correct":null'))
    assert code_of(lambda: compared(bench)) == "A003"


def test_the_field_behind_the_identities_is_named_by_the_files_that_paired(bench: Workbench) -> None:
    left = bench.log("samples_b_2026-01-01T00-00-00.000001.jsonl", *(choice_line(at) for at in range(2)))
    found = compare(left, left)
    assert found.paired_by() == ["doc.id"]
    bare = bench.log("x/samples_b_2026-01-01T00-00-00.000001.jsonl", choice_line(0, doc={"q": "a"}))
    assert compare(bare, bare).paired_by() == ["doc_hash"]
    assert compare(left, bare).paired_by() == []


def test_a_benchmark_is_given_to_lines_that_name_none(bench: Workbench) -> None:
    bare = bench.log("bare.jsonl", *(choice_line(at) for at in range(3)))
    assert code_of(lambda: compare(bare, bare)) == "R003"
    value = compare(bare, bare, benchmark="foxes").value
    assert [(group.benchmark, group.counts.matched) for group in value.groups] == [("foxes", 3)]
    named = bench.log("named.jsonl", *lines_of("11"), *lines_of("1", benchmark="foxes"))
    assert compare(named, named, benchmark="foxes").value.counts.matched == 1


def test_a_strict_run_keeps_its_identities(bench: Workbench) -> None:
    two_runs(bench, lines_of("11"), lines_of("11"), benchmark_contract={"item_bank": {"id": "x"}})
    assert code_of(lambda: compared(bench, id_field=("doc.id",))) == "I023"
    assert compared(bench).value.counts.matched == 2


def test_identities_need_the_adapter_that_made_the_records(bench: Workbench) -> None:
    two_runs(bench, lines_of("11"), lines_of("11"))
    change_manifest(bench.root, lambda content: content["imports"][0].update(format="gone"), run_id="one")
    assert code_of(lambda: compared(bench, id_field=("question_id",))) == "I024"


def test_known_revisions_that_contradict_are_refused(bench: Workbench) -> None:
    for name, revision in (("one", "r1"), ("two", "r2"), ("three", None)):
        metadata = {"dataset_revision": revision} if revision else {}
        bench.bring(bench.log(f"{name}.jsonl", *lines_of("11")), run=name, metadata=metadata)
    assert code_of(lambda: compared(bench)) == "I021"
    assert compared(bench, "one", "three").value.warnings == [
        "b: the dataset revision is known on the left side only (r1)."
    ]


def test_where_nothing_is_scored_a_binary_metric_is_named(bench: Workbench) -> None:
    left = lines_of("???", metrics={"bleu": 0.25, "hit": 1})
    right = lines_of("???", metrics={"bleu": 0.5, "hit": 0})
    two_runs(bench, left, right)
    value = compared(bench).value
    assert value.counts.unscored == 3
    assert value.warnings == [
        (
            "no pair says on both sides whether it is correct. Binary metrics that are there: hit. Choose one with "
            "--metric hit."
        )
    ]
    by_hit = compared(bench, metric="hit").value
    assert (by_hit.metric, by_hit.counts.correct_to_wrong, by_hit.counts.unscored) == ("hit", 3, 0)
    by_bleu = compared(bench, metric="bleu")
    means = by_bleu.value.groups[0].means
    assert means is not None
    assert (means.left, means.right, means.better, means.higher_is_better) == (0.25, 0.5, 3, True)
    assert [item.outcome for item in by_bleu.items()] == ["better"] * 3
    assert [item.compared for item in by_bleu.items()] == [(0.25, 0.5)] * 3


def test_a_metric_that_is_nowhere_is_refused_with_those_that_are(bench: Workbench) -> None:
    two_runs(bench, lines_of("1", metrics={"x": 1}), lines_of("1", metrics={"y": 1}))
    error = refusal(lambda: compared(bench, metric="z"))
    assert (str(error.code), "x, y" in error.text) == ("U025", True)
    assert compared(bench, metric="x").value.warnings == ["only the left side has the metric x."]


@pytest.mark.parametrize("choice", ["benchmark", "language", "filter"])
def test_options_that_select_nothing_are_refused(bench: Workbench, choice: str) -> None:
    two_runs(bench, lines_of("1"), lines_of("1"))
    error = refusal(lambda: compared(bench, **{choice: "zz"}))
    assert (str(error.code), f"{choice} 'zz'" in error.text) == ("U027", True)


def test_benchmarks_filters_and_languages_are_groups_of_their_own(bench: Workbench) -> None:
    parts: list[dict[str, Any]] = [{}, {"benchmark": "a"}, {"language": "en"}, {"filter": "strict"}, {"script": "Latn"}]
    lines = [line for part in parts for line in lines_of("10", **part)]
    two_runs(bench, lines, lines)
    groups = compared(bench).groups
    assert [(one.benchmark, one.language, one.script, one.filter, one.counts.matched) for one in groups] == [
        ("a", None, None, "none", 2),
        ("b", None, None, "none", 2),
        ("b", None, None, "strict", 2),
        ("b", None, "Latn", "none", 2),
        ("b", "en", None, "none", 2),
    ]
    assert [one.language for one in compared(bench, language="en").groups] == ["en"]


def test_the_floor_is_a_rerun_of_the_left_side(bench: Workbench) -> None:
    two_runs(bench, lines_of("1100"), lines_of("1111"))
    bench.bring(bench.log("again.jsonl", *lines_of("1000")), run="again", model="m/one")
    floor = compared(bench, floor="again").value.floor
    assert floor is not None
    assert (floor.run, floor.pairs, floor.changed, floor.flip_rate) == ("again", 4, 1, 0.25)


def test_clusters_come_from_a_field_of_the_records(bench: Workbench) -> None:
    lines = [line | {"input": {"document": {"topic": f"t{at % 3}"}}} for at, line in enumerate(lines_of("110010"))]
    two_runs(bench, lines, lines_of("101011"))
    statistics = compared(bench, cluster="doc.topic").value.statistics
    assert (statistics.unit, statistics.clusters) == ("doc.topic", 3)
    assert statistics.bootstrap is not None
    assert code_of(lambda: compared(bench, cluster="doc.colour")) == "U026"


def test_gates_are_checked_and_a_bad_one_is_refused_before_anything_is_read(bench: Workbench) -> None:
    two_runs(bench, lines_of("11"), lines_of("10"))
    gates = compared(bench, gates=("pairs >= 2",), fail_on_regression=True).value.gates
    assert [(one.gate, one.holds) for one in gates] == [("pairs >= 2", True), ("correct_to_wrong == 0", False)]
    assert code_of(lambda: compared(bench, "nowhere", gates=("better",))) == "U020"


def test_identities_that_nearly_match_are_named(bench: Workbench) -> None:
    two_runs(bench, [a_line("Q1")], [a_line("q1")])
    (warning,) = compared(bench).value.warnings
    assert "'Q1' and 'q1'" in warning


STRANGE = ["a\nb", "a/b", '"', "'", "🦀", "\u202eabc", "a\u2028", " lead", "a\u0000", "0", "00", "=1", "é", "e\u0301"]


def test_any_id_is_paired_as_it_is_written(bench: Workbench) -> None:
    lines = [a_line(name) for name in STRANGE]
    two_runs(bench, lines, list(reversed(lines)))
    found = compared(bench)
    assert found.value.counts.matched == len(STRANGE)
    assert [item.key.question_id for item in found.items()] == sorted(STRANGE)


def test_a_field_of_ten_megabytes_is_whole(bench: Workbench) -> None:
    text = "x" * (10 << 20)
    two_runs(bench, [a_line("q", response=text)], [a_line("q")])
    (item,) = compared(bench).items()
    assert json.loads(item.left or b"")["response"] == text


def test_files_are_written_once_and_never_over_another(bench: Workbench) -> None:
    two_runs(bench, lines_of("110"), lines_of("101"))
    found, out = compared(bench), bench.folder / "out"
    out.mkdir()
    assert found.write_jsonl(out / "a.jsonl") == 3
    assert found.write_csv(out / "a.csv", excel=True) == 3
    found.write_markdown(out / "a.md")
    assert [line["outcome"] for line in map(json.loads, (out / "a.jsonl").read_bytes().splitlines())] == [
        *("both_correct", "correct_to_wrong", "wrong_to_correct"),
    ]
    before = snapshot(out)
    for write in (found.write_jsonl, found.write_csv, found.write_markdown):
        for name in ("a.jsonl", "a.csv", "a.md"):
            with pytest.raises(Refused, match="D005"):
                write(out / name)
    assert snapshot(out) == before


@pytest.mark.parametrize(
    ("name", "settings", "code"),
    [
        ("a.txt", {}, "X010"),
        ("a", {"format": "pdf"}, "X010"),
        ("a.html", {}, "X011"),
        ("a.jsonl", {"excel": True}, "X012"),
    ],
)
def test_a_format_that_is_not_written_is_refused(
    bench: Workbench, name: str, settings: dict[str, Any], code: str
) -> None:
    two_runs(bench, lines_of("1"), lines_of("1"))
    found = compared(bench)
    assert code_of(lambda: found.write_items(bench.folder / name, **settings)) == code
    assert not (bench.folder / name).exists()


def test_without_polars_the_way_to_it_is_said(bench: Workbench, monkeypatch: pytest.MonkeyPatch) -> None:
    two_runs(bench, lines_of("1"), lines_of("1"))
    monkeypatch.setitem(__import__("sys").modules, "polars", None)
    with pytest.raises(NotInstalled, match="X013"):
        compared(bench).to_polars()


def test_a_damaged_records_file_is_no_comparison(bench: Workbench) -> None:
    two_runs(bench, lines_of("11"), lines_of("11"))
    path = bench.root / "runs/two/records/0001.jsonl"
    path.chmod(0o644)
    whole = path.read_bytes()
    path.write_bytes(whole + b"{}\n")
    assert code_of(lambda: compared(bench)) == "A002"
    path.write_bytes(whole.replace(b'"correct":true', b'"correct":null'))
    assert code_of(lambda: compared(bench)) == "A003"
    path.unlink()
    assert code_of(lambda: compared(bench)) == "A001"


def test_the_package_offers_it_whatever_was_imported_before(bench: Workbench) -> None:
    import itemproof

    two_runs(bench, lines_of("10"), lines_of("11"))
    for _ in range(2):
        assert itemproof.compare("one", "two", root=bench.root).value.counts.wrong_to_correct == 1


def test_an_option_that_does_not_exist_is_a_type_error() -> None:
    with pytest.raises(TypeError):
        compare("a", "b", colour="red")
