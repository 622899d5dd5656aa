from __future__ import annotations

import gzip
import json
import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from builders import a_raw_line, an_archive, change_manifest, change_raw, change_records, seal_by_hand
from itemproof.archive.layout import Layout
from itemproof.archive.rules import see_all, see_run
from itemproof.archive.rules.see_derived import Renormalise
from itemproof.archive.validate import Checked, Validation, validate
from itemproof.core.digest import sha256_of
from itemproof.core.errors import invalid
from itemproof.core.findings import Code, Finding
from itemproof.core.where import Where
from itemproof.files.walk import Entry, walk
from itemproof.records.manifest import FileEntry, ImportEntry, RunManifest

_RAW = "runs/run-1/raw/0001-log.jsonl"
_RECORDS = "runs/run-1/records/0001.jsonl"
_NOTES = "runs/run-1/attachments/0001-notes.txt"
_MANIFEST = "runs/run-1/manifest.json"


def _places(findings: Sequence[Finding]) -> list[tuple[str, str | None, int | None]]:
    return [(finding.code.id, finding.where.file, finding.where.line) for finding in findings]


def _check(root: Path, *run_ids: str, renormalise: Renormalise | None = None) -> Validation:
    return validate(root, run_ids, jobs=1, renormalise=renormalise)


class TestIntact:
    def test_an_archive_as_it_was_written_has_no_finding_and_everything_was_counted(self, tmp_path: Path) -> None:
        root = an_archive(tmp_path, runs=2, records=3, imports=2)
        registered = [path for path in root.glob("runs/*/*/*") if path.is_file()]

        validation = _check(root)

        assert (validation.ok, validation.findings, validation.notes) == (True, [], [])
        size_bytes = sum(path.stat().st_size for path in registered)
        assert validation.checked == Checked(runs=2, imports=4, files=4, records=12, attachments=2, bytes=size_bytes)

    def test_a_sealed_run_keeps_its_seal(self, tmp_path: Path) -> None:
        root = an_archive(tmp_path)
        seal_by_hand(root)

        assert _check(root).ok

    def test_numbers_beyond_64_bits_in_metadata_do_not_break_a_seal(self, tmp_path: Path) -> None:
        root = an_archive(tmp_path)
        change_manifest(root, lambda content: content["metadata"].update(seed=10**30, share=0.1, text="ü\u2028"))
        seal_by_hand(root)

        assert _check(root).ok

    def test_a_run_without_imports_is_intact(self, tmp_path: Path) -> None:
        assert _check(an_archive(tmp_path, imports=0)).ok

    def test_folders_that_a_copy_could_not_keep_need_not_be_there(self, tmp_path: Path) -> None:
        root = an_archive(tmp_path)
        (root / "runs/empty/raw").mkdir(parents=True)

        assert _check(root).ok

    def test_what_lies_outside_the_managed_folders_is_nobody_s_concern(self, tmp_path: Path) -> None:
        root = an_archive(tmp_path)
        (root / "README.md").write_bytes(b"")
        (root / ".itemproof/staging/0001").mkdir(parents=True)
        (root / ".itemproof/staging/0001/half").write_bytes(b"")

        assert _check(root).ok

    def test_bytes_read_are_reported_as_progress(self, tmp_path: Path) -> None:
        done: list[int] = []

        validation = validate(an_archive(tmp_path), jobs=1, progress=done.append)

        assert sum(done) == validation.checked.bytes

    def test_nothing_is_written(self, tmp_path: Path) -> None:
        root = an_archive(tmp_path)
        (root / "runs/run-1/stray").write_bytes(b"")
        before = _tree(root)

        validate(root, jobs=1)

        assert _tree(root) == before

    @pytest.mark.parametrize(
        ("repeat", "is_twice"),
        [pytest.param(1, False, id="another"), pytest.param("0", False, id="a text"), pytest.param(0, True, id="same")],
    )
    def test_repeats_of_a_question_are_several_records(self, tmp_path: Path, repeat: int | str, is_twice: bool) -> None:
        root = an_archive(tmp_path)
        change_records(root, lambda records: records[1].update(question_id="q1", repeat_id=repeat))

        assert _places(_check(root).findings) == ([("A036", _RECORDS, 2)] if is_twice else [])

    def test_two_records_may_come_from_one_line(self, tmp_path: Path) -> None:
        root = an_archive(tmp_path)
        change_records(
            root, lambda records: records.extend({**record, "variant_id": "rephrased"} for record in list(records))
        )

        assert _check(root).ok

    def test_run_local_records_and_warnings_are_counted(self, tmp_path: Path) -> None:
        root = an_archive(tmp_path)
        change_records(root, lambda records: records[1].update(identity_scope="run-local", warnings=["a", "b"]))
        counts = {"warnings": {"H010": 1, "H014": 1}}
        change_manifest(root, lambda content: content["imports"][0]["files"][0].update(counts))

        assert _check(root).ok


def _tree(root: Path) -> list[tuple[str, int, int]]:
    return [
        (str(path), path.stat().st_mtime_ns, path.stat().st_size if path.is_file() else 0)
        for path in sorted(root.rglob("*"))
    ]


class TestArchive:
    def test_a_folder_that_does_not_exist_is_no_archive(self, tmp_path: Path) -> None:
        assert _places(_check(tmp_path / "nowhere").findings) == [("A020", "archive.json", None)]

    def test_a_file_is_no_archive(self, tmp_path: Path) -> None:
        (tmp_path / "file").write_bytes(b"")

        assert _places(_check(tmp_path / "file").findings) == [("A020", "archive.json", None)]

    def test_without_a_marker_the_runs_are_looked_at_all_the_same(self, tmp_path: Path) -> None:
        root = an_archive(tmp_path)
        (root / "archive.json").unlink()
        (root / _NOTES).unlink()

        assert _places(_check(root).findings) == [("A001", _NOTES, None), ("A020", "archive.json", None)]

    def test_only_the_runs_that_were_asked_for_are_looked_at(self, tmp_path: Path) -> None:
        root = an_archive(tmp_path, runs=2)
        (root / _NOTES).unlink()
        (root / "runs/stray").write_bytes(b"")

        assert _check(root, "run-2").findings == []
        assert _places(_check(root, "run-1").findings) == [("A001", _NOTES, None)]
        assert _check(root, "run-2").checked.runs == 1

    def test_a_run_that_is_not_there_is_a_finding(self, tmp_path: Path) -> None:
        validation = _check(an_archive(tmp_path), "run-1", "ran-1", "../run-1")

        assert _places(validation.findings) == [
            ("W002", "runs/../run-1/manifest.json", None),
            ("W002", "runs/ran-1/manifest.json", None),
        ]
        assert validation.checked.runs == 1

    def test_ids_that_differ_by_case_alone_and_those_that_no_folder_may_have_are_found(self, tmp_path: Path) -> None:
        root = an_archive(tmp_path, runs=2)
        for old, new in (("run-2", "RUN-1"), ("run-1", "run-1")):
            (root / "runs" / old).rename(root / "runs" / new)
        change_manifest(
            root, lambda content: content.update(run_id="RUN-1", imports=[], attachments=[]), run_id="RUN-1"
        )
        for path in (root / "runs/RUN-1").glob("*/*"):
            path.unlink()
        (root / "runs/my run").mkdir()
        (root / "runs/CON").mkdir()

        assert _places(_check(root).findings) == [
            ("D011", "runs/CON", None),
            ("D011", "runs/my run", None),
            ("D012", "runs/run-1", None),
        ]

    @pytest.mark.parametrize(
        ("data", "code"),
        [
            pytest.param(b"", "J001", id="empty"),
            pytest.param(b'{"schema_version": 1', "J001", id="cut off"),
            pytest.param(b'{"schema_version": 1, "schema_version": 1}', "J002", id="key twice"),
            pytest.param(b"[" * 100_000, "J006", id="nested beyond reason"),
            pytest.param(b"\xff\xfe", "J007", id="no UTF-8"),
            pytest.param(b"null", "A010", id="null"),
            pytest.param(b'{"schema_version": 9}', "A011", id="later version"),
        ],
    )
    def test_a_manifest_that_cannot_be_read_is_a_finding_and_the_other_runs_are_looked_at(
        self, tmp_path: Path, data: bytes, code: str
    ) -> None:
        root = an_archive(tmp_path, runs=2)
        (root / _MANIFEST).write_bytes(data)
        (root / "runs/run-2/attachments/0001-notes.txt").unlink()

        validation = _check(root)

        assert _places(validation.findings) == sorted(
            [(code, _MANIFEST, None), ("A001", "runs/run-2/attachments/0001-notes.txt", None)]
        )
        assert validation.checked.runs == 1

    def test_a_journal_that_cannot_be_read_is_a_note(self, tmp_path: Path) -> None:
        root = an_archive(tmp_path)
        (root / ".itemproof/journal").mkdir(parents=True)
        (root / ".itemproof/journal/0001.json").write_bytes(b"{")

        validation = _check(root)

        assert (validation.ok, _places(validation.notes)) == (True, [("J001", ".itemproof/journal/0001.json", None)])

    def test_findings_are_ordered_by_code_file_and_line(self, tmp_path: Path) -> None:
        root = an_archive(tmp_path, runs=2)
        for run in ("run-2", "run-1"):
            change_records(root, lambda records: records[0].update(model="other"), run_id=run)
            change_records(root, lambda records: records[2].update(model="other"), run_id=run)
            (root / "runs" / run / "stray").write_bytes(b"")

        assert _places(_check(root).findings) == [
            ("A024", "runs/run-1/stray", None),
            ("A024", "runs/run-2/stray", None),
            ("A031", _RECORDS, 1),
            ("A031", _RECORDS, 3),
            ("A031", "runs/run-2/records/0001.jsonl", 1),
            ("A031", "runs/run-2/records/0001.jsonl", 3),
        ]

    def test_the_same_is_found_by_one_process_and_by_several(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        root = an_archive(tmp_path, runs=2, imports=2)
        change_records(root, lambda records: records[0].update(question_id="q5", model="other"))
        change_records(root, lambda records: records.reverse(), run_id="run-2")
        (root / "runs/run-2/raw/0002-log.jsonl").write_bytes(b"\n")
        alone = validate(root, jobs=1)
        monkeypatch.setattr(see_all, "_WORTH_FORKING_BYTES", 0)
        done: list[int] = []

        together = validate(root, jobs=2, progress=done.append)

        assert together == alone
        assert len(alone.findings) > 5
        assert sum(done) == alone.checked.bytes


class TestPaths:
    @pytest.mark.parametrize(
        "path",
        [
            pytest.param("../outside.jsonl", id="upwards"),
            pytest.param("runs/run-1/raw/../../../outside.jsonl", id="upwards within"),
            pytest.param("/etc/hostname", id="absolute"),
            pytest.param("C:/outside.jsonl", id="drive"),
            pytest.param("runs\\run-1\\raw\\0001-log.jsonl", id="backslash"),
            pytest.param("runs/run-1//raw/0001-log.jsonl", id="empty part"),
            pytest.param("", id="empty"),
        ],
    )
    def test_an_unsafe_path_is_named_and_not_followed(self, tmp_path: Path, path: str) -> None:
        root = an_archive(tmp_path / "archive")
        (tmp_path / "outside.jsonl").write_bytes(b"")
        change_manifest(root, lambda content: content["attachments"][0].update(path=path))

        findings = _check(root).findings

        assert _places(findings) == [("A024", _NOTES, None), ("D013", _MANIFEST, None)]
        assert findings[1].where.path == "$.attachments[0].path"

    @pytest.mark.parametrize("kind", ["attachments", "files"])
    def test_a_file_that_is_registered_twice_is_found(self, tmp_path: Path, kind: str) -> None:
        root = an_archive(tmp_path)

        def repeat(content: dict[str, Any]) -> None:
            listed = content["attachments"] if kind == "attachments" else content["imports"][0]["files"]
            listed.append(listed[0])

        change_manifest(root, repeat)

        assert _places(_check(root).findings)[-1] == ("A043", _MANIFEST, None)

    def test_every_unsafe_path_is_listed(self, tmp_path: Path) -> None:
        root = an_archive(tmp_path, imports=0)
        attached = [{"name": "n", "path": f"../{number:04d}-n", "bytes": 0, "sha256": ""} for number in range(1, 31)]
        change_manifest(root, lambda content: content.update(attachments=attached))

        findings = _check(root).findings

        assert [finding.code.id for finding in findings] == ["A024", *["D013"] * 30]

    def test_a_registered_file_that_became_a_link_is_not_followed(self, tmp_path: Path) -> None:
        root = an_archive(tmp_path / "archive")
        (root / _RAW).rename(tmp_path / "elsewhere")
        (root / _RAW).symlink_to(tmp_path / "elsewhere")

        assert _places(_check(root).findings) == [("D014", _RAW, None)]

    def test_a_run_s_folder_and_a_manifest_that_are_links_are_not_followed(self, tmp_path: Path) -> None:
        root = an_archive(tmp_path / "archive", runs=2)
        (root / "runs/run-1").rename(tmp_path / "run-1")
        (root / "runs/run-1").symlink_to(tmp_path / "run-1")
        (root / "runs/run-2/manifest.json").rename(tmp_path / "manifest.json")
        (root / "runs/run-2/manifest.json").symlink_to(tmp_path / "manifest.json")

        assert _places(_check(root).findings) == [
            ("D014", "runs/run-1", None),
            ("D014", "runs/run-2/manifest.json", None),
        ]

    def test_a_folder_of_runs_that_is_a_link_is_not_followed(self, tmp_path: Path) -> None:
        root = an_archive(tmp_path / "archive")
        (root / "runs").rename(tmp_path / "runs")
        (root / "runs").symlink_to(tmp_path / "runs")

        assert _places(_check(root).findings) == [("D014", "runs", None)]

    @pytest.mark.parametrize("name", ["runs/run-1/raw/link", "runs/link"])
    def test_a_link_that_nobody_registered_is_untracked_wherever_it_leads(self, tmp_path: Path, name: str) -> None:
        root = an_archive(tmp_path)
        (root / name).symlink_to("/nowhere")

        findings = _check(root).findings

        assert _places(findings) == [("A024", name, None)]
        assert findings[0].text.startswith("This link")

    @pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes here")
    def test_a_pipe_is_found_and_not_read(self, tmp_path: Path) -> None:
        root = an_archive(tmp_path)
        os.mkfifo(root / "runs/pipe")
        os.mkfifo(root / "runs/run-1/raw/pipe")

        assert _places(_check(root).findings) == [("A024", "runs/pipe", None), ("A024", "runs/run-1/raw/pipe", None)]

    def test_a_name_that_is_no_utf8_is_shown_escaped(self, tmp_path: Path) -> None:
        root = an_archive(tmp_path)
        Path(os.fsdecode(os.fsencode(root) + b"/runs/run-1/raw/\xff")).write_bytes(b"")

        assert _places(_check(root).findings) == [("A024", "runs/run-1/raw/\\udcff", None)]


class TestBesideAWriter:
    def test_files_of_a_commit_made_during_the_look_are_not_untracked(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        root = an_archive(tmp_path)
        late = root / "runs/run-1/attachments/0002-late.txt"

        def walk_and_commit(folder: Path) -> Iterator[Entry]:
            late.write_bytes(b"late")
            yield from walk(folder)
            entry = {"name": "late.txt", "path": f"runs/run-1/attachments/{late.name}", "bytes": 4}
            entry["sha256"] = sha256_of(b"late")
            change_manifest(root, lambda content: content["attachments"].append(entry))
            monkeypatch.undo()

        monkeypatch.setattr(see_run, "walk", walk_and_commit)

        assert validate(root, ["run-1"], jobs=1).ok


class TestCompressed:
    def _archive(self, folder: Path, text: bytes, *, lines: int) -> tuple[Path, Path]:
        """An archive whose raw file is compressed and was called so; and that file."""
        root = an_archive(folder)
        change_raw(root, gzip.compress(text), lines=lines)
        change_manifest(root, lambda content: content["imports"][0]["files"][0].update(name="log.jsonl.gz"))
        return root, root / _RAW

    def test_lines_count_in_the_text(self, tmp_path: Path) -> None:
        text = a_raw_line(1) + b"\n" + a_raw_line(2) + b" \n"
        root, _ = self._archive(tmp_path, text, lines=4)

        assert _places(_check(root).findings) == [("A034", _RECORDS, 2)]

    def test_a_lost_line_is_found_in_the_text(self, tmp_path: Path) -> None:
        root, _ = self._archive(tmp_path, b"".join(map(a_raw_line, range(1, 5))), lines=4)

        assert _places(_check(root).findings) == [("A035", _RAW, 4)]

    def test_of_a_damaged_one_only_the_damage_is_said(self, tmp_path: Path) -> None:
        root, raw = self._archive(tmp_path, b"".join(map(a_raw_line, range(1, 4))), lines=3)
        raw.write_bytes(raw.read_bytes()[:-9])

        assert _places(_check(root).findings) == [("A002", _RAW, None)]

    def test_one_that_was_registered_damaged_is_a_finding_of_its_place(self, tmp_path: Path) -> None:
        root, _ = self._archive(tmp_path, b"".join(map(a_raw_line, range(1, 4))), lines=3)
        data = gzip.compress(a_raw_line(1))[:-2]
        facts = {"raw_bytes": len(data), "raw_sha256": sha256_of(data)}
        (root / _RAW).write_bytes(data)
        change_manifest(root, lambda content: content["imports"][0]["files"][0].update(facts))

        assert _places(_check(root).findings) == [("J022", _RAW, None)]

    def test_a_plain_file_overwritten_by_a_compressed_one_is_damaged(self, tmp_path: Path) -> None:
        root = an_archive(tmp_path)
        (root / _RAW).write_bytes(gzip.compress(b"{}\n"))

        assert _places(_check(root).findings) == [("A002", _RAW, None)]

    def test_records_that_begin_like_a_compressed_file_and_repeat_themselves_raise_nothing(
        self, tmp_path: Path
    ) -> None:
        root = an_archive(tmp_path)

        def damage(records: list[Any]) -> None:
            records[0] = b"\x1f\x8b\x08\n"
            records[2]["question_id"] = "q2"

        change_records(root, damage)

        codes = [finding.code.id for finding in _check(root).findings]

        assert codes == ["A030", "A035", "J020"]


def _as_stored(root: Path) -> Callable[[FileEntry], bytes]:
    return lambda file: (root / file.records_path).read_bytes()


class TestDeep:
    """The records are made again by a function that is handed in."""

    def _check(self, root: Path, make: Callable[[FileEntry], bytes | None]) -> Validation:
        calls: list[tuple[str, str, str]] = []

        def renormalise(run: RunManifest, entry: ImportEntry, file: FileEntry) -> Iterator[bytes] | None:
            calls.append((run.run_id, entry.id, file.raw_path))
            made = make(file)
            return None if made is None else iter([made[:100], made[100:]])

        validation = _check(root, renormalise=renormalise)
        self.calls = calls
        return validation

    def test_equal_bytes_are_no_finding(self, tmp_path: Path) -> None:
        root = an_archive(tmp_path, imports=2)

        validation = self._check(root, _as_stored(root))

        assert (validation.findings, validation.notes) == ([], [])
        assert self.calls == [
            ("run-1", "import-0001", _RAW),
            ("run-1", "import-0002", "runs/run-1/raw/0002-log.jsonl"),
        ]

    def test_the_first_line_that_differs_is_named(self, tmp_path: Path) -> None:
        root = an_archive(tmp_path)

        validation = self._check(root, lambda file: _as_stored(root)(file).replace(b'"q2"', b'"Q2"'))

        assert _places(validation.findings) == [("A050", _RECORDS, 2)]

    def test_what_another_version_makes_otherwise_is_a_note(self, tmp_path: Path) -> None:
        root = an_archive(tmp_path)
        change_manifest(root, lambda content: content["imports"][0].update(normaliser_version=0))

        validation = self._check(root, lambda _: b"")

        assert validation.ok
        assert _places(validation.notes) == [("A050", _RECORDS, 1), ("A052", _MANIFEST, None)]

    def test_an_adapter_that_is_not_at_hand_is_a_note(self, tmp_path: Path) -> None:
        validation = self._check(an_archive(tmp_path), lambda _: None)

        assert validation.ok
        assert _places(validation.notes) == [("A053", _RECORDS, None)]

    def test_a_raw_file_that_is_refused_now_is_a_finding(self, tmp_path: Path) -> None:
        def refuse(_: FileEntry) -> bytes:
            raise invalid(Code("T001", "a test"), "odd.", Where(file="elsewhere", line=2, path="$.id"))

        findings = self._check(an_archive(tmp_path), refuse).findings

        assert [(each.code.id, each.where) for each in findings] == [("A051", Where(file=_RAW, line=2, path="$.id"))]
        assert "(T001): odd." in findings[0].text

    @pytest.mark.parametrize("path", [_RAW, _RECORDS])
    def test_of_damaged_files_nothing_is_made_again(self, tmp_path: Path, path: str) -> None:
        root = an_archive(tmp_path)
        data = (root / path).read_bytes()
        (root / path).write_bytes(data.replace(b"q1", b"q9"))

        validation = self._check(root, _as_stored(root))

        assert _places(validation.findings) == [("A003", path, None)]
        assert self.calls == []


def test_a_file_that_the_disk_cannot_read_is_a_finding(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = an_archive(tmp_path)
    real = Path.open

    def fail(path: Path, *arguments: Any, **options: Any) -> Any:
        if path.name == "0001-notes.txt":
            raise OSError(5, "Input/output error", str(path))
        return real(path, *arguments, **options)

    monkeypatch.setattr(Path, "open", fail)

    assert _places(_check(root).findings) == [("D002", _NOTES, None)]


def test_a_folder_that_the_disk_cannot_read_is_a_finding(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = an_archive(tmp_path, runs=2)

    def fail(folder: Path) -> Iterator[Entry]:
        if folder.name == "run-1":
            raise invalid(Code("T001", "a test"), "unreadable.", Where(file=str(folder)))
        return walk(folder)

    monkeypatch.setattr(see_run, "walk", fail)

    validation = _check(root)

    assert _places(validation.findings) == [("T001", "runs/run-1", None)]
    assert validation.checked.runs == 1


def test_the_layout_s_own_reader_takes_what_the_builders_write(tmp_path: Path) -> None:
    manifest = Layout(an_archive(tmp_path)).read_manifest("run-1")

    assert manifest is not None
    assert json.loads((tmp_path / _MANIFEST).read_bytes())["run_id"] == manifest.run_id
