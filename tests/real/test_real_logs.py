"""The logs that people published and those that the harness wrote for us: what must come of each folder."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from cli.main_in_process import Said, said
from cli.workbench import snapshot, whole
from itemproof.archive.archive import Archive
from itemproof.core.digest import sha256_of
from real.folders import DEMO, FOLDERS
from shared import SHARED, needs_shared

pytestmark = [needs_shared, pytest.mark.shared]

_LOGS = SHARED / "data" / "lm-eval"
_REAL, _GENERATED = _LOGS / "real", _LOGS / "generated"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """An empty archive."""
    Archive.create(tmp_path / "ark")
    return tmp_path / "ark"


def added(root: Path, *arguments: object) -> Said:
    """What `add` came to, as a document."""
    return said("--root", root, "add", *arguments, "--json")


def by_task(root: Path, run_id: str) -> dict[str, Any]:
    """What the manifest says of each task's file."""
    return {file.task or "": file for file in Archive.open(root).run(run_id).manifest.files}


def test_every_folder_has_its_row() -> None:
    folders = {f"{top.name}/{path.name}" for top in (_REAL, _GENERATED) for path in top.iterdir() if path.is_dir()}

    assert folders == FOLDERS.keys()


@pytest.mark.parametrize("folder", [name for name, due in FOLDERS.items() if due.run_id])
def test_a_folder_comes_out_as_it_must_and_validates_deeply(root: Path, folder: str) -> None:
    due = FOLDERS[folder]
    done = added(root, _LOGS / folder)

    assert done.code == 0
    [run] = done.document["runs"]
    assert run["run_id"] == due.run_id
    files = by_task(root, run["run_id"])
    assert {task: file.records for task, file in files.items()} == due.records
    local = {task: file.scopes["run-local"] for task, file in files.items() if file.scopes["run-local"]}
    assert local == (due.run_local or {})
    assert run["reproduced"]["agree"] == due.agree
    assert tuple(f"{one['metric']},{one['filter']}" for one in run["reproduced"]["differ"]) == due.differ
    warnings: dict[str, int] = {}
    for file in files.values():
        warnings |= file.warnings
    assert warnings == (due.warnings or {})
    assert len(run["notices"]) == due.notices
    assert whole(root) == []


@pytest.mark.parametrize("folder", [name for name, due in FOLDERS.items() if due.refused])
def test_a_folder_that_is_refused_is_refused_for_just_that(root: Path, folder: str) -> None:
    before = snapshot(root)

    done = added(root, _LOGS / folder)

    assert done.code == 2
    found = tuple((one["code"], one["line"]) for one in done.document["error"]["findings"])
    assert found == FOLDERS[folder].refused
    assert snapshot(root) == before


@pytest.mark.parametrize("folder", [name for name, due in FOLDERS.items() if due.run_id])
def test_raw_files_are_the_published_ones_and_each_record_leads_back_to_its_line(root: Path, folder: str) -> None:
    run_id = added(root, _LOGS / folder).document["runs"][0]["run_id"]
    run = Archive.open(root).run(run_id)
    given = {path.name: sha256_of(path.read_bytes()) for path in (_LOGS / folder).glob("samples_*.jsonl")}

    assert {file.name: file.raw_sha256 for file in run.manifest.files} == given
    lines = {file.raw_path: (root / file.raw_path).read_bytes().split(b"\n") for file in run.manifest.files}
    for record in run.records():
        source = record["source"]
        line = json.loads(lines[source["path"]][source["line"] - 1])
        assert record["input"]["document"] == line["doc"]
        assert record["target"] == line["target"]
        assert record["response"]["resps"] == line["resps"]


def test_hellaswag_is_reproduced_in_both_of_its_metrics(root: Path) -> None:
    added(root, _REAL / "davinci-002-hellaswag")

    [row] = said("--root", root, "summary", "davinci-002", "--json").document["rows"]

    assert (row["records"], row["known"], row["correct"]) == (101, 101, 55)
    assert f"{row['accuracy']:.1%}" == "54.5%"
    assert f"{row['metrics']['acc_norm']['mean']:.1%}" == "72.3%"
    [results] = (_REAL / "davinci-002-hellaswag").glob("results_*.json")
    table = json.loads(results.read_bytes())["results"]["hellaswag"]
    assert row["accuracy"] == pytest.approx(table["acc,none"])
    assert row["metrics"]["acc_norm"]["mean"] == pytest.approx(table["acc_norm,none"])


@pytest.fixture
def reruns(tmp_path: Path) -> Path:
    """Three evaluations of one task by one model in one folder."""
    folder = tmp_path / "reruns"
    folder.mkdir()
    for path in _REAL.glob("negotiationtom-belief-rerun*/*"):
        shutil.copy(path, folder)
    return folder


_STAMPS = ("2026-07-08T16-04-34.219874", "2026-07-08T17-38-51.316967", "2026-07-08T18-15-33.115417")


def test_three_evaluations_of_a_task_are_refused_with_their_times_and_the_choices(root: Path, reruns: Path) -> None:
    before = snapshot(root)
    done = said("--root", root, "add", reruns)

    assert (done.code, done.out) == (2, "")
    assert "H022" in done.err
    for named in (*_STAMPS, "3 times", "--timestamp latest", "--as-repeats"):
        assert named in done.err
    assert snapshot(root) == before


def test_three_evaluations_are_kept_as_repeats_or_one_of_them_is_taken(root: Path, reruns: Path) -> None:
    import_ = ("--root", root, "import")
    create = ("--create", "--json")

    repeats = said(*import_, "repeats", reruns, "--as-repeats", *create).document
    latest = said(*import_, "latest", reruns, "--timestamp", "latest", *create).document
    first = said(*import_, "first", reruns, "--timestamp", _STAMPS[0], *create).document

    assert (repeats["records"], latest["records"], first["records"]) == (60, 20, 20)
    assert repeats["reproduced"] == {"agree": 3, "differ": []}
    archive = Archive.open(root)
    assert {record["repeat_id"] for record in archive.run("repeats").records()} == {0, 1, 2}
    assert _STAMPS[2] in latest["imports"][0]["file"]
    assert _STAMPS[0] in first["imports"][0]["file"]
    assert said(*import_, "no-such", reruns, "--timestamp", "2020-01-01T00-00-00", *create).code == 2
    assert said(*import_, "folders", *_REAL.glob("negotiationtom-*"), *create).code == 2
    assert archive.run_ids() == ["first", "latest", "repeats"]
    assert whole(root) == []


def test_every_question_of_truthfulqa_has_its_producer_s_id(root: Path) -> None:
    added(root, *_REAL.glob("truthfulqa-*"))

    archive = Archive.open(root)
    for run_id in archive.run_ids():
        for record in archive.run(run_id).records():
            assert record["identity_scope"] == "stable"
            assert record["question_id"] == str(record["input"]["document"]["id"])
    base = {record["question_id"] for record in archive.run("meta-llama__Llama-3.1-8B").records()}
    assert len(base) == 817


def test_two_tasks_of_one_model_share_its_run(root: Path) -> None:
    done = added(root, *_REAL.glob("truthfulqa-*instruct"))

    [run] = done.document["runs"]
    assert (run["run_id"], run["records"], len(run["imports"])) == ("meta-llama__Llama-3.1-8B-Instruct", 1634, 2)


@pytest.mark.parametrize(
    ("folder", "ways"),
    [
        ("khayyam-gemma-2-9b-it", ["doc_hash (verified, unique 10 of 10)", "doc.ID (unique 10 of 10)"]),
        ("pyfade-gsm8k-a", ["doc_hash (verified, unique 3 of 3)"]),
        ("davinci-002-hellaswag", ["doc_hash (verified, unique 101 of 101)", "doc.ind (unique 101 of 101)"]),
    ],
)
def test_logs_without_ids_come_with_a_measured_way_out_that_works(root: Path, folder: str, ways: list[str]) -> None:
    done = said("--root", root, "add", _REAL / folder)

    [told] = [line for line in done.out.splitlines() if "To pair: " in line]
    assert " or ".join(f"--id-field {way}" for way in ways) in told
    assert told.count("--id-field") == len(ways)
    for number, way in enumerate(ways):
        field = way.partition(" ")[0]
        again = said(
            *("--root", root, "import", f"again-{number}", _REAL / folder, "--create", "--id-field", field, "--json")
        )
        assert [file["run_local"] for file in again.document["imports"]] == [0]
    assert whole(root) == []


def test_arrays_of_early_versions_import_once_they_are_converted(root: Path, tmp_path: Path) -> None:
    early, lines = _GENERATED / "0.4.0", tmp_path / "lines"
    lines.mkdir()
    shutil.copy(early / "results.json", lines)
    for path in early.glob("samples_*.jsonl"):
        assert said("convert", path, "-o", lines / path.name).code == 0
        made = [json.loads(line) for line in (lines / path.name).read_bytes().splitlines()]
        assert made == json.loads(path.read_bytes())
    two_filters = lines / "samples_demo_gen.jsonl"

    refused = added(root, lines)
    assert {one["code"] for one in refused.document["error"]["findings"]} == {"H004"}
    two_filters.unlink()
    done = added(root, lines)

    assert done.document["runs"][0]["reproduced"] == {"agree": 6, "differ": []}
    assert {task: file.records for task, file in by_task(root, "acme__tiny-demo").items()} == {
        task: count for task, count in DEMO.items() if task != "demo_gen"
    }
    assert whole(root) == []


@pytest.mark.parametrize("version", ["0.4.3", "0.4.0"])
def test_a_log_of_unnamed_filters_imports_once_it_is_split(root: Path, tmp_path: Path, version: str) -> None:
    """The way out that the refusal names: each part under the filter that the results file has."""
    [log] = (_GENERATED / version).glob("samples_demo_gen*.jsonl")
    if version == "0.4.0":
        assert said("convert", log, "-o", tmp_path / "lines.jsonl").code == 0
        log = tmp_path / "lines.jsonl"
    lines = log.read_bytes().splitlines(keepends=True)
    for name, part in (("strict-match", lines[:4]), ("maj", lines[4:])):
        path = tmp_path / f"{name}.jsonl"
        path.write_bytes(b"".join(part))
        more = () if name == "maj" else ("--create", "--model", "m")
        done = said("--root", root, "import", "r", path, "--benchmark", "demo_gen", "--filter", name, *more)
        assert done.code == 0

    assert [record["filter"] for record in Archive.open(root).run("r").records()] == ["strict-match"] * 4 + ["maj"] * 4
    assert whole(root) == []


def test_a_number_that_is_none_is_named_by_file_line_and_token(root: Path) -> None:
    done = said("--root", root, "add", _GENERATED / "0.4.13-nan")

    for number, token in enumerate(("NaN", "Infinity", "-Infinity"), 1):
        assert f".jsonl:{number}  $.score  J003  {token} is not a number" in done.err


def test_a_line_of_no_results_file_needs_its_model(root: Path) -> None:
    folder = _REAL / "masakhaner-one-line"

    assert "--model" in said("--root", root, "add", folder).err
    done = added(root, folder, "--model", "org/model")

    assert [run["run_id"] for run in done.document["runs"]] == ["org__model"]
    [record] = Archive.open(root).run("org__model").records()
    assert (record["benchmark"], record["model"]) == ("masakhaner_luo_prompt_1", "org/model")
    assert whole(root) == []


def test_every_version_gives_the_same_documents_and_a_likelihood_for_each_choice(root: Path) -> None:
    """0.4.3, 0.4.8 and 0.4.13 ran on the same documents."""
    found = []
    for version in ("0.4.3", "0.4.8", "0.4.13"):
        [log] = (_GENERATED / version).glob("samples_demo_mc_f1_*.jsonl")
        run = version.replace(".", "-")
        said("--root", root, "import", run, log, "--create", "--model", "m")
        records = list(Archive.open(root).run(run).records())
        found.append([record["input"]["document"] for record in records])
        for record in records:
            assert len(record["scores"]["likelihoods"]) == len(record["input"]["arguments"]) > 1

    assert found[0] == found[1] == found[2]


def test_who_keeps_going_gets_all_that_can_be_had_of_a_pile(root: Path) -> None:
    done = added(root, _REAL, "--keep-going")

    assert done.code == 1
    assert [run["run_id"] for run in done.document["runs"]] == [
        "google__gemma-2-9b-it",
        "gemma3__12b-u1",
        "gemma3__12b-it-q4_K_M",
        "meta-llama__Llama-3.1-8B",
        "meta-llama__Llama-3.1-8B-Instruct",
    ]
    codes = {one["code"] for failed in done.document["failed"] for one in failed["findings"]}
    assert codes == {"H004", "H022", "H025", "W023"}
    assert whole(root) == []


def test_a_pile_without_the_unreadable_is_added_past_what_is_refused(root: Path, tmp_path: Path) -> None:
    pile = tmp_path / "pile"
    names = ["davinci-002-tiny", "khayyam-gemma-2-9b-it", "pyfade-gsm8k-a", "pyfade-gsm8k-b"]
    for name in names:
        shutil.copytree(_REAL / name, pile / name)

    done = added(root, pile, "--keep-going")

    assert done.code == 1
    assert [run["run_id"] for run in done.document["runs"]] == [
        "google__gemma-2-9b-it",
        "gemma3__12b-u1",
        "gemma3__12b-it-q4_K_M",
    ]
    assert [(one["model"], [finding["code"] for finding in one["findings"]]) for one in done.document["failed"]] == [
        ("davinci-002", ["H004"])
    ]
    again = added(root, pile, "--keep-going").document
    assert again["present"] == ["google__gemma-2-9b-it", "gemma3__12b-u1", "gemma3__12b-it-q4_K_M"]
    assert whole(root) == []
