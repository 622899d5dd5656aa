"""What each token is there for."""

from __future__ import annotations

import pytest

from itemproof.coglang.lexer import tokenize
from itemproof.coglang.roles import roles

SHORT = {
    "HEAD": "h", "OPEN": "[", "CLOSE": "]", "OPEN_DICT": "{", "CLOSE_DICT": "}", "KEY": "k", "COLON": ":", "COMMA": ",",
    "STRING": "s", "WORD": "w", "NUMBER": "n", "VARIABLE": "v", "MARK": "m",
}  # fmt: skip


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('Do[a, "b", 1, x_, _, If[]]', "h [ w , s , n , v , v , h [ ] ]"),
        ("Do[1 2,]", "h [ n n , ]"),
        ("Do[, , :, }]", "h [ m , m , m ]"),
        ('Do[{"a": 1, "b": {}, "c": [ "d": }}]', "h [ { k : n , k : { } , k : m k : m } ]"),
        ("Do[[[1]]", "h [ h [ n ] ]"),
        ("Do[x_[1]", "h [ v m n ]"),
        ('Do["a"[1 2[ 3]', "h [ s m n n m n ]"),
        ("Word", "w"),
        ('"Text"', "s"),
    ],
)
def test_each_token_has_its_role(text: str, expected: str) -> None:
    assert " ".join(SHORT[role.name] for role in roles(tokenize(text))) == expected
