"""Identity, and the fields that options fill."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import pytest

from itemproof.adapters.base import LineRefused
from itemproof.adapters.fields import FieldReader, Identity, IdentityReader
from normalising import file_context, places

RUN_LOCAL = Identity(None)
MISSING = Identity(None, asked_for=True)


def identity(line: dict[str, Any], *id_field: str, benchmark: str = "b", content: str | None = None) -> Identity:
    reader = IdentityReader(file_context(id_field=id_field), content_field="doc_hash")
    return reader.read(line, benchmark, content)


class TestLookUp:
    PLACES = ("original_question_id", "doc.original_question_id", "question_id", "doc.question_id", "id", "doc.id")

    @staticmethod
    def line(*paths: str) -> dict[str, Any]:
        line: dict[str, Any] = {"doc": {}}
        for path in paths:
            owner, _, name = path.rpartition(".")
            (line["doc"] if owner else line)[name] = path
        return line

    @pytest.mark.parametrize("at", range(6))
    def test_the_first_of_six_places_names_the_question(self, at: int) -> None:
        assert identity(self.line(*self.PLACES[at:])) == Identity(self.PLACES[at])

    @pytest.mark.parametrize("value", [None, [], ["a"], {}, {"a": 1}])
    def test_it_passes_over_what_is_no_name(self, value: Any) -> None:
        assert identity({"question_id": value, "id": "x"}) == Identity("x")

    @pytest.mark.parametrize(
        "line",
        [
            pytest.param({}, id="nothing"),
            pytest.param({"doc_id": 3, "doc_hash": "h"}, id="other fields"),
            pytest.param({"doc": "text"}, id="a document that is a text"),
            pytest.param({"doc": {"id": None}}, id="a null"),
        ],
    )
    def test_a_line_without_any_is_run_local_and_nobody_asked(self, line: dict[str, Any]) -> None:
        assert identity(line) == RUN_LOCAL

    @pytest.mark.parametrize(
        ("value", "expected"),
        [
            pytest.param(1, "1", id="an integer"),
            pytest.param("1", "1", id="its text"),
            pytest.param("01", "01", id="another text"),
            pytest.param(-7, "-7", id="a negative integer"),
            pytest.param(10**25, "1" + "0" * 25, id="a long integer"),
            pytest.param(" é\u0000 ", " é\u0000 ", id="a text with blanks is not trimmed"),
            pytest.param("e\u0301", "e\u0301", id="a text is not composed"),
        ],
    )
    def test_a_name_is_copied_exactly(self, value: Any, expected: str) -> None:
        assert identity({"id": value}) == Identity(expected)

    @pytest.mark.parametrize(
        ("value", "said"),
        [
            pytest.param("", "found an empty or blank text; an id must name its question.", id="empty"),
            pytest.param(" \t\u3000", "found an empty or blank text; an id must name its question.", id="blank"),
            pytest.param(True, "found true; an id is a text or an integer.", id="a boolean"),
            pytest.param(1.0, "found the number 1.0; an id is a text or an integer.", id="a fraction"),
        ],
    )
    def test_a_value_that_can_name_nothing_is_refused(self, value: Any, said: str) -> None:
        with pytest.raises(LineRefused) as refused:
            identity({"question_id": [], "doc": {"question_id": value}, "id": "x"})
        (finding,) = refused.value.findings
        assert places([finding]) == [("I002", "$.doc.question_id")]
        assert finding.text == said


class TestFieldsAskedFor:
    @pytest.mark.parametrize(
        ("fields", "expected"),
        [
            pytest.param(["key"], Identity("k"), id="a top-level field"),
            pytest.param(["doc.idx"], Identity("4"), id="a field of the document"),
            pytest.param(["doc.a.b"], Identity("deep"), id="a deep field"),
            pytest.param([r"doc.dotted\.name"], Identity("d"), id="a key with a dot"),
            pytest.param(["key", "doc.idx"], Identity("k|4"), id="two fields join in their order"),
            pytest.param(["doc.idx", "doc.pipe"], Identity(r"4|a\|b\\"), id="joined parts are escaped"),
            pytest.param(["doc.pipe"], Identity("a|b\\"), id="a part alone is not"),
            pytest.param(["absent"], MISSING, id="an absent field"),
            pytest.param(["key", "doc.absent"], MISSING, id="one absent of two"),
            pytest.param(["key.below"], MISSING, id="a field below a text"),
            pytest.param(["doc_id"], RUN_LOCAL, id="a position"),
            pytest.param(["key", "doc_id"], RUN_LOCAL, id="a position among others"),
            pytest.param(["b=key"], Identity("k"), id="for this benchmark"),
            pytest.param(["b=key", "doc.idx"], Identity("k"), id="for this benchmark before the rest"),
            pytest.param(["other=key", "doc.idx"], Identity("4"), id="for another benchmark"),
            pytest.param(["other=key"], Identity("looked up"), id="for another benchmark alone"),
        ],
    )
    def test_they_replace_the_look_up(self, fields: list[str], expected: Identity) -> None:
        doc = {"idx": 4, "a": {"b": "deep"}, "dotted.name": "d", "pipe": "a|b\\"}
        assert identity({"id": "looked up", "key": "k", "doc_id": 9, "doc": doc}, *fields) == expected

    @pytest.mark.parametrize(
        ("value", "said"),
        [
            pytest.param(None, "found null where --id-field asked for an id.", id="null"),
            pytest.param([1], "found a list where --id-field asked for an id.", id="a list"),
            pytest.param({}, "found an object where --id-field asked for an id.", id="an object"),
            pytest.param(False, "found false; an id is a text or an integer.", id="a boolean"),
            pytest.param(0.5, "found the number 0.5; an id is a text or an integer.", id="a fraction"),
            pytest.param(" ", "found an empty or blank text; an id must name its question.", id="blank"),
        ],
    )
    def test_a_value_that_can_name_nothing_is_refused(self, value: Any, said: str) -> None:
        with pytest.raises(LineRefused) as refused:
            identity({"doc": {"key": value}}, "doc.key")
        (finding,) = refused.value.findings
        assert places([finding]) == [("I002", "$.doc.key")]
        assert finding.text == said


class TestContentIds:
    @pytest.mark.parametrize(
        ("line", "fields", "content", "expected"),
        [
            pytest.param({"id": "x"}, ["auto"], "hash", Identity("x"), id="a producer's id comes first"),
            pytest.param({}, ["auto"], "hash", Identity("hash", is_content=True), id="then the verified digest"),
            pytest.param({"doc_hash": "unverified"}, ["auto"], None, RUN_LOCAL, id="an unverified one is none"),
            pytest.param({}, [], "hash", RUN_LOCAL, id="it is never the silent default"),
            pytest.param({"id": "x"}, ["doc_hash"], "hash", Identity("hash", is_content=True), id="asked for by name"),
            pytest.param({"doc_hash": "unverified"}, ["doc_hash"], None, MISSING, id="asked for and unverified"),
        ],
    )
    def test_a_document_may_stand_in_for_its_name(
        self, line: dict[str, Any], fields: list[str], content: str | None, expected: Identity
    ) -> None:
        assert identity(line, *fields, content=content) == expected


def common(
    line: dict[str, Any],
    doc: dict[str, Any] | None = None,
    *,
    default_variant: str | None = "original",
    fallback_benchmark: str | None = "task",
    **options: Any,
) -> dict[str, Any]:
    reader = FieldReader(
        file_context(**options), default_variant=default_variant, fallback_benchmark=fallback_benchmark
    )
    return asdict(reader.read(line, doc or {}))


def test_a_silent_line_gets_the_defaults() -> None:
    assert common({}) == {
        "benchmark": "task",
        "language": None,
        "script": None,
        "variant_id": "original",
        "filter": "none",
        "repeat_id": 0,
        "rephrasing_model": None,
    }


FILLED = ("benchmark", "language", "script", "filter")


@pytest.mark.parametrize("name", FILLED)
def test_an_option_fills_what_is_absent_or_null(name: str) -> None:
    option: dict[str, Any] = {name: "option"}
    assert common({}, **option)[name] == "option"
    assert common({name: None}, **option)[name] == "option"
    assert common({name: "option"}, **option)[name] == "option"


@pytest.mark.parametrize("name", FILLED)
def test_a_line_that_says_otherwise_than_an_option_is_refused(name: str) -> None:
    option: dict[str, Any] = {name: "option"}
    with pytest.raises(LineRefused) as refused:
        common({name: "line"}, **option)
    (finding,) = refused.value.findings
    assert places([finding]) == [("R002", f"$.{name}")]
    assert finding.text == f"found 'line', but --{name} says 'option'; options fill only what a line leaves open."


@pytest.mark.parametrize("name", ["benchmark", "language", "script", "variant_id", "rephrasing_model"])
def test_the_line_comes_before_its_document(name: str) -> None:
    assert common({name: "line"}, {name: "doc"})[name] == "line"
    assert common({}, {name: "doc"})[name] == "doc"
    assert common({name: None}, {name: "doc"})[name] == "doc"


@pytest.mark.parametrize(("name", "default"), [("filter", "none"), ("repeat_id", 0)])
def test_a_documents_filter_or_repeat_is_its_own_affair(name: str, default: Any) -> None:
    assert common({}, {name: "doc"})[name] == default


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        pytest.param({"benchmark": "option", "metadata": {"benchmark": "run"}}, "option", id="the option"),
        pytest.param({"metadata": {"benchmark": "run"}}, "run", id="then the run"),
        pytest.param({"metadata": {"benchmark": ""}}, "task", id="then the file"),
        pytest.param({"metadata": {"benchmark": ["run"]}}, "task", id="a list in the run names none"),
    ],
)
def test_a_line_without_a_benchmark_gets_the_next_one(options: dict[str, Any], expected: str) -> None:
    assert common({}, **options)["benchmark"] == expected


@pytest.mark.parametrize("option", [None, "ours"])
def test_the_variant_option_overrides_the_line(option: str | None) -> None:
    assert common({"variant_id": "theirs"}, variant=option)["variant_id"] == (option or "theirs")


@pytest.mark.parametrize("given", [["x"], {"x": 1}, 5, True, " ", ""])
def test_the_variant_option_hides_no_fault_of_the_lines_own(given: Any) -> None:
    with pytest.raises(LineRefused) as refused:
        common({"variant_id": given}, variant="ours")
    assert places(list(refused.value.findings)) == [("R001", "$.variant_id")]


def test_the_variant_option_stands_in_for_whatever_a_document_has() -> None:
    assert common({}, {"variant_id": ["x"]}, variant="ours")["variant_id"] == "ours"


@pytest.mark.parametrize(
    ("given", "stored"),
    [
        pytest.param(3, 3, id="an integer"),
        pytest.param(-3, -3, id="a negative integer"),
        pytest.param("3", 3, id="its decimal text"),
        pytest.param("-3", -3, id="a negative decimal text"),
        pytest.param("0", 0, id="zero"),
        pytest.param("-0", "-0", id="minus zero"),
        pytest.param("03", "03", id="a leading zero"),
        pytest.param("+3", "+3", id="a plus"),
        pytest.param("3 ", "3 ", id="a blank behind"),
        pytest.param("٣", "٣", id="another script's digit"),
        pytest.param("-", "-", id="a sign alone"),
        pytest.param("run A", "run A", id="a text"),
        pytest.param(10**18, 10**18, id="an integer of nineteen digits"),
        pytest.param(str(10**18), 10**18, id="its text"),
        pytest.param(2**63 - 1, 2**63 - 1, id="the greatest integer of 64 bits"),
        pytest.param(str(2**63 - 1), 2**63 - 1, id="its text too"),
        pytest.param(-(2**63), -(2**63), id="the least integer of 64 bits"),
        pytest.param(str(-(2**63)), -(2**63), id="the least one's text"),
        pytest.param(2**63, str(2**63), id="a greater integer becomes its text"),
        pytest.param(str(2**63), str(2**63), id="a greater text stays one"),
        pytest.param(-(2**63) - 1, str(-(2**63) - 1), id="a lesser integer becomes its text"),
        pytest.param(str(-(2**63) - 1), str(-(2**63) - 1), id="a lesser text stays one"),
        pytest.param(int("9" * 30), "9" * 30, id="an integer of thirty digits"),
        pytest.param("9" * 30, "9" * 30, id="its text stays one"),
    ],
)
def test_a_repeat_is_an_integer_where_it_plainly_is_one(given: Any, stored: Any) -> None:
    found = common({"repeat_id": given})["repeat_id"]
    assert (found, type(found)) == (stored, type(stored))


@pytest.mark.parametrize(
    ("line", "options", "expected"),
    [
        pytest.param({}, {"repeat_id": 2}, 2, id="it fills"),
        pytest.param({"repeat_id": "2"}, {"repeat_id": 2}, 2, id="it agrees"),
    ],
)
def test_the_repeat_option_numbers_a_file(line: dict[str, Any], options: dict[str, Any], expected: int) -> None:
    assert common(line, **options)["repeat_id"] == expected


@pytest.mark.parametrize(
    ("line", "doc", "keywords", "code", "path", "said"),
    [
        pytest.param(
            {"language": 5}, {}, {}, "R001", "$.language", "found the number 5, expected a text.", id="a number as text"
        ),
        pytest.param({}, {"script": True}, {}, "R001", "$.doc.script", "found true, expected a text.", id="in the doc"),
        pytest.param(
            {"filter": " "}, {}, {}, "R001", "$.filter", "found an empty or blank text, expected a text.", id="blank"
        ),
        pytest.param(
            {"variant_id": {}}, {}, {}, "R001", "$.variant_id", "found an object, expected a text.", id="object"
        ),
        pytest.param(
            {"model": "x"},
            {},
            {},
            "R002",
            "$.model",
            "found 'x', but the run has 'm'; remove the field or import into the run it names.",
            id="another model",
        ),
        pytest.param(
            {"run_id": 1},
            {},
            {},
            "R002",
            "$.run_id",
            "found 1, but the run has 'run-1'; remove the field or import into the run it names.",
            id="another run",
        ),
        pytest.param(
            {},
            {},
            {"fallback_benchmark": None},
            "R003",
            "$.benchmark",
            "found no benchmark; name it with --benchmark.",
            id="no benchmark",
        ),
        pytest.param(
            {},
            {},
            {"default_variant": None},
            "R004",
            "$.variant_id",
            "found no variant; name it with --variant.",
            id="no variant",
        ),
        pytest.param(
            {"repeat_id": 1.5},
            {},
            {},
            "R005",
            "$.repeat_id",
            "found the number 1.5, expected an integer or a text.",
            id="a fraction as repeat",
        ),
        pytest.param(
            {"repeat_id": [1]}, {}, {}, "R005", "$.repeat_id", "found a list, expected an integer or a text.", id="list"
        ),
        pytest.param(
            {"repeat_id": ""},
            {},
            {},
            "R005",
            "$.repeat_id",
            "found an empty or blank text, expected an integer or a text.",
            id="an empty repeat",
        ),
        pytest.param(
            {"repeat_id": 1},
            {},
            {"repeat_id": 0},
            "R002",
            "$.repeat_id",
            "found 1, but the repeats were numbered 0 for this file.",
            id="another repeat",
        ),
    ],
)
def test_a_field_that_breaks_a_rule_is_refused(
    line: dict[str, Any], doc: dict[str, Any], keywords: dict[str, Any], code: str, path: str, said: str
) -> None:
    with pytest.raises(LineRefused) as refused:
        common(line, doc, **keywords)
    (finding,) = refused.value.findings
    assert (finding.code.id, finding.where.path, finding.text) == (code, path, said)


def test_a_null_model_or_run_is_no_contradiction() -> None:
    assert common({"model": None, "run_id": None})["benchmark"] == "task"
