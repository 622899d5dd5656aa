"""Line, column and caret."""

from __future__ import annotations

import pytest

from itemproof.coglang.source import Place, excerpt, place_of_offset, place_of_token

TEXT = "Do[\n  1,\r\n  é_]  "


@pytest.mark.parametrize(
    ("position", "place"),
    [
        (0, Place(0, 1, 1)),
        (1, Place(2, 1, 3)),
        (2, Place(6, 2, 3)),
        (4, Place(12, 3, 3)),
        (6, Place(15, 3, 6)),
        (99, Place(15, 3, 6)),
    ],
    ids=["first", "bracket", "second-line", "third-line", "behind-the-last", "far-behind"],
)
def test_a_token_is_found_by_line_and_column(position: int, place: Place) -> None:
    assert place_of_token(TEXT, position) == place


def test_a_text_without_tokens_begins_at_its_first_character() -> None:
    assert place_of_token(" \n ", 0) == Place(0, 1, 1)


@pytest.mark.parametrize(
    ("text", "offset", "shown"),
    [
        pytest.param("Do[1", 4, "Do[1\n    ^", id="end"),
        pytest.param("a\nbc\r\nd", 3, "bc\n ^", id="one-line-of-many"),
        pytest.param("中文[x", 3, "中文[x\n     ^", id="wide-characters"),
        pytest.param("e\u0301x", 2, "e\u0301x\n ^", id="combining-character"),
        pytest.param("\x1b\u200b\ud800x", 3, "\\x1b\\u200b\\ud800x\n                ^", id="hidden-characters"),
        pytest.param("a" * 50 + "X" + "b" * 50, 50, f"…{'a' * 36}X{'b' * 35}…\n{' ' * 37}^", id="long-line"),
    ],
)
def test_an_excerpt_shows_the_line_and_points_into_it(text: str, offset: int, shown: str) -> None:
    assert excerpt(text, place_of_offset(text, offset)) == shown
