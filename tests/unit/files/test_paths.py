"""Names from anywhere become safe names; stored paths are followed only inside the archive."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from itemproof.core.errors import InvalidInput, Refused
from itemproof.core.where import Where
from itemproof.files.paths import check_id, check_stored_path, is_link, locate, number_of, stored_name, utf8_text


@pytest.mark.parametrize(
    ("given_name", "stored"),
    [
        pytest.param("samples_gsm8k.jsonl", "0007-samples_gsm8k.jsonl", id="plain"),
        pytest.param("a b|c:d?e*.jsonl", "0007-a_b_c_d_e_.jsonl", id="what-windows-forbids"),
        pytest.param("r\u00e9sum\u00e9.txt", "0007-r_sum_.txt", id="composed"),
        pytest.param("re\u0301sume\u0301.txt", "0007-re_sume_.txt", id="decomposed"),
        pytest.param("\udcff.txt", "0007-_.txt", id="undecodable-byte"),
        pytest.param("a\\b.txt", "0007-a_b.txt", id="backslash"),
        pytest.param("x/../y.txt", "0007-y.txt", id="basename-only"),
        pytest.param("x\n\0y", "0007-x__y", id="control-characters"),
        pytest.param("", "0007-_", id="empty"),
        pytest.param("..", "0007-__", id="dots"),
        pytest.param("ends.", "0007-ends_", id="dot-at-the-end"),
        pytest.param("CON", "0007-CON", id="device"),
        pytest.param("a" * 100, "0007-" + "a" * 80, id="long"),
    ],
)
def test_a_stored_name_is_the_number_and_the_safe_part_of_the_name(given_name: str, stored: str) -> None:
    assert stored_name(7, given_name) == stored


@given(st.integers(min_value=1, max_value=10**7), st.text())
def test_a_stored_name_is_always_a_stored_path_and_gives_its_number_back(number: int, name: str) -> None:
    stored = stored_name(number, name)
    assert check_stored_path(f"runs/r/raw/{stored}") == ("runs", "r", "raw", stored)
    assert number_of(stored) == number


@pytest.mark.parametrize(
    ("name", "number"),
    [("0012-x", 12), ("0003.jsonl", 3), ("12345-x", 12345), ("012-x", 0), ("x", 0), ("0001", 0)],
)
def test_a_name_that_does_not_begin_with_a_number_has_none(name: str, number: int) -> None:
    assert number_of(name) == number


@given(st.text())
def test_any_name_can_be_written_as_utf8_and_a_good_one_stays_as_it_is(name: str) -> None:
    written = utf8_text(name)
    written.encode("utf-8")
    if not any("\ud800" <= character <= "\udfff" for character in name):
        assert written == name


def test_an_undecodable_byte_is_shown_by_its_escape() -> None:
    assert utf8_text(b"log-\xff.txt".decode("utf-8", "surrogateescape")) == "log-\\udcff.txt"


@pytest.mark.parametrize("run_id", ["a", "llama-3.1-8b", "0", "A_b.C-d", "x" * 128, "con-1", "COM", "nul1"])
def test_a_plain_id_is_taken(run_id: str) -> None:
    check_id(run_id, "run", taken=[run_id, "other"])


@pytest.mark.parametrize(
    "run_id",
    [
        *[
            "",
            ".",
            "..",
            "../x",
            "/etc/x",
            "a/b",
            "a\\b",
            "a b",
            "-a",
            ".a",
            "_a",
            "a\n",
            "a\0",
            "C:x",
            "\u00e9",
            "x" * 129,
        ],
        *["a.", "CON", "nul", "Com1", "lpt9.txt", "aux.jsonl", "\udcff"],
    ],
)
def test_an_id_that_cannot_be_a_folder_everywhere_is_refused(run_id: str) -> None:
    with pytest.raises(InvalidInput) as error:
        check_id(run_id, "run")
    assert [finding.code.id for finding in error.value.findings] == ["D011"]
    str(error.value).encode("utf-8")


def test_an_id_that_differs_by_case_alone_is_refused_and_names_the_other() -> None:
    with pytest.raises(Refused) as error:
        check_id("Llama", "run", taken=["alpha", "llama"])
    assert error.value.code.id == "D012"
    assert "'llama' exists and differs from 'Llama' by case alone" in error.value.text


@pytest.mark.parametrize(
    "path",
    [
        *[
            "",
            "/etc/passwd",
            "../x",
            "a/../b",
            "a/./b",
            "a//b",
            "a/",
            "a\\b",
            "C:/x",
            "c:x",
            "a/b:stream",
            "a/\0",
            "a b",
        ],
        "\udcff",
    ],
)
def test_a_path_that_leaves_its_place_is_refused_where_it_stands(path: str) -> None:
    with pytest.raises(InvalidInput) as error:
        check_stored_path(path, Where(file="runs/r/manifest.json", path="$.x"))
    assert [(finding.code.id, finding.where.path) for finding in error.value.findings] == [("D013", "$.x")]


def test_a_stored_file_is_found_below_the_root_and_need_not_exist(tmp_path: Path) -> None:
    assert locate(tmp_path, "runs/r/raw/0001-x") == tmp_path / "runs" / "r" / "raw" / "0001-x"


@pytest.mark.parametrize("link", ["runs", "runs/r", "runs/r/raw"])
def test_a_link_on_the_way_is_refused_even_inside_the_archive(tmp_path: Path, link: str) -> None:
    (tmp_path / "elsewhere" / "r" / "raw").mkdir(parents=True)
    (tmp_path / link).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / link).symlink_to(tmp_path / "elsewhere")
    with pytest.raises(InvalidInput) as error:
        locate(tmp_path, "runs/r/raw/0001-x")
    assert error.value.code.id == "D014"
    assert error.value.text.startswith(f"{link} is a link")


def test_a_name_too_long_to_be_there_is_no_link_and_is_left_to_whoever_opens_it(tmp_path: Path) -> None:
    name = "x" * 300
    assert not is_link(tmp_path / name)
    assert locate(tmp_path, f"runs/{name}") == tmp_path / "runs" / name
