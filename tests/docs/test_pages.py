"""Every page shows what really happens, and every link of it leads somewhere."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import pytest

from docs.pages import LEFT_OUT, REPOSITORY, answers, pages_with_examples, read_page, says

PAGES: Final = [REPOSITORY / "README.md", REPOSITORY / "CHANGELOG.md", *sorted((REPOSITORY / "docs").rglob("*.md"))]
_LINK: Final = re.compile(r"(?<!!)\[[^\]]+\]\(([^)\s]+)\)")
_CODE: Final = re.compile(r"^```.*?^```$|`[^`\n]+`", re.MULTILINE | re.DOTALL)


def named(path: Path) -> str:
    return path.relative_to(REPOSITORY).as_posix()


@pytest.mark.parametrize("path", pages_with_examples(), ids=named)
def test_a_page_shows_what_really_happens(path: Path, tmp_path: Path) -> None:
    page = read_page(path)
    wrong = []
    for step, answered, status in answers(page, tmp_path.resolve()):
        if status != step.status or (step.answer is not None and not says(step.answer, answered)):
            wrong.append(f"{named(path)}:{step.line} (exit {status})\n$ {step.text}\n" + "\n".join(answered))
    assert not wrong, "\n\n".join(wrong) + "\n\nIf this is right: python tests/docs/pages.py " + named(path)


@pytest.mark.parametrize("path", PAGES, ids=named)
def test_every_link_of_a_page_leads_somewhere(path: Path) -> None:
    broken = []
    for link in _links(path):
        target, _, anchor = link.partition("#")
        to = (path.parent / target).resolve() if target else path
        if not to.exists() or (anchor and anchor not in _anchors(to)):
            broken.append(link)
    assert not broken


def test_every_page_is_reached_from_the_first_one() -> None:
    first = REPOSITORY / "docs/index.md"
    seen, left = {first}, [first]
    while left:
        path = left.pop()
        for link in _links(path):
            to = (path.parent / link.partition("#")[0]).resolve()
            if to.suffix == ".md" and to.is_file() and to not in seen:
                seen.add(to)
                left.append(to)
    assert {named(path) for path in PAGES if path.is_relative_to(REPOSITORY / "docs")} <= {named(path) for path in seen}


def test_the_first_forty_lines_of_the_readme_ask_show_and_install() -> None:
    lines = (REPOSITORY / "README.md").read_text(encoding="utf-8").split("\n")[:40]
    opens = [line for line in lines if line.startswith("```") and line != "```"]
    assert opens == ["```console", "```python", "```sh"]
    assert "Which questions did it break, and can anyone check?" in "\n".join(lines[:5])
    assert any(line.startswith("pip install") for line in lines)


@pytest.mark.parametrize("path", PAGES, ids=named)
def test_a_page_names_no_place_of_the_machine_it_was_written_on(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert [place for place in ("/work", "/tmp", "../shared") if place in text] == []


@pytest.mark.parametrize(
    ("page", "answered", "holds"),
    [
        pytest.param(["a", "b"], ["a", "b"], True, id="the same"),
        pytest.param(["a"], ["a", "b"], False, id="a line more"),
        pytest.param(["a", LEFT_OUT, "d"], ["a", "b", "c", "d"], True, id="lines left out"),
        pytest.param(["a", LEFT_OUT], ["b", "c"], False, id="another line before those left out"),
        pytest.param(["x " + "0" * 64], ["x " + "f" * 64], True, id="another digest"),
        pytest.param(["x " + "0" * 63], ["x " + "f" * 63], False, id="what is no digest"),
        pytest.param(["at 2026-01-01T00:00:00Z"], ["at 2027-02-02T11:11:11Z"], True, id="another time"),
    ],
)
def test_an_answer_is_compared_but_for_what_differs_between_readers(
    page: list[str], answered: list[str], holds: bool
) -> None:
    assert says(page, answered) is holds


def test_the_examples_of_a_page_are_read_in_order(tmp_path: Path) -> None:
    path = tmp_path / "page.md"
    path.write_text(
        '```json title="a.txt"\none\n```\n\n```console\n$ cat a.txt\none\n$ false  # exit 1\n```\n\n'
        "```python\nprint(2)\n```\n\n```text\n2\n```\n",
        encoding="utf-8",
    )
    steps = read_page(path).steps
    assert [(step.kind, step.answer, step.status, step.line) for step in steps] == [
        ("file", None, 0, 1),
        ("command", ["one"], 0, 6),
        ("command", [], 1, 8),
        ("python", ["2"], 0, 11),
    ]


def _links(path: Path) -> list[str]:
    """The links of a page that stay in the repository."""
    prose = _CODE.sub("", path.read_text(encoding="utf-8"))
    return [link for link in _LINK.findall(prose) if "://" not in link and not link.startswith("mailto:")]


def _anchors(path: Path) -> set[str]:
    """The anchors of a page's headings, as Markdown makes them, and those that it sets itself."""
    text = path.read_text(encoding="utf-8")
    titles = re.findall(r"^#+ (.+)$", re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL), re.MULTILINE)
    made = {re.sub(r"[^\w\- ]", "", title.replace("`", "")).strip().lower().replace(" ", "-") for title in titles}
    return made | set(re.findall(r'<a id="([^"]+)">', text))
