"""Logs that people published, compared: what comes out is what was worked out by hand before."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from itemproof.app.comparing import compare
from itemproof.archive.archive import Archive
from itemproof.core.errors import InvalidInput
from itemproof.records.comparison import Texts
from shared import SHARED, needs_shared

pytestmark = [needs_shared, pytest.mark.shared]

REAL = SHARED / "data" / "lm-eval" / "real"


def archive_of(folder: Path, *names: str) -> Path:
    from itemproof.app.imports import Choices, Means, find, import_found, model_named
    from itemproof.archive.transaction import NewRun

    archive = Archive.create(folder / "ark")
    for name in names:
        found = find([REAL / name], Choices())
        new = NewRun(model=model_named(found))
        import_found(archive, name, found, Choices(), create=new, means=Means(jobs=1))
    return archive.root


def test_a_base_model_against_its_instructed_one() -> None:
    left, right = REAL / "truthfulqa-en-llama-3.1-8b", REAL / "truthfulqa-en-llama-3.1-8b-instruct"
    value = compare(left, right, metric="bleu_acc").value
    counts, statistics = value.counts, value.statistics
    assert counts.matched == 817
    assert (counts.both_correct, counts.correct_to_wrong, counts.wrong_to_correct, counts.both_wrong) == (
        *(189, 102, 179, 347),
    )
    assert value.accuracy.delta == pytest.approx(0.094247, abs=1e-6)
    assert statistics.delta.low == pytest.approx(0.054322, abs=1e-6)
    assert statistics.delta.high == pytest.approx(0.133686, abs=1e-6)
    assert statistics.mcnemar is not None
    assert statistics.mcnemar.p == pytest.approx(5.0960e-06, rel=1e-4)
    assert value.documents == Texts(identical=817, different=0, unknown=0)
    assert value.prompts == Texts(identical=0, different=817, unknown=0)
    assert {"chat_template_sha", "fewshot_as_multiturn"} <= {one.key for one in value.differences}
    plain = compare(left, right).value
    assert plain.counts.unscored == 817
    assert "bleu_acc" in plain.warnings[0]


def test_archived_runs_without_ids_pair_by_their_documents_when_asked(tmp_path: Path) -> None:
    root = archive_of(tmp_path, "pyfade-gsm8k-a", "pyfade-gsm8k-b")
    value = compare("pyfade-gsm8k-a", "pyfade-gsm8k-b", root=root).value
    assert (value.counts.matched, value.counts.left_run_local) == (0, 3)
    assert any("doc_hash is unique on both sides and equal on 3 questions" in line for line in value.explanation)
    again = compare("pyfade-gsm8k-a", "pyfade-gsm8k-b", root=root, id_field=("doc_hash",)).value
    assert (again.counts.matched, again.identity.reidentified) == (3, True)


def test_reruns_change_nothing_and_are_one_unit_a_question(tmp_path: Path) -> None:
    first, third = REAL / "negotiationtom-belief-rerun1", REAL / "negotiationtom-belief-rerun3"
    value = compare(first, third, id_field=("doc_hash",)).value
    assert (value.counts.matched, value.counts.correct_to_wrong, value.counts.wrong_to_correct) == (20, 0, 0)
    for number in (1, 2, 3):
        shutil.copytree(REAL / f"negotiationtom-belief-rerun{number}", tmp_path / str(number))
    with pytest.raises(InvalidInput) as refused:
        compare(tmp_path, tmp_path)
    assert str(refused.value.code) == "H022"
    stamps = ("2026-07-08T16-04-34.219874", "2026-07-08T17-38-51.316967", "2026-07-08T18-15-33.115417")
    assert all(stamp in refused.value.text for stamp in stamps)
    repeats = compare(tmp_path, tmp_path, as_repeats=True).value
    assert (repeats.counts.left_records, repeats.statistics.unit, repeats.statistics.clusters) == (60, "question", 20)


def test_two_metrics_of_one_benchmark_are_two_comparisons() -> None:
    path = REAL / "davinci-002-hellaswag"
    verdicts = []
    for metric, percent in (("acc", 54.5), ("acc_norm", 72.3)):
        found = compare(path, path, metric=metric)
        assert found.value.accuracy.left == pytest.approx(percent / 100, abs=5e-4)
        verdicts.append([item.compared[0] for item in found.items()])
    assert sum(one != other for one, other in zip(*verdicts, strict=True)) == 34


def test_two_languages_are_never_pooled() -> None:
    left, right = REAL / "truthfulqa-en-llama-3.1-8b-instruct", REAL / "truthfulqa-eu-llama-3.1-8b-instruct"
    value = compare(left, right, metric="bleu_acc").value
    assert value.counts.matched == 0
    assert value.explanation[0].startswith("the sides have no benchmark in common")
    named = compare(left, right, metric="bleu_acc", name_pattern="{benchmark}_{language}").value
    assert {(group.benchmark, group.language) for group in named.groups} == {
        ("truthfulqa-multi_gen", "en"),
        ("truthfulqa-multi_gen", "eu"),
    }
    assert (named.counts.matched, named.accuracy.pairs) == (0, 0)
