"""An export is all of a run's records, exactly, in a file that was not there before."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import Any

import pytest

from builders import a_record, an_archive, change_manifest, change_records
from itemproof.app import exports
from itemproof.app.exports import export
from itemproof.archive.archive import Archive
from itemproof.core.errors import InvalidInput, Refused
from itemproof.files.strict_json import dumps

RECORDS = "runs/run-1/records/0001.jsonl"


def archive_of(folder: Path, *records: Any) -> Archive:
    root = an_archive(folder / "archive")

    def put(values: list[Any]) -> None:
        values[:] = records

    change_records(root, put)
    return Archive.open(root)


def table(path: Path) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(path.read_bytes().decode("utf-8"), newline=""), strict=True))


def found(error: InvalidInput) -> list[tuple[str, str | None, int | None, str]]:
    return [(str(item.code), item.where.file, item.where.line, item.text) for item in error.findings]


def test_jsonl_is_the_stored_records_to_the_byte_in_the_order_of_import(tmp_path: Path) -> None:
    archive = Archive.open(an_archive(tmp_path / "archive", imports=2))
    assert export(archive, "run-1", tmp_path / "out.jsonl") == 6
    stored = [archive.root / f"runs/run-1/records/{number:04d}.jsonl" for number in (1, 2)]
    assert (tmp_path / "out.jsonl").read_bytes() == b"".join(path.read_bytes() for path in stored)


@pytest.mark.parametrize("name", ["out.jsonl", "out.csv"])
def test_every_byte_is_told_once(tmp_path: Path, name: str) -> None:
    archive = archive_of(tmp_path, *(a_record(question_id=str(number)) for number in range(5000)))
    done: list[int] = []
    export(archive, "run-1", tmp_path / name, progress=done.append)
    assert len(done) == 2
    assert sum(done) == (archive.root / RECORDS).stat().st_size


def test_csv_has_one_row_a_record_and_the_columns_in_their_order(tmp_path: Path) -> None:
    first = a_record(metrics={"f1": 0.5, "acc": True}, own="x", more=[1])
    second = a_record(question_id="q2", correct=None, metrics={"bleu": [1, 2], "acc": None}, prediction=["a"], target=1)
    archive = archive_of(tmp_path, first, second)
    assert export(archive, "run-1", tmp_path / "out.csv") == 2
    identity = "benchmark,language,script,question_id,variant_id,filter,repeat_id,identity_scope"
    metrics = "metrics.acc,metrics.bleu,metrics.f1"
    rest = "schema_version,run_id,rephrasing_model,input,scores,response,source,warnings,extra"
    question = '"{""question"":""Which river crosses Cologne?""}",{}'
    source = '"{""path"":""runs/run-1/raw/0001-log.jsonl"",""line"":1}",[]'
    fields, own = f"1,run-1,,{question},Rhine,{source}", '{""own"":""x"",""more"":[1]}'
    assert (tmp_path / "out.csv").read_bytes().decode().split("\r\n") == [
        f"{identity},correct,prediction,target,model,{metrics},{rest}",
        f'rivers,en,,q1,original,none,0,stable,true,Rhine,Rhine,demo/model,true,,0.5,{fields},"{own}"',
        f'rivers,en,,q2,original,none,0,stable,,"[""a""]",1,demo/model,,"[1,2]",,{fields},',
        "",
    ]


def test_csv_keeps_every_digit_and_starts_no_formula(tmp_path: Path) -> None:
    big, deep = 10**4299, b"[" * 190 + b"]" * 190
    line = dumps(
        a_record(target="=HYPERLINK(1)", prediction="-3", repeat_id="+again", metrics={"m": 0.1 + 0.2, "=n": -1e-7})
    )
    line = line.replace(b'"response":"Rhine"', b'"response":' + str(big).encode() + b',"own":' + deep) + b"\n"
    archive = archive_of(tmp_path, line)
    change_manifest(archive.root, lambda content: content["imports"][0]["files"][0].update(records=1))
    export(archive, "run-1", tmp_path / "out.csv")
    (row,) = table(tmp_path / "out.csv")
    shown = {name: row[name] for name in ("target", "prediction", "repeat_id", "metrics.m", "metrics.=n", "extra")}
    assert shown == {
        "target": "'=HYPERLINK(1)",
        "prediction": "-3",
        "repeat_id": "'+again",
        "metrics.m": "0.30000000000000004",
        "metrics.=n": "-1e-7",
        "extra": f'{{"own":{deep.decode()}}}',
    }
    assert row["response"] == str(big)


def test_a_run_without_records_gives_an_empty_file_or_a_header(tmp_path: Path) -> None:
    archive = archive_of(tmp_path)
    change_manifest(archive.root, lambda content: content.update(imports=[]))
    assert (export(archive, "run-1", tmp_path / "a.jsonl"), export(archive, "run-1", tmp_path / "a.csv")) == (0, 0)
    assert (tmp_path / "a.jsonl").read_bytes() == b""
    header = (tmp_path / "a.csv").read_text(encoding="utf-8").splitlines()
    assert len(header) == 1
    assert header[0].startswith("benchmark,language,script,question_id,")
    assert "metrics" not in header[0]


def test_excel_puts_a_byte_order_mark_before_the_same_csv(tmp_path: Path) -> None:
    archive = archive_of(tmp_path, a_record(benchmark="Flüsse"))
    export(archive, "run-1", tmp_path / "plain.csv")
    export(archive, "run-1", tmp_path / "marked.csv", excel=True)
    assert (tmp_path / "marked.csv").read_bytes() == b"\xef\xbb\xbf" + (tmp_path / "plain.csv").read_bytes()


@pytest.mark.parametrize(
    ("name", "given", "begins"),
    [
        pytest.param("a.CSV", None, b"benchmark", id="suffix in capitals"),
        pytest.param("a.txt", "jsonl", b"{", id="format without suffix"),
        pytest.param("a.jsonl", "csv", b"benchmark", id="format against suffix"),
    ],
)
def test_a_given_format_comes_before_the_suffix(tmp_path: Path, name: str, given: str | None, begins: bytes) -> None:
    export(archive_of(tmp_path, a_record()), "run-1", tmp_path / name, format=given)
    assert (tmp_path / name).read_bytes().startswith(begins)


@pytest.mark.parametrize(
    ("name", "options", "code", "text"),
    [
        pytest.param(
            "a.txt",
            {},
            "X001",
            "The name ends neither in .jsonl nor in .csv. Give it one of these ends, or say --format jsonl or csv.",
            id="unknown suffix",
        ),
        pytest.param(
            "a.csv",
            {"format": "xlsx"},
            "X001",
            "'xlsx' is no format of an export. Ask for jsonl or csv.",
            id="unknown format",
        ),
        pytest.param(
            "a.parquet",
            {},
            "X002",
            "This version of itemproof does not write parquet yet; it writes jsonl and csv.",
            id="a later suffix",
        ),
        pytest.param(
            "a.json",
            {"format": "every-eval-ever"},
            "X002",
            "This version of itemproof does not write every-eval-ever yet; it writes jsonl and csv.",
            id="a later format",
        ),
        pytest.param(
            "a.jsonl",
            {"excel": True},
            "X003",
            "--excel marks CSV for Excel, and this export is jsonl. Leave it out, or export csv.",
            id="excel without csv",
        ),
    ],
)
def test_what_is_no_format_is_refused_before_anything_is_written(
    tmp_path: Path, name: str, options: dict[str, Any], code: str, text: str
) -> None:
    archive = archive_of(tmp_path, a_record())
    with pytest.raises(InvalidInput) as caught:
        export(archive, "run-1", tmp_path / name, **options)
    assert found(caught.value) == [(code, str(tmp_path / name), None, text)]
    assert [path.name for path in tmp_path.iterdir()] == ["archive"]


def test_an_existing_file_is_never_replaced(tmp_path: Path) -> None:
    archive = archive_of(tmp_path, a_record())
    (tmp_path / "out.csv").write_bytes(b"mine")
    with pytest.raises(Refused) as caught:
        export(archive, "run-1", tmp_path / "out.csv")
    assert str(caught.value.code) == "D005"
    assert (tmp_path / "out.csv").read_bytes() == b"mine"


@pytest.mark.parametrize("place", ["runs/x.csv", "runs/run-1/x.csv", "runs/run-1/raw/x.jsonl"])
def test_nothing_is_written_among_an_archive_s_own_files(tmp_path: Path, place: str) -> None:
    archive = archive_of(tmp_path, a_record())
    with pytest.raises(InvalidInput) as caught:
        export(archive, "run-1", archive.layout.root / place)
    assert [code for code, *_ in found(caught.value)] == ["X004"]
    assert not (archive.layout.root / place).exists()


@pytest.mark.parametrize("name", ["out.jsonl", "out.csv"])
def test_records_that_are_not_those_of_the_import_are_not_exported(tmp_path: Path, name: str) -> None:
    archive = archive_of(tmp_path, a_record())
    records = archive.root / RECORDS
    records.write_bytes(records.read_bytes().replace(b'"correct":true', b'"correct":null'))
    with pytest.raises(InvalidInput) as caught:
        export(archive, "run-1", tmp_path / name)
    text = (
        "Its bytes are not those of the import. "
        "It was changed after the import: `itemproof validate` says what else was."
    )
    assert found(caught.value) == [("A003", RECORDS, None, text)]
    assert caught.value.outcome == "Nothing was exported."
    assert [path.name for path in tmp_path.iterdir()] == ["archive"]


@pytest.mark.parametrize("name", ["out.jsonl", "out.csv"])
def test_missing_records_are_named(tmp_path: Path, name: str) -> None:
    archive = archive_of(tmp_path, a_record())
    (archive.root / RECORDS).unlink()
    with pytest.raises(InvalidInput) as caught:
        export(archive, "run-1", tmp_path / name)
    text = "It is registered and not there. Bring it back from a copy of the archive."
    assert found(caught.value) == [("A001", RECORDS, None, text)]
    assert [path.name for path in tmp_path.iterdir()] == ["archive"]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        pytest.param(b'{"benchmark":"b"}\n', "Object missing required field `schema_version`", id="no record"),
        pytest.param(b'{"benchmark"\n', "Input data was truncated", id="no JSON"),
    ],
)
def test_a_line_that_is_no_record_is_named(tmp_path: Path, line: bytes, reason: str) -> None:
    archive = archive_of(tmp_path, a_record(), line)
    with pytest.raises(InvalidInput) as caught:
        export(archive, "run-1", tmp_path / "out.csv")
    ((code, file, number, text),) = found(caught.value)
    assert (code, file, number) == ("A030", RECORDS, 2)
    assert text == f"{reason}. It was changed after the import: `itemproof validate` says what else was."
    assert [path.name for path in tmp_path.iterdir()] == ["archive"]


def test_cells_that_a_spreadsheet_would_cut_are_counted_in_a_note(tmp_path: Path) -> None:
    archive = archive_of(tmp_path, a_record(response="x" * 32_768, target="y" * 40_000), a_record(question_id="q2"))
    heard: list[str] = []
    export(archive, "run-1", tmp_path / "out.csv", note=heard.append)
    (note,) = heard
    assert note == (
        "2 cells are longer than the 32,767 characters that a spreadsheet keeps; it would cut them. "
        "The file has them whole."
    )
    assert len(table(tmp_path / "out.csv")[0]["target"]) == 40_000


def test_more_rows_than_a_spreadsheet_reads_are_said_in_a_note(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exports, "_ROW_LIMIT", 3)
    archive = archive_of(tmp_path, *(a_record(question_id=f"q{number}") for number in range(3)))
    heard: list[str] = []
    export(archive, "run-1", tmp_path / "out.csv", note=heard.append)
    assert heard == ["3 records and the header are more than the 3 rows of a spreadsheet."]


def test_a_run_that_does_not_exist_is_bad_input(tmp_path: Path) -> None:
    archive = archive_of(tmp_path, a_record())
    with pytest.raises(InvalidInput) as caught:
        export(archive, "run-2", tmp_path / "out.csv")
    assert str(caught.value.code) == "W002"
    assert not (tmp_path / "out.csv").exists()
