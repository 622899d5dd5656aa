"""The kinds of diagnostics as data: code, name, whether the specification excludes it, and what to do."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from itemproof.core.findings import Code

__all__ = [
    "BARE_BOOLEAN",
    "BARE_HEAD",
    "CODE_FENCE",
    "COMPOSED_HEAD",
    "CONTROL_CHARACTER",
    "DUPLICATE_KEY",
    "EXTRA_BRACKET",
    "FOREIGN_SPACE",
    "LITERAL_PARSE_ERROR",
    "MISSING_COMMA",
    "NOT_A_HEAD",
    "NUMBER_LIKE_TEXT",
    "ODD_HEAD",
    "ODD_NUMBER",
    "ODD_VARIABLE",
    "ODD_WORD",
    "PROSE",
    "PUNCTUATION_AS_VALUE",
    "QUOTED_TOP_LEVEL",
    "REASONING_TAG",
    "SEVERAL_EXPRESSIONS",
    "TRAILING_COMMA",
    "UNTERMINATED_STRING",
    "Flag",
]


@dataclass(frozen=True, slots=True, eq=False)
class Flag:
    """A kind of diagnostic; each is one object.

    Attributes:
        code: For findings.
        name: A stable key.
        advice: What it means and the next step.
        is_outside: Whether the language's specification excludes it, so that a strict caller rejects the text.
    """

    code: Code
    name: str
    advice: str
    is_outside: bool = False


MISSING_COMMA: Final = Flag(
    Code("L040", "no comma between two values"),
    "missing_comma",
    "Write a comma between arguments and between dict entries.",
    is_outside=True,
)
TRAILING_COMMA: Final = Flag(
    Code("L041", "a comma before a closing bracket"),
    "trailing_comma",
    "Remove the comma before the closing bracket.",
    is_outside=True,
)
PUNCTUATION_AS_VALUE: Final = Flag(
    Code("L042", "punctuation where a value is due"),
    "punctuation_as_value",
    "It is read as a text and counts as an argument; remove it, or put it in quotes.",
    is_outside=True,
)
ODD_HEAD: Final = Flag(
    Code("L043", "a head that is no identifier"),
    "odd_head",
    "A head begins with an ASCII letter, goes on with letters, digits and _, and does not end in _.",
    is_outside=True,
)
QUOTED_TOP_LEVEL: Final = Flag(
    Code("L044", "a quoted string as the whole expression"),
    "quoted_top_level",
    "It is read as a head without arguments; write the head with brackets and without quotes.",
    is_outside=True,
)
BARE_HEAD: Final = Flag(
    Code("L045", "a word as the whole expression"),
    "bare_head",
    "It is read as a head without arguments; write the brackets.",
    is_outside=True,
)
FOREIGN_SPACE: Final = Flag(
    Code("L046", "a space that is no blank of the language"),
    "nonascii_space",
    "Only space, tab and line ends are blanks; this one became a part of its word. Remove it.",
    is_outside=True,
)
ODD_VARIABLE: Final = Flag(
    Code("L047", "a variable that is no identifier"),
    "odd_variable",
    "A variable is an ASCII letter, then letters, digits and _, and a _ at its end.",
    is_outside=True,
)
NUMBER_LIKE_TEXT: Final = Flag(
    Code("L048", "a text that looks like a number"),
    "number_like_text",
    "It is read as a text. A number is digits with at most one point and a leading minus.",
    is_outside=True,
)
ODD_NUMBER: Final = Flag(
    Code("L049", "a number in other digits than 0 to 9"),
    "odd_number",
    "Write the digits 0 to 9 of ASCII.",
    is_outside=True,
)
BARE_BOOLEAN: Final = Flag(
    Code("L050", "a truth value or null as a bare word"),
    "bare_boolean",
    "It is read as a text, which is never false. Truth values are True[] and False[]; nothing found is NotFound[].",
)
ODD_WORD: Final = Flag(
    Code("L051", "a bare word that is no lower-case name"),
    "odd_word",
    "It is read as a text; put it in quotes, or write brackets if a head is meant.",
    is_outside=True,
)
CONTROL_CHARACTER: Final = Flag(
    Code("L052", "a control character inside a string"),
    "control_char_in_string",
    "It is kept as it is, so that the canonical text may span lines.",
)
UNTERMINATED_STRING: Final = Flag(
    Code("L053", "a string that is never closed"),
    "unterminated_string",
    'It reaches to the end of the text and loses its last character; close it with ".',
    is_outside=True,
)
DUPLICATE_KEY: Final = Flag(
    Code("L054", "a dict key that comes twice"),
    "duplicate_key",
    "The last value counts; remove the others.",
)
LITERAL_PARSE_ERROR: Final = Flag(
    Code("L055", "a parse error that is written out"),
    "literal_parse_error",
    "The text is itself ParseError[…], and is taken for a text that does not parse.",
)
COMPOSED_HEAD: Final = Flag(
    Code("L056", "a head that Compose names in the same expression"),
    "composed_head",
    "A static check does not know it and counts it as hallucinated.",
)
NOT_A_HEAD: Final = Flag(
    Code("L057", "a bracket behind a variable, a number or a string"),
    "not_a_head",
    "None of these can be a head, so the bracket is read as a text; write a head.",
    is_outside=True,
)
CODE_FENCE: Final = Flag(
    Code("L060", "a Markdown fence around the expression"),
    "code_fence",
    "Give the expression alone, without ``` or `.",
    is_outside=True,
)
REASONING_TAG: Final = Flag(
    Code("L061", "reasoning in tags beside the expression"),
    "reasoning_tag",
    "Give the expression alone, without the reasoning.",
    is_outside=True,
)
SEVERAL_EXPRESSIONS: Final = Flag(
    Code("L062", "more than one expression"),
    "several_expressions",
    "Give one; several steps are one Do[…].",
    is_outside=True,
)
EXTRA_BRACKET: Final = Flag(
    Code("L063", "a closing bracket too many"),
    "extra_bracket",
    "Remove the bracket that nothing opened.",
    is_outside=True,
)
PROSE: Final = Flag(
    Code("L064", "prose beside the expression"),
    "prose",
    "Give the expression alone, without other words.",
    is_outside=True,
)
