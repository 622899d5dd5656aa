"""A summary counts what the records say, pools nothing, and gives the harness's groups only as the harness had them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from builders import a_file_entry, a_manifest, a_record, an_archive, an_import, change_manifest, change_records
from itemproof.app.imports import Choices, Means, find, import_found
from itemproof.app.summary import summarise
from itemproof.app.summary_groups import Figure, GroupRow
from itemproof.app.summary_rows import MetricMean, Row
from itemproof.archive.archive import Archive
from itemproof.archive.transaction import NewRun
from itemproof.core.errors import InvalidInput
from itemproof.files.strict_json import dumps_line
from itemproof.records.manifest import Attachment, encode
from itemproof.records.record import RecordDict
from itemproof.stats.clustered import cluster, clustered_mean
from itemproof.stats.estimate import Estimate, Undefined
from itemproof.stats.intervals import wilson

LOGS = Path(__file__).resolve().parents[3] / "examples" / "harness" / "logs"
STAMP = "2026-11-30T14-00-00.000001"
RESULTS = "runs/run-1/attachments/0001-results.json"


def archive_of(folder: Path, *records: Any) -> Archive:
    root = an_archive(folder / "archive")

    change_records(root, partial(_become, list(records)))
    return Archive.open(root)


def _become(records: list[RecordDict], values: list[Any]) -> None:
    values[:] = records


def questions(*corrects: bool | None, **changes: Any) -> list[RecordDict]:
    """Records of q1, q2 and so on."""
    return [a_record(question_id=f"q{at}", correct=correct, **changes) for at, correct in enumerate(corrects, start=1)]


def only_row(archive: Archive) -> Row:
    (row,) = summarise(archive, "run-1").rows
    return row


def findings(error: InvalidInput) -> list[tuple[str, str | None, int | None, str]]:
    return [(str(item.code), item.where.file, item.where.line, item.text) for item in error.findings]


def test_nothing_is_pooled_over_any_part_of_the_key_and_rows_are_in_its_order(tmp_path: Path) -> None:
    keys: list[dict[str, Any]] = [
        {"benchmark": "b", "language": "en", "script": None, "variant_id": "original", "filter": "none"},
        {"benchmark": "b", "language": "en", "script": "Latn", "variant_id": "original", "filter": "none"},
        {"benchmark": "b", "language": None, "script": None, "variant_id": "original", "filter": "none"},
        {"benchmark": "b", "language": None, "script": None, "variant_id": "original", "filter": "a"},
        {"benchmark": "b", "language": None, "script": None, "variant_id": "new", "filter": "none"},
        {"benchmark": "a", "language": "xx", "script": None, "variant_id": "original", "filter": "none"},
    ]
    summary = summarise(archive_of(tmp_path, *(a_record(**key) for key in keys)), "run-1")
    assert [row.key._asdict() for row in summary.rows] == [keys[5], keys[4], keys[3], keys[2], keys[0], keys[1]]
    assert [(row.records, row.known, row.correct) for row in summary.rows] == [(1, 1, 1)] * 6


def test_every_byte_is_told_once(tmp_path: Path) -> None:
    archive = archive_of(tmp_path, *questions(True, None, False))
    done: list[int] = []
    summarise(archive, "run-1", progress=done.append)
    assert sum(done) == archive.run("run-1").manifest.files[0].records_bytes


def test_unknown_is_never_wrong(tmp_path: Path) -> None:
    row = only_row(archive_of(tmp_path, *questions(True, None, False, None, True)))
    assert (row.records, row.known, row.correct, row.accuracy) == (5, 3, 2, 2 / 3)
    assert (row.interval, row.unit) == (wilson(2, 3), "record")


def test_where_nothing_is_known_there_is_no_accuracy(tmp_path: Path) -> None:
    row = only_row(archive_of(tmp_path, *questions(None, None)))
    assert (row.known, row.correct, row.accuracy) == (0, 0, None)
    assert row.interval == Undefined("no record says whether it is correct")
    document = row.to_dict()
    assert (document["accuracy"], document["low"], document["high"]) == (None, None, None)


def test_the_level_is_that_of_the_interval(tmp_path: Path) -> None:
    summary = summarise(archive_of(tmp_path, *questions(True, False)), "run-1", level=0.8)
    assert summary.level == 0.8
    assert summary.rows[0].interval == wilson(1, 2, level=0.8)
    assert "80 % interval" in summary.page().header


def test_repeats_of_a_question_are_one_unit(tmp_path: Path) -> None:
    corrects: dict[str, list[bool | None]] = {
        "q1": [True, True, False],
        "q2": [False, False],
        "q3": [True, None, True],
        "q4": [True],
    }
    records = [
        a_record(question_id=question, correct=correct, repeat_id=repeat)
        for question, answers in corrects.items()
        for repeat, correct in enumerate(answers)
    ]
    row = only_row(archive_of(tmp_path, *records))
    known = [1, 1, 0, 0, 0, 1, 1, 1]
    due = clustered_mean(cluster(known, ["q1", "q1", "q1", "q2", "q2", "q3", "q3", "q4"]), bounds=(0, 1))
    assert isinstance(due, Estimate)
    assert (row.records, row.known, row.correct, row.unit) == (9, 8, 5, "question")
    assert row.interval == due
    assert row.to_dict()["questions"] == 4
    assert row.interval != wilson(5, 8)


def test_repeats_are_seen_across_imports(tmp_path: Path) -> None:
    root = an_archive(tmp_path / "archive", imports=2)
    for number, records in ((1, questions(True, False, True)), (2, questions(True, False, False, repeat_id=1))):
        change_records(root, partial(_become, records), number=number)
    row = only_row(Archive.open(root))
    assert row.interval == clustered_mean(cluster([1, 1, 0, 0, 1, 0], ["1", "1", "2", "2", "3", "3"]), bounds=(0, 1))
    assert row.unit == "question"


def test_repeat_ids_alone_are_no_repeats(tmp_path: Path) -> None:
    records = [*questions(True, False), a_record(question_id="q3", repeat_id="second")]
    row = only_row(archive_of(tmp_path, *records))
    assert (row.interval, row.unit) == (wilson(2, 3), "record")


def test_repeats_that_cannot_be_told_to_be_of_one_question_have_no_interval(tmp_path: Path) -> None:
    records = [a_record(question_id=f"x:{at}", repeat_id=at % 2, identity_scope="run-local") for at in range(4)]
    row = only_row(archive_of(tmp_path, *records))
    assert (row.run_local, row.accuracy, row.unit) == (4, 1.0, "question")
    assert row.interval == Undefined("repeats of run-local records cannot be told to be of one question")


def test_run_local_records_count_and_are_counted(tmp_path: Path) -> None:
    records = [*questions(True), a_record(question_id="x:1", identity_scope="run-local", correct=False)]
    row = only_row(archive_of(tmp_path, *records))
    assert (row.records, row.run_local, row.interval) == (2, 1, wilson(1, 2))


@pytest.mark.parametrize(
    ("values", "mean"),
    [
        pytest.param([1.0, 0.0, 0.25], MetricMean(3, 1.25 / 3, 0), id="floats"),
        pytest.param([True, False, 1, 4], MetricMean(4, 1.5, 0), id="truth values and integers"),
        pytest.param([0.5, None, [1, 2], "0.5", {"a": 1}], MetricMean(1, 0.5, 4), id="other things left out"),
        pytest.param(["a", None], MetricMean(0, None, 2), id="no number at all"),
        pytest.param([10**400, 1], MetricMean(2, None, 0), id="too large for a double"),
        pytest.param([1e308, 1e308], MetricMean(2, None, 0), id="a sum too large for a double"),
        pytest.param([0.1] * 10_000, MetricMean(10_000, 0.1, 0), id="many, without rounding adding up"),
    ],
)
def test_the_mean_of_a_metric_is_over_its_numbers(tmp_path: Path, values: list[Any], mean: MetricMean) -> None:
    records = [a_record(question_id=f"q{at}", metrics={"m": value}) for at, value in enumerate(values)]
    row = only_row(archive_of(tmp_path, *records, a_record(question_id="none", metrics={})))
    assert row.metrics == {"m": mean}


def test_the_document_has_the_stable_keys_and_is_json(tmp_path: Path) -> None:
    document = summarise(archive_of(tmp_path, *questions(True, False, None)), "run-1").to_dict()
    found = wilson(1, 2)
    assert isinstance(found, Estimate)
    assert json.loads(json.dumps(document, allow_nan=False)) == {
        "run_id": "run-1",
        "model": "demo/model",
        "level": 0.95,
        "rows": [
            {
                "benchmark": "rivers",
                "language": "en",
                "script": None,
                "variant_id": "original",
                "filter": "none",
                "records": 3,
                "known": 2,
                "correct": 1,
                "accuracy": 0.5,
                "low": found.low,
                "high": found.high,
                "metrics": {"exact_match": {"n": 3, "mean": 1.0, "left_out": 0, "aggregation": None}},
                "run_local": 0,
                "unit": "record",
                "questions": None,
                "method": "Wilson",
                "why": None,
            }
        ],
        "groups": [],
    }


def several(folder: Path) -> Archive:
    return archive_of(
        folder,
        a_record(benchmark="a", language="en"),
        a_record(benchmark="a", language="de", variant_id="new"),
        a_record(benchmark="b", language=None, filter="strict"),
    )


@pytest.mark.parametrize(
    ("chosen", "keys"),
    [
        ({"benchmark": "a"}, [("a", "de"), ("a", "en")]),
        ({"language": "en"}, [("a", "en")]),
        ({"variant": "original"}, [("a", "en"), ("b", None)]),
        ({"filter": "strict"}, [("b", None)]),
        ({"benchmark": "a", "variant": "new", "filter": "none"}, [("a", "de")]),
    ],
    ids=str,
)
def test_options_choose_rows(tmp_path: Path, chosen: dict[str, str], keys: list[tuple[str, str | None]]) -> None:
    summary = summarise(several(tmp_path), "run-1", **chosen)  # type: ignore[arg-type]
    assert [(row.key.benchmark, row.key.language) for row in summary.rows] == keys


@pytest.mark.parametrize(
    ("chosen", "texts"),
    [
        pytest.param(
            {"benchmark": "c", "variant": "old"},
            [
                "The run run-1 holds nothing of the benchmark 'c'. It has a, b.",
                "The run run-1 holds nothing of the variant 'old'. It has new, original.",
            ],
            id="names that are not there",
        ),
        pytest.param(
            {"benchmark": "b", "language": "en"},
            ["The run run-1 holds no record that has all of benchmark 'b', language 'en'. Ask for fewer."],
            id="names that are not there together",
        ),
    ],
)
def test_a_choice_of_nothing_is_refused(tmp_path: Path, chosen: dict[str, str], texts: list[str]) -> None:
    with pytest.raises(InvalidInput) as caught:
        summarise(several(tmp_path), "run-1", **chosen)  # type: ignore[arg-type]
    assert findings(caught.value) == [("U010", None, None, text) for text in texts]


def test_a_choice_of_a_language_where_there_is_none_says_so(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput) as caught:
        summarise(archive_of(tmp_path, a_record(language=None)), "run-1", language="en")
    assert caught.value.text == "The run run-1 holds nothing of the language 'en'. Its records have no language."


def test_a_run_without_records_has_no_rows(tmp_path: Path) -> None:
    archive = archive_of(tmp_path)
    change_manifest(archive.root, lambda content: content.update(imports=[]))
    summary = summarise(archive, "run-1")
    assert (summary.rows, summary.groups, summary.outline) == ([], [], [])
    page = summary.page()
    assert page.header == ("benchmark", "variant", "filter", "records", "accuracy", "95 % interval", "metrics")
    assert (page.rows, page.notes) == ([], ["The run holds no records yet."])


def test_damaged_records_are_named(tmp_path: Path) -> None:
    archive = archive_of(tmp_path, a_record(), a_record(correct="yes"))
    with pytest.raises(InvalidInput) as caught:
        summarise(archive, "run-1")
    ((code, file, line, _),) = findings(caught.value)
    assert (code, file, line) == ("A030", "runs/run-1/records/0001.jsonl", 2)


def test_the_page_shows_rows_without_blank_columns(tmp_path: Path) -> None:
    records = [
        *questions(*[True] * 87, *[False] * 13, benchmark="rivers", metrics={"acc": 0.87, "f1": 0.5}),
        *questions(None, benchmark="lakes", metrics={"acc": "x"}),
        *questions(True, True, benchmark="seas")[:1],
        a_record(benchmark="seas", question_id="q2", metrics={}),
    ]
    page = summarise(archive_of(tmp_path, *records), "run-1").page()
    assert page.header == (
        *("benchmark", "language", "variant", "filter", "records", "known", "accuracy", "95 % interval", "metrics"),
    )
    assert page.rows == [
        ("lakes", "en", "original", "none", "1", "0", "n/a", "n/a", "acc n/a"),
        ("rivers", "en", "original", "none", "100", "", "87.0 %", "[79.0, 92.2]", "acc 0.87, f1 0.5"),
        ("seas", "en", "original", "none", "2", "", "100.0 %", "[34.2, 100.0]", "exact_match 1 (n 1)"),
    ]
    assert page.right == {4, 5, 6, 7}
    assert page.notes == ["n/a in 1 of the rows: no record says whether it is correct."]


def test_the_page_names_the_unit_where_it_is_the_question(tmp_path: Path) -> None:
    records = [
        *questions(True, False, True),
        *questions(True, False, False, repeat_id=1),
        *questions(True, benchmark="zoo", identity_scope="run-local"),
    ]
    page = summarise(archive_of(tmp_path, *records), "run-1").page()
    assert page.header[7:9] == ("over", "run-local")
    assert [row[7:9] for row in page.rows] == [("3 questions", ""), ("", "1")]
    assert page.notes == [
        "Repeats of a question are not independent: such an interval is cluster-robust over the questions.",
        "Run-local records: 1. They count here, and in no pairs.",
    ]


# The harness's groups


def run_of(
    folder: Path,
    tasks: Mapping[str, Sequence[Mapping[str, Any]]],
    results: Any,
    *,
    facts: Mapping[str, Any] | None = None,
) -> Archive:
    """An archive whose run has a sample file for each task, with records of these metrics, and a results file."""
    root = an_archive(folder / "archive")
    entries = []
    for number, (task, metrics) in enumerate(tasks.items(), start=1):
        raw, records = (f"runs/run-1/{kind}/{number:04d}{end}" for kind, end in (("raw", "-x"), ("records", ".jsonl")))
        lines = [a_record(benchmark=task, question_id=f"q{at}", metrics=own) for at, own in enumerate(metrics)]
        (root / records).write_bytes(b"".join(map(dumps_line, lines)))
        (root / raw).write_bytes(b"{}\n" * len(lines))
        used = {task: {"none": ["acc"]}}
        entries.append(a_file_entry(root, raw, records, task=task, results_path=RESULTS, metrics_used=used))
    path = RESULTS
    data = results if isinstance(results, bytes) else json.dumps(results).encode()
    (root / path).write_bytes(data)
    attached = Attachment(name=f"results_{STAMP}.json", path=path, bytes=len(data), sha256="0" * 64)
    manifest = a_manifest(imports=[an_import(1, entries, facts=dict(facts or {}))], attachments=[attached])
    (root / "runs/run-1/manifest.json").write_bytes(encode(manifest))
    return Archive.open(root)


def results_of(groups: Mapping[str, list[str]], **table: Mapping[str, float]) -> dict[str, Any]:
    """A results file with these groups and this table."""
    return {"results": table, "configs": {}, "group_subtasks": groups}


def accs(*values: float) -> list[dict[str, float]]:
    return [{"acc": value} for value in values]


UNEQUAL = {"one": accs(1.0, 0.0, 0.0, 0.0), "two": accs(1.0, 1.0)}
BY_SIZE, BY_TASK = 0.5, 0.625


def figure_of(archive: Archive) -> Figure:
    (group,) = summarise(archive, "run-1").groups
    return group.metrics["acc"]


@pytest.mark.parametrize(("reported", "weighting"), [(BY_SIZE, "size"), (BY_TASK, "task")])
def test_a_group_is_weighted_as_the_harness_did(tmp_path: Path, reported: float, weighting: str) -> None:
    results = results_of({"all": ["one", "two"]}, all={"acc,none": reported, "acc_stderr,none": 0.1})
    figure = figure_of(run_of(tmp_path, UNEQUAL, results))
    assert figure == Figure(value=reported, reported=reported, tasks=("one", "two"), weighting=weighting)


def test_a_group_is_plain_data_beside_the_rows(tmp_path: Path) -> None:
    archive = run_of(tmp_path, UNEQUAL, results_of({"all": ["one", "two"]}, all={"acc,none": BY_SIZE}))
    document = summarise(archive, "run-1").to_dict()
    figure = {"value": 0.5, "reported": 0.5, "tasks": ["one", "two"], "weighting": "size", "missing": [], "why": None}
    assert json.loads(json.dumps(document["groups"], allow_nan=False)) == [
        {
            "group": "all",
            "filter": "none",
            "source": f"results_{STAMP}.json",
            "tasks": ["one", "two"],
            "records": 6,
            "languages": ["en"],
            "variants": ["original"],
            "judged_by": "acc",
            "metrics": {"acc": figure},
            "accuracy": 0.5,
        }
    ]
    assert [row["benchmark"] for row in document["rows"]] == ["one", "two"]


def test_a_group_of_equal_tasks_may_be_weighted_either_way(tmp_path: Path) -> None:
    tasks = {"one": accs(1.0, 0.0), "two": accs(1.0, 1.0)}
    figure = figure_of(run_of(tmp_path, tasks, results_of({"all": ["one", "two"]}, all={"acc,none": 0.75})))
    assert (figure.value, figure.weighting) == (0.75, "either")


def test_a_group_whose_number_the_records_do_not_give_has_none(tmp_path: Path) -> None:
    archive = run_of(tmp_path, UNEQUAL, results_of({"all": ["one", "two"]}, all={"acc,none": 0.51}))
    why = "the records give 0.5 by size and 0.625 by task, the harness reported 0.51"
    assert figure_of(archive) == Figure(value=None, reported=0.51, tasks=("one", "two"), why=why)
    page = summarise(archive, "run-1").page()
    assert page.rows[0] == ("all (2 tasks)", "", "", "none", "6", "n/a", "", "acc n/a")
    assert page.notes == [f"all, none: acc n/a: {why}."]


def test_a_group_whose_members_are_not_all_there_says_so(tmp_path: Path) -> None:
    archive = run_of(tmp_path, UNEQUAL, results_of({"all": ["zero", "one", "two", "three"]}, all={"acc,none": 0.5}))
    figure = figure_of(archive)
    assert (figure.value, figure.missing, figure.why) == (None, ("zero", "three"), "2 of 4 tasks have records here")
    assert summarise(archive, "run-1").page().notes == [
        "all, none: acc n/a: 2 of 4 tasks have records here (missing: zero, three)."
    ]


def test_a_group_of_what_is_no_number_in_the_records_has_none(tmp_path: Path) -> None:
    tasks: dict[str, list[dict[str, Any]]] = {"one": [{"acc": [1, 2]}], "two": accs(1.0)}
    archive = run_of(tmp_path, tasks, results_of({"all": ["one", "two"]}, all={"acc,none": 0.5}))
    why = "1 of 2 tasks have numbers for it"
    assert figure_of(archive) == Figure(value=None, reported=0.5, tasks=("one", "two"), why=why)


def test_two_evaluations_of_a_group_are_told_apart(tmp_path: Path) -> None:
    archive = run_of(tmp_path, UNEQUAL, results_of({"all": ["one", "two"]}, all={"acc,none": BY_SIZE}))
    later = "2026-12-01T09-00-00"

    def evaluate_again(content: dict[str, Any]) -> None:
        content["imports"][0]["files"][1]["results_path"] = again
        content["attachments"].append({**content["attachments"][0], "name": f"results_{later}.json", "path": again})

    again = "runs/run-1/attachments/0002-results.json"
    (archive.root / again).write_bytes((archive.root / RESULTS).read_bytes())
    change_manifest(archive.root, evaluate_again)
    page = summarise(archive, "run-1").page()
    assert [row[0] for row in page.rows] == ["all (2 tasks)", "all (2 tasks)", "  one", "  two"]
    assert page.notes == [
        f"all, none (results_{STAMP}.json): acc n/a: 1 of 2 tasks have records here (missing: two).",
        f"all, none (results_{later}.json): acc n/a: 1 of 2 tasks have records here (missing: one).",
    ]


def test_a_metric_of_some_members_is_theirs(tmp_path: Path) -> None:
    tasks: dict[str, list[dict[str, float]]] = {**UNEQUAL, "text": [{"bleu": 0.5}]}
    table = {name: {"acc,none": 0.0} for name in ("one", "two")}
    results = results_of({"all": [*tasks]}, all={"acc,none": BY_SIZE}, text={"bleu,none": 0.5}, **table)
    archive = run_of(tmp_path, tasks, results)
    assert figure_of(archive) == Figure(value=BY_SIZE, reported=BY_SIZE, tasks=("one", "two"), weighting="size")
    assert summarise(archive, "run-1").page().notes == ["all, none: acc weighted by size over 2 of the tasks."]


def test_groups_stand_above_their_sub_groups_and_members(tmp_path: Path) -> None:
    groups = {"inner": ["two", "one"], "outer": ["inner", "three"], "other": ["one"], "loop": ["loop", "nowhere"]}
    tasks = {"zero": accs(0.0), **UNEQUAL, "three": accs(0.5)}
    figures = {"outer": 0.5, "inner": 0.5, "other": 0.25}
    table = {name: {"acc,none": value} for name, value in figures.items()}
    summary = summarise(run_of(tmp_path, tasks, results_of(groups, **table)), "run-1")
    shown = [(depth, row.group if isinstance(row, GroupRow) else row.key.benchmark) for depth, row in summary.outline]
    assert shown == [
        *((0, "outer"), (1, "inner"), (2, "two"), (2, "one"), (1, "three")),
        *((0, "other"), (0, "zero")),
    ]
    assert [(group.group, group.tasks, group.accuracy) for group in summary.groups] == [
        ("inner", ("two", "one"), 0.5),
        ("outer", ("two", "one", "three"), 0.5),
        ("other", ("one",), 0.25),
    ]
    assert [row[0] for row in summary.page().rows][:3] == ["outer (3 tasks)", "  inner (2 tasks)", "    two"]


def test_a_group_without_a_number_has_no_row_and_does_not_indent(tmp_path: Path) -> None:
    results = results_of({"all": ["one", "two"]}, all={" ": 0.0})
    summary = summarise(run_of(tmp_path, UNEQUAL, results), "run-1")
    assert (summary.groups, [depth for depth, _ in summary.outline]) == ([], [0, 0])


def test_lines_that_do_not_name_their_only_filter_are_of_it(tmp_path: Path) -> None:
    table = {name: {"acc,strict": 0.0} for name in UNEQUAL}
    results = results_of({"all": ["one", "two"]}, all={"acc,strict": BY_SIZE}, **table)
    (group,) = summarise(run_of(tmp_path, UNEQUAL, results), "run-1").groups
    assert (group.filter, group.records, group.accuracy) == ("strict", 6, BY_SIZE)


def test_records_of_another_filter_are_not_the_group_s(tmp_path: Path) -> None:
    table = {name: {"acc,none": 0.0, "acc,strict": 0.0} for name in UNEQUAL}
    results = results_of({"all": ["one", "two"]}, all={"acc,strict": BY_SIZE}, **table)
    (group,) = summarise(run_of(tmp_path, UNEQUAL, results), "run-1").groups
    assert (group.records, group.accuracy, group.metrics["acc"].missing) == (0, None, ("one", "two"))


@pytest.mark.parametrize(
    "results",
    [
        pytest.param(b"\xff{", id="no JSON"),
        pytest.param(b"[" * 100_000, id="nested too deep"),
        pytest.param([], id="no results file"),
        pytest.param({"group_subtasks": {"all": ["one"]}}, id="no table"),
        pytest.param(results_of({"all": ["none"]}, all={"acc,none": 0.25}), id="other tasks"),
        pytest.param(results_of({"all": ["one"]}, all={"acc,none": 10**400}), id="a number that no double holds"),
    ],
)
def test_an_attachment_that_knows_no_group_of_the_run_gives_none(tmp_path: Path, results: Any) -> None:
    summary = summarise(run_of(tmp_path, UNEQUAL, results), "run-1")
    assert summary.groups == []
    assert [row.key.benchmark for row in summary.rows] == ["one", "two"]


@pytest.mark.parametrize(
    ("chosen", "groups"),
    [
        ({}, 1),
        ({"filter": "none"}, 1),
        ({"benchmark": "one"}, 0),
        ({"language": "en"}, 0),
        ({"variant": "original"}, 0),
    ],
    ids=str,
)
def test_a_group_is_whole_or_not_there(tmp_path: Path, chosen: dict[str, str], groups: int) -> None:
    results = results_of({"all": ["one", "two"]}, all={"acc,none": BY_SIZE})
    summary = summarise(run_of(tmp_path, UNEQUAL, results), "run-1", **chosen)  # type: ignore[arg-type]
    assert len(summary.groups) == groups


@pytest.mark.parametrize("model", ["demo__ngram-3", "demo__ngram-8"])
def test_real_logs_give_the_harness_s_own_table(tmp_path: Path, model: str) -> None:
    (results_file,) = (LOGS / model).glob("results_*.json")
    archive, choices = Archive.create(tmp_path / "archive"), Choices()
    found, create = find([LOGS / model], choices), NewRun(model=model, metadata={})
    import_found(archive, "run", found, choices, create=create, means=Means(jobs=1))
    summary = summarise(archive, "run")
    table = json.loads(results_file.read_bytes())["results"]

    (group,) = summary.groups
    assert (group.group, group.records, group.judged_by) == ("everyday", 120, "acc")
    assert (group.languages, group.variants) == (("de", "en", "es"), ("original", "rephrased"))
    for metric, figure in group.metrics.items():
        assert figure.value == pytest.approx(table["everyday"][f"{metric},none"], rel=1e-12)
        assert figure.weighting == "either"
    sums = {row.key.filter: row for row in summary.rows if row.key.benchmark == "word_sums"}
    for filter_ in ("strict-match", "flexible-extract"):
        row = sums[filter_]
        assert (row.records, row.run_local) == (20, 20)
        assert row.accuracy == pytest.approx(table["word_sums"][f"exact_match,{filter_}"])
    for language in ("en", "de", "es"):
        rows = [row for row in summary.rows if row.key.language == language]
        assert [(row.key.variant_id, row.records) for row in rows] == [("original", 20), ("rephrased", 20)]
        assert sum(row.correct for row in rows) / 40 == pytest.approx(table[f"everyday_{language}"]["acc,none"])
    how = "acc, acc_norm by size or by task, which comes to the same"
    assert summary.page().notes == [
        "Run-local records: 40. They count here, and in no pairs.",
        f"everyday, none: {how}. It puts 3 languages and 2 variants together, as the harness does.",
    ]


def test_a_file_is_of_the_results_file_that_its_import_names_and_of_no_other(tmp_path: Path) -> None:
    archive = run_of(tmp_path, UNEQUAL, results_of({"all": ["one", "two"]}, all={"acc,none": BY_SIZE}))

    def forget(content: dict[str, Any]) -> None:
        content["imports"][0]["files"][1]["results_path"] = None

    change_manifest(archive.root, forget)
    assert figure_of(archive).missing == ("two",)


def test_a_results_file_that_is_lost_is_named_as_damage(tmp_path: Path) -> None:
    archive = run_of(tmp_path, UNEQUAL, results_of({"all": ["one", "two"]}, all={"acc,none": BY_SIZE}))
    (archive.root / RESULTS).unlink()
    with pytest.raises(InvalidInput) as refused:
        summarise(archive, "run-1")
    assert findings(refused.value) == [
        (
            "A001",
            RESULTS,
            None,
            (
                "This results file, with which the harness's groups are made again, is registered and not there. "
                "Bring it back from a copy of the archive."
            ),
        )
    ]


def test_a_group_of_numbers_whose_sum_leaves_the_range_has_no_value(tmp_path: Path) -> None:
    tasks = {"one": accs(1e308), "two": accs(1e308)}
    figure = figure_of(run_of(tmp_path, tasks, results_of({"all": ["one", "two"]}, all={"acc,none": 1e308})))
    assert (figure.value, figure.weighting) == (None, None)


def test_what_the_harness_does_not_average_has_no_mean_and_a_note_says_what_it_is(tmp_path: Path) -> None:
    metrics = [
        {"name": "acc", "aggregation": "mean"},
        {"name": "perplexity", "aggregation": "perplexity"},
        {"name": "bits"},
    ]
    lines = [{"acc": 1.0, "perplexity": -3.0, "bits": 2.0, "own": 1.0}] * 2
    facts = {"tasks": {"one": {"metrics": metrics}}}
    summary = summarise(run_of(tmp_path, {"one": lines, "two": lines}, [], facts=facts), "run-1")
    first, second = summary.rows
    assert first.metrics == {
        "acc": MetricMean(2, 1.0, 0),
        "bits": MetricMean(2, None, 0, ""),
        "own": MetricMean(2, 1.0, 0),
        "perplexity": MetricMean(2, None, 0, "perplexity"),
    }
    assert second.metrics["perplexity"] == MetricMean(2, -3.0, 0)
    page = summary.page()
    assert page.rows[0][-1] == "acc 1, bits n/a, own 1, perplexity n/a"
    assert page.notes == [
        "bits n/a: the harness does not average it, so a mean would be another number than its own.",
        (
            "perplexity n/a: the harness does not average it (its aggregation is perplexity), "
            "so a mean would be another number than its own."
        ),
    ]
