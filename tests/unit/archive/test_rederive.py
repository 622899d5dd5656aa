"""Records are made again of stored raw files by what the manifest says, and come out as they are stored."""

from __future__ import annotations

import errno
import json
import tempfile
from pathlib import Path
from typing import Any

import pytest

from builders import change_manifest
from cli.workbench import Workbench, whole
from harness_lines import choice_line, text_line
from itemproof.archive import rederive
from itemproof.archive.layout import Layout
from itemproof.archive.normalise import Work
from itemproof.archive.rederive import Rederiver
from itemproof.archive.validate import Validation, validate
from itemproof.core.errors import Unavailable
from itemproof.files.atomic import disk_faults


@pytest.fixture
def bench(tmp_path: Path) -> Workbench:
    return Workbench.made(tmp_path)


def deep(bench: Workbench) -> Validation:
    """A validation that makes the records again."""
    return validate(bench.root, jobs=1, renormalise=Rederiver(Layout(bench.root)))


def results_of(task: str, **changes: Any) -> bytes:
    """A results file with one task."""
    configs = {task: {"metric_list": [{"metric": "acc", "aggregation": "mean"}]}}
    data = {"results": {task: {"acc,none": 1.0}}, "configs": configs, "model_name": "demo/model", **changes}
    return json.dumps(data).encode()


_STAMP = "2026-01-02T03-04-05.6"

_OPTIONS: dict[str, dict[str, Any]] = {
    "nothing said": {"benchmark": "b"},
    "everything said": {"benchmark": "b", "variant": "v", "language": "es", "script": "Latn", "filter": "none"},
    "an id field": {"benchmark": "b", "id_field": ("doc.question",)},
    "id fields by benchmark": {"benchmark": "b", "id_field": ("b=doc.question", "doc.no")},
    "auto": {"benchmark": "b", "id_field": ("auto",)},
    "metadata": {"metadata": {"benchmark": "b", "correctness_metric": "acc_norm"}},
}


@pytest.mark.parametrize("said", _OPTIONS)
def test_every_option_is_remembered(bench: Workbench, said: str) -> None:
    log = bench.log("a.jsonl", *(choice_line(n, doc={"question": f"which fox {n}?"}) for n in range(4)))
    bench.bring(log, **_OPTIONS[said])

    assert whole(bench.root) == []


def test_a_name_pattern_and_repeats_are_remembered(bench: Workbench) -> None:
    for day in (1, 2):
        stamp = f"2026-01-0{day}T03-04-05.6"
        bench.log(f"results_{stamp}.json", results_of("foxes_es"))
        bench.log(f"samples_foxes_es_{stamp}.jsonl", choice_line(0))

    bench.bring(bench.folder / "logs", name_pattern="{benchmark}_{language}", as_repeats=True)

    keys = [(record["benchmark"], record["language"], record["repeat_id"]) for record in bench.records()]
    assert keys == [("foxes", "es", 0), ("foxes", "es", 1)]
    assert whole(bench.root) == []


@pytest.mark.parametrize("lines", [[choice_line(0), choice_line(1, acc=0.5)], [text_line(0), text_line(0, doc_id=1)]])
def test_what_the_end_of_a_file_decided_is_decided_again(bench: Workbench, lines: list[dict[str, Any]]) -> None:
    bench.bring(bench.log("a.jsonl", *lines), benchmark="b", id_field=("auto",))

    assert whole(bench.root) == []


def test_the_results_file_is_read_again_from_its_attachment(bench: Workbench) -> None:
    bench.log(f"results_{_STAMP}.json", results_of("foxes", lm_eval_version="0.4.7"))
    log = bench.log(f"samples_foxes_{_STAMP}.jsonl", choice_line(0, metrics=["acc_mutual_info"], acc_mutual_info=1.0))

    bench.bring(log)

    assert bench.files()[0].warnings == {"H011": 1}
    assert whole(bench.root) == []


@pytest.mark.parametrize("oddity", [{"config": {"limit": float("nan")}}, {"note": float("inf")}], ids=["nan", "inf"])
def test_a_results_file_with_numbers_that_are_not_finite_is_read_again_alike(
    bench: Workbench, oddity: dict[str, Any]
) -> None:
    bench.log(f"results_{_STAMP}.json", results_of("foxes", **oddity))
    bench.bring(bench.log(f"samples_foxes_{_STAMP}.jsonl", choice_line(0)))

    assert whole(bench.root) == []


def test_what_a_later_import_tells_the_run_changes_no_earlier_record(bench: Workbench) -> None:
    """The second import's results file names the harness's version, on which a warning hangs."""
    doubtful = choice_line(0, metrics=["acc_mutual_info"], acc_mutual_info=1.0)
    bench.bring(bench.log("first.jsonl", doubtful), benchmark="b")
    bench.log(f"results_{_STAMP}.json", results_of("foxes", lm_eval_version="0.4.9"))
    bench.bring(bench.log(f"samples_foxes_{_STAMP}.jsonl", choice_line(1)))

    assert bench.archive.run("run-1").manifest.metadata["producer"]["version"] == "0.4.9"
    assert whole(bench.root) == []


def test_records_of_somebody_s_making_are_found(bench: Workbench) -> None:
    bench.bring(bench.log("a.jsonl", choice_line(0), choice_line(1)), benchmark="b")
    change_manifest(bench.root, lambda content: content["imports"][0]["metadata"].update(correctness_metric="acc_norm"))

    validation = deep(bench)

    assert [(one.code.id, one.where.line) for one in validation.findings] == [("A050", 1)]


def test_a_raw_file_that_the_adapter_refuses_now_is_named(bench: Workbench) -> None:
    bench.bring(bench.log("a.jsonl", choice_line(0), choice_line(1)), benchmark="b")
    change_manifest(bench.root, lambda content: content["imports"][0]["metadata"].update(correctness_metric=7))

    assert [one.code.id for one in deep(bench).findings] == ["A051"]


def test_a_format_that_is_not_at_hand_is_noted(bench: Workbench) -> None:
    bench.bring(bench.log("a.jsonl", choice_line(0)), benchmark="b")
    change_manifest(bench.root, lambda content: content["imports"][0].update(format="somebody-elses"))

    validation = deep(bench)

    assert ([one.code.id for one in validation.findings], [one.code.id for one in validation.notes]) == ([], ["A053"])


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({"foo": 1}, "Object contains unknown field `foo`"),
        ({"repeat_id": [1]}, "Expected `int | str | null`, got `array` - at `$.repeat_id`"),
        ({"repeat_id": True}, "Expected `int | str | null`, got `bool` - at `$.repeat_id`"),
        ({"variant": 3}, "Expected `str | null`, got `int` - at `$.variant`"),
        ({"ids": "x"}, "Object contains unknown field `ids`"),
    ],
)
def test_options_that_no_import_records_are_a_finding(bench: Workbench, options: dict[str, Any], why: str) -> None:
    bench.bring(bench.log("a.jsonl", choice_line(0)), benchmark="b")
    change_manifest(bench.root, lambda content: content["imports"][0]["files"][0].update(options=options))

    assert [(one.code.id, one.where.file, one.text) for one in deep(bench).findings] == [
        (
            "A051",
            "runs/run-1/raw/0001-a.jsonl",
            (
                "The harness adapter refuses it now (A010): its options in the manifest are not what an import "
                f"records: {why}. Bring the manifest back."
            ),
        )
    ]


def test_a_folder_for_temporary_files_that_refuses_is_no_damage(
    bench: Workbench, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench.bring(bench.log("a.jsonl", choice_line(0)), benchmark="b")
    monkeypatch.setattr(tempfile, "tempdir", str(bench.folder / "nowhere"))

    with pytest.raises(Unavailable) as refused:
        deep(bench)

    assert refused.value.code.id == "D021"
    assert refused.value.text.startswith("No such file or directory. The records of each file are written once more")
    assert (refused.value.where.file or "").startswith(str(bench.folder / "nowhere" / "itemproof-"))


def test_a_folder_for_temporary_files_that_is_full_is_no_damage(
    bench: Workbench, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench.bring(bench.log("a.jsonl", choice_line(0)), benchmark="b")

    def full(work: Work, made: Path, pieces: object) -> object:
        with disk_faults(made):
            raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(rederive, "normalise_file", full)
    with pytest.raises(Unavailable) as refused:
        deep(bench)
    assert (refused.value.code.id, refused.value.text.partition(" The records")[0]) == (
        "D021",
        "No space left on device. Free some space or raise the limit, then run the command again.",
    )


def test_a_raw_file_that_cannot_be_read_again_is_damage(bench: Workbench, monkeypatch: pytest.MonkeyPatch) -> None:
    bench.bring(bench.log("a.jsonl", choice_line(0)), benchmark="b")

    def broken(work: Work, made: Path, pieces: object) -> object:
        with disk_faults(work.raw):
            raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr(rederive, "normalise_file", broken)
    assert [(one.code.id, one.where.file) for one in deep(bench).findings] == [("D002", bench.files()[0].records_path)]
