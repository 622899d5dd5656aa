"""Strict JSON: what is refused, what is exact, and that both ways of reading and writing agree."""

from __future__ import annotations

import json
from typing import Any

import pytest

from itemproof.core.errors import InvalidInput
from itemproof.core.where import Where
from itemproof.files import exact_json, strict_json
from itemproof.files.strict_json import dumps, dumps_line, loads, loads_many


def faults(text: bytes) -> list[tuple[str, str | None]]:
    """The codes and paths of a refused text."""
    with pytest.raises(InvalidInput) as caught:
        loads(text)
    return [(finding.code.id, finding.where.path) for finding in caught.value.findings]


REFUSED = [
    pytest.param(b"", [("J001", "$")], id="empty"),
    pytest.param(b" \t", [("J001", "$")], id="blank"),
    pytest.param(b'{"a":1}{"b":2}', [("J001", "$")], id="two values"),
    pytest.param(b'{"a":1,}', [("J001", "$")], id="trailing comma"),
    pytest.param(b"{'a':1}", [("J001", "$")], id="single quotes"),
    pytest.param(b'{"a":"\x01"}', [("J001", "$")], id="raw control character"),
    pytest.param(b'{"a":01}', [("J001", "$")], id="leading zero"),
    pytest.param(b'{"a":"caf', [("J001", "$")], id="cut in a text"),
    pytest.param(b"\x0c{}", [("J001", "$")], id="form feed is no JSON blank"),
    pytest.param(b'{"a":1,"b":2,"a":1}', [("J002", "$.a")], id="repeated key"),
    pytest.param(b'{"x":[{"b c":1,"b c":1}]}', [("J002", '$.x[0]["b c"]')], id="repeated key within"),
    pytest.param(b'{"a":1,"\\u0061":2}', [("J002", "$.a")], id="repeated key by an escape"),
    pytest.param(b'{"a":1,"a":"\\u003a"}', [("J002", "$.a")], id="repeated key, colon made good by an escape"),
    pytest.param(b'{"a":1,"a":"\\u003A"}', [("J002", "$.a")], id="the same in capitals"),
    pytest.param(b'{"a":{"x":1},"a":2}', [("J002", "$.a")], id="repeated key of an object"),
    pytest.param(b'{"a":NaN}', [("J003", "$.a")], id="NaN"),
    pytest.param(b"[-Infinity,Infinity]", [("J003", "$[0]"), ("J003", "$[1]")], id="infinities"),
    pytest.param(b'{"a":1e999}', [("J003", "$.a")], id="overflow"),
    pytest.param(b'{"a":-1e999}', [("J003", "$.a")], id="negative overflow"),
    pytest.param(b'{"a":' + b"7" * 4301 + b"}", [("J004", "$.a")], id="4,301 digits"),
    pytest.param(b'{"a":"x\\ud835y"}', [("J005", "$.a")], id="lone surrogate"),
    pytest.param(b'{"\\udc00":1}', [("J005", '$["\\udc00"]')], id="lone surrogate in a key"),
    pytest.param(b"[" * 201 + b"]" * 201, [("J006", "$")], id="201 lists"),
    pytest.param(b'{"a":' * 201 + b"1" + b"}" * 201, [("J006", "$")], id="201 objects"),
    pytest.param(b"[" * 100_000, [("J006", "$")], id="100,000 open brackets"),
    pytest.param(b'{"a":"\xff"}', [("J007", "$")], id="no UTF-8"),
    pytest.param(b'{"a":"\xed\xa0\x80"}', [("J007", "$")], id="a surrogate in UTF-8 clothes"),
    pytest.param(b"\xef\xbb\xbf{}", [("J008", "$")], id="byte order mark"),
    pytest.param(
        b'{"a":NaN,"b":"\\ud835","c":{"d":1,"d":1e999}}',
        [("J003", "$.a"), ("J005", "$.b"), ("J002", "$.c.d"), ("J003", "$.c.d")],
        id="several",
    ),
]


@pytest.mark.parametrize(("text", "due"), REFUSED)
def test_a_faulty_text_is_refused_with_every_fault(text: bytes, due: list[tuple[str, str]]) -> None:
    assert faults(text) == due


@pytest.mark.parametrize(("text", "due"), REFUSED)
def test_the_fast_way_never_takes_a_faulty_text(text: bytes, due: list[tuple[str, str]]) -> None:
    assert loads_many([b'{"good":1}', text], b'{"good":1}\n' + text) is None


KEPT: list[Any] = [
    pytest.param(b'{"a":[1,2.5,null,true,"x"]}', {"a": [1, 2.5, None, True, "x"]}, id="ordinary"),
    pytest.param(b' {"a" : 1}\r', {"a": 1}, id="blanks and one CR"),
    pytest.param(b"18446744073709551616", 2**64, id="beyond 64 bits"),
    pytest.param(b"-9223372036854775809", -(2**63) - 1, id="below 64 bits"),
    pytest.param(b"[9223372036854775808,18446744073709551615]", [2**63, 2**64 - 1], id="unsigned"),
    pytest.param(b"7" * 4300, int("7" * 4300), id="4,300 digits"),
    pytest.param(b"1e300", 1e300, id="a large float"),
    pytest.param(b"1e-400", 0.0, id="underflow"),
    pytest.param(b'"a\\u0000b\\u2028\\u003a"', "a\0b\u2028:", id="escapes"),
    pytest.param(b'"\\ud835\\udc00"', "\U0001d400", id="a whole pair"),
    pytest.param(b'"say \\"1e+5\\": {[NaN"', 'say "1e+5": {[NaN', id="texts that look like faults"),
    pytest.param(b"[" * 200 + b"]" * 200, None, id="200 lists"),
    pytest.param(b"[" * 200 + b"1" + b"]" * 200, None, id="200 lists around a number"),
    pytest.param(b'{"a":' * 200 + b"1" + b"}" * 200, None, id="200 objects"),
]


@pytest.mark.parametrize(("text", "value"), KEPT)
def test_a_sound_text_gives_its_value_exactly(text: bytes, value: Any) -> None:
    due = json.loads(text) if value is None else value
    assert loads(text) == due
    assert type(loads(text)) is type(due)


def test_the_exact_way_and_the_fast_way_write_the_same_bytes() -> None:
    text = b'{"a":1e16,"b":1e-05,"c":1.0,"d":-0.0,"e":123456789012345680.0,"f":5e-324}'
    assert dumps(loads(text)) == dumps(exact_json.read_exactly(text))
    assert dumps([0.00001, 2**70]) == b"[0.00001,1180591620717411303424]"


def test_the_outer_place_is_filled_in() -> None:
    with pytest.raises(InvalidInput) as caught:
        loads(b'{"a":NaN}', Where(file="x.jsonl", line=41))
    expected = "x.jsonl:41  $.a  J003  NaN is not a number that JSON or this archive knows; null means unknown."
    assert str(caught.value) == expected


def test_faults_beyond_twenty_are_counted() -> None:
    with pytest.raises(InvalidInput) as caught:
        loads(b"[" + b",".join([b"NaN"] * 25) + b"]")
    assert (len(caught.value.findings.kept), caught.value.findings.count) == (20, 25)


def test_without_a_trusted_writer_everything_goes_the_exact_way(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(strict_json, "_TRUSTED", False)
    assert loads_many([b"{}"], b"{}") is None
    assert loads(b'{"a":18446744073709551616}') == {"a": 2**64}


def test_the_installed_writer_is_trusted() -> None:
    assert strict_json._TRUSTED


def test_a_repeated_key_shows_in_a_block_large_enough_for_numpy() -> None:
    good = b'{"k":"' + b"v:" * 100 + b'"}'
    texts = [*[good] * 200, b'{"a":1,"a":1}']
    assert loads_many(texts[:200], b"\n".join(texts[:200])) == [json.loads(good)] * 200
    assert loads_many(texts, b"\n".join(texts)) is None


@pytest.mark.parametrize(
    ("value", "text"),
    [
        pytest.param({"b": 1, "a": "ü"}, '{"b":1,"a":"ü"}'.encode(), id="order and UTF-8"),
        pytest.param("a\u2028b\u2029c\u0085\u201d", b'"a\\u2028b\\u2029c\\u0085\xe2\x80\x9d"', id="line separators"),
        pytest.param(
            {"n": [2**64, -(2**63) - 1, -(2**200)]},
            f'{{"n":[{2**64},{-(2**63) - 1},{-(2**200)}]}}'.encode(),
            id="large integers",
        ),
    ],
)
def test_a_value_is_written_on_one_line(value: Any, text: bytes) -> None:
    assert dumps(value) == text
    assert dumps_line(value) == text + b"\n"
    assert loads(dumps(value)) == value
    assert len(dumps(value).decode().splitlines()) == 1


@pytest.mark.parametrize(
    ("value", "error"),
    [
        pytest.param({"a": [float("nan")]}, ValueError, id="NaN"),
        pytest.param((float("inf"),), ValueError, id="infinity in a tuple"),
        pytest.param("\ud835", ValueError, id="surrogate"),
        pytest.param({"\ud835": 1}, ValueError, id="surrogate in a key"),
        pytest.param({"a": b"x"}, TypeError, id="bytes"),
        pytest.param({1: 2}, TypeError, id="a key that is no text"),
    ],
)
def test_what_json_cannot_hold_is_never_written(value: Any, error: type[Exception]) -> None:
    with pytest.raises(error):
        dumps(value)
