"""Where a token begins and ends."""

from __future__ import annotations

import pytest

from itemproof.coglang.lexer import is_unterminated, spans, tokenize


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        pytest.param("", [], id="nothing"),
        pytest.param(" \t\r\n", [], id="blanks"),
        pytest.param("If[a,{k:1}]", ["If", "[", "a", ",", "{", "k", ":", "1", "}", "]"], id="punctuation"),
        pytest.param('b"c"d', ["b", '"c"', "d"], id="touching"),
        pytest.param("x\u00a0y \ufeffz \vw \u2028v", ["x\u00a0y", "\ufeffz", "\vw", "\u2028v"], id="other-spaces"),
        pytest.param("f(x)=`'#\\.", ["f(x)=`'#\\."], id="word-characters"),
        pytest.param(r'"a\"b" c', [r'"a\"b"', "c"], id="escaped-quote"),
        pytest.param(r'"a\\" c', [r'"a\\"', "c"], id="escaped-backslash"),
        pytest.param('"a [,] b"', ['"a [,] b"'], id="punctuation-in-a-string"),
        pytest.param('"a\nb"', ['"a\nb"'], id="line-end-in-a-string"),
        pytest.param('x "open ]', ["x", '"open ]'], id="open-string"),
        pytest.param('"open\\', ['"open\\'], id="open-string-ends-in-backslash"),
        pytest.param('"', ['"'], id="a-quote-alone"),
        pytest.param("\ud800[\U0001f600]", ["\ud800", "[", "\U0001f600", "]"], id="surrogate-and-astral"),
    ],
)
def test_text_is_cut_into_its_tokens(text: str, tokens: list[str]) -> None:
    assert tokenize(text) == tokens


def test_spans_cut_the_same_tokens_out_of_the_text() -> None:
    text = ' Do [ "a\\"" , x_ ]\n"open'
    assert [text[start:end] for start, end in spans(text)] == tokenize(text)
    assert spans(text)[0] == (1, 3)


@pytest.mark.parametrize(
    ("token", "expected"),
    [
        ("word", False),
        ('"closed"', False),
        ('""', False),
        (r'"ends in a backslash\\"', False),
        ('"', True),
        ('"open', True),
        (r'"the quote is escaped\"', True),
        ('"ends in a backslash\\', True),
    ],
)
def test_a_string_without_its_last_quote_is_known(token: str, expected: bool) -> None:
    assert is_unterminated(token) is expected
