"""A result as one HTML page that needs no script and no network: the verdict, the counts, then case by case.

Every text is escaped where it is set in, and the page's policy allows nothing but its own style.
"""

from __future__ import annotations

import html
import unicodedata
from base64 import b64encode
from collections.abc import Iterable, Iterator, Mapping
from hashlib import sha256
from importlib.resources import files
from itertools import groupby
from typing import Any, Final

from itemproof.generation.fixture import Case
from itemproof.generation.scoring import Scored
from itemproof.stats import display

__all__ = ["page"]

_STAGES: Final = (
    ("an output", "has_output"),
    ("one expression", "parse_ok_count"),
    ("valid", "validate_ok_count"),
    ("expected head", "expected_top_level_head_ok_count"),
)
_WORDS: Final = {
    "missing_output": "no output",
    "parse_error": "is no expression",
    "validation_error": "is not valid",
    "top_level_head_mismatch": "has another head than expected",
    "hallucinated_operator": "uses heads that the language does not have",
    "specification_error": "is outside of the specification",
}
#: Longer texts fold; as many characters stay in sight.
_IN_SIGHT: Final = 2000
#: Characters that show nothing, or something else than they are; a line feed and a tab are what they look like.
_ODD: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
_PLAIN: Final = frozenset("\n\t")


def page(scored: Scored, result: Mapping[str, Any]) -> bytes:
    """The page, in UTF-8; the same result gives the same bytes.

    Args:
        scored: The scores; the answers must have been kept.
        result: What was made of them, `cases` included.
    """
    style = (files("itemproof.generation") / "data" / "report.css").read_text(encoding="utf-8")
    digest = b64encode(sha256(style.encode()).digest()).decode("ascii")
    policy = f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    parts = [
        "<!doctype html>",
        '<html lang="en"><head><meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{html.escape(policy)}">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{_text(result['answer_source'])}: generation-eval</title>",
        f"<style>{style}</style></head><body>",
        *_head(result),
        *_counts(result),
        *_cases(scored, result),
        "</body></html>",
    ]
    return "\n".join(parts).encode("utf-8")


def _head(result: Mapping[str, Any]) -> Iterator[str]:
    cases, failing = result["case_count"], result["failure_case_count"]
    sign = '<span class="pass">✓ all cases pass</span>' if not failing else '<span class="fail">✗ cases fail</span>'
    maturity = result["maturity"]
    blocked = f", blocked at {_text(maturity['blocked_level'])}" if maturity["blocked_level"] else ""
    strict = "strictly, by the specification" if result["itemproof"]["strict"] else "as the reference tool scores"
    yield f"<header><h1>{_text(result['answer_source'])}</h1>"
    yield f'<p class="soft">{cases:,} cases of <code>{_text(result["fixture_path"])}</code>, scored {strict}</p>'
    yield f'<p class="verdict">{sign}: {cases - failing:,} of {cases:,} pass ({_percent(cases - failing, cases)})</p>'
    yield f"<p>Mature up to {_text(maturity['highest_contiguous_level'])}{blocked}.</p>"
    yield from (f'<p class="fail">! {_text(warning)}</p>' for warning in result["itemproof"]["warnings"])
    yield "</header>"


def _counts(result: Mapping[str, Any]) -> Iterator[str]:
    total, own = result["summary"], result["itemproof"]
    cases = total["case_count"]
    counts = {**total, "has_output": cases - total["missing_output_count"]}
    rows = [(name, counts[key]) for name, key in _STAGES]
    rows += [
        ("passes", own["passed"]["count"]),
        ("same program as the reference", own["exact_match"]["count"]),
        ("an expected head alone would pass", own["bare_head"]["count"]),
    ]
    yield '<h2>How far the outputs come</h2><div class="grid"><div class="scroll">'
    yield from _table(("stage", "cases", "share", ""), (_stage(name, count, cases) for name, count in rows))
    yield '</div><div class="scroll">'
    yield from _table(
        ("level", "cases", "pass", "share", ""), (_level(name, result) for name in own["passed"]["by_level"])
    )
    yield "</div></div>"
    yield '<div class="grid"><div class="scroll"><h2>Why cases fail</h2>'
    yield from _tally({_WORDS[name]: n for name, n in total["failure_category_counts"].items()}, "the output")
    yield '</div><div class="scroll"><h2>Whether they may run</h2>'
    yield from _tally(own["preflight"]["decisions"], "preflight")
    yield "</div></div>"
    if own["around"]:
        yield "<h2>What stands around expressions</h2>"
        yield from _tally(own["around"], "beside the expression")


def _stage(name: str, count: int, cases: int) -> tuple[str, ...]:
    meter = f'<meter min="0" max="{cases}" value="{count}" aria-hidden="true"></meter>'
    return _text(name), f"{count:,}", _percent(count, cases), meter


def _level(name: str, result: Mapping[str, Any]) -> tuple[str, ...]:
    cases = result["level_summary"][name]["case_count"]
    passed = result["itemproof"]["passed"]["by_level"][name]["count"]
    return (_text(name), f"{cases:,}", *_stage("", passed, cases)[1:])


def _tally(counts: Mapping[str, int], what: str) -> Iterator[str]:
    if counts:
        yield from _table((what, "cases"), ((_text(name), f"{count:,}") for name, count in counts.items()))
    else:
        yield "<p>None.</p>"


def _table(header: Iterable[str], rows: Iterable[tuple[str, ...]]) -> Iterator[str]:
    """A table of cells that are HTML; every column but the first holds numbers."""
    yield (
        "<table><thead><tr>" + "".join(_cell("th", at, name) for at, name in enumerate(header)) + "</tr></thead><tbody>"
    )
    for row in rows:
        yield "<tr>" + "".join(_cell("td", at, cell) for at, cell in enumerate(row)) + "</tr>"
    yield "</tbody></table>"


def _cell(tag: str, column: int, content: str) -> str:
    return f'<{tag} class="number">{content}</{tag}>' if column else f"<{tag}>{content}</{tag}>"


def _cases(scored: Scored, result: Mapping[str, Any]) -> Iterator[str]:
    both = list(zip(scored.fixture.cases, result["cases"], strict=True))
    failing = [pair for pair in both if pair[1]["failure_categories"]]
    passing = [pair for pair in both if not pair[1]["failure_categories"]]
    yield f"<h2>Failing cases ({len(failing):,})</h2>"
    yield from ("".join(_failing(case, found)) for case, found in failing)
    if not failing:
        yield "<p>None.</p>"
    yield f"<h2>Passing cases ({len(passing):,})</h2>"
    for level, group in groupby(passing, key=lambda pair: pair[0].level):
        members = list(group)
        yield f'<details><summary>{_text(level)}: {len(members):,} cases</summary><div class="scroll"><table>'
        yield "<thead><tr><th>case</th><th>prompt</th><th>output</th><th>as the reference</th></tr></thead><tbody>"
        for case, found in members:
            same = "✓ same program" if found["itemproof"]["exact_match"] else "≠ another program"
            yield f"<tr><td>{_text(case.case_id)}</td><td>{_text(case.prompt)}</td>"
            yield f"<td><code>{_text(found['output'])}</code></td><td>{same}</td></tr>"
        yield "</tbody></table></div></details>"


def _failing(case: Case, found: Mapping[str, Any]) -> Iterator[str]:
    why = "; ".join(_WORDS[name] for name in found["failure_categories"])
    yield f'<article><h3>{_text(case.case_id)} <span class="fail">✗ {_text(why)}</span></h3><dl>'
    yield f"<dt>level</dt><dd>{_text(case.level)}</dd><dt>prompt</dt><dd>{_text(case.prompt)}</dd>"
    output = '<span class="soft">none</span>' if found["output"] is None else _folded(found["output"])
    yield f"<dt>output</dt><dd>{output}</dd>"
    yield f"<dt>a right answer</dt><dd><pre>{_text(case.reference_expr)}</pre></dd>"
    if found["parse_error"] is not None and found["output"] is not None:
        yield f"<dt>parse error</dt><dd><code>{_text(found['parse_error'])}</code></dd>"
    if found["hallucinated_heads"]:
        heads = ", ".join(f"<code>{_text(head)}</code>" for head in found["hallucinated_heads"])
        yield f"<dt>unknown heads</dt><dd>{heads}</dd>"
    for remark in found["itemproof"]["diagnostics"]:
        yield f"<dt>line {remark['line']}</dt><dd>{_text(remark['text'])}</dd>"
    yield "</dl></article>\n"


def _folded(text: str) -> str:
    if len(text) <= _IN_SIGHT:
        return f"<pre>{_text(text)}</pre>"
    rest = text[_IN_SIGHT:]
    more = f"<details><summary>{len(rest):,} characters more</summary><pre>{_text(rest)}</pre></details>"
    return f"<pre>{_text(text[:_IN_SIGHT])}</pre>{more}"


def _text(text: str) -> str:
    """The text as HTML; characters that would show nothing, or turn the line around, are named instead."""
    if text.isascii() and text.isprintable():
        return html.escape(text)
    return "".join(_shown(character) for character in text)


def _shown(character: str) -> str:
    if character in _PLAIN or unicodedata.category(character) not in _ODD:
        return html.escape(character)
    return f'<span class="odd">U+{ord(character):04X}</span>'


def _percent(count: int, cases: int) -> str:
    return display.show(count / cases, display.PERCENT)
