"""Reads the examples of the documentation, carries them out, and writes down what came of them.

What is carried out, in the order of the page and all in one fresh folder:

    ```console                a line that begins with `$ ` is typed (`> ` goes on with it); the lines below it are what
                              is answered. `# exit 3` behind it says with which code it ends; otherwise it ends well.
    ```json title="a.jsonl"   any fence with a title is a file that the reader saves under this name
    ```python                 is run; a `text` fence right behind it is what it prints

In the folder, `examples` is the repository's. Three things differ from reader to reader and are not compared: digests
and ids (64 or 32 hexadecimal digits), times (2026-11-30T14:00:00Z), and the folder, which the pages call /home/ada. A
line that is `…` alone stands for lines that the page leaves out.

`python tests/docs/pages.py [PAGE…]` writes the answers into the pages anew.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Literal

__all__ = ["REPOSITORY", "Page", "Step", "answers", "pages_with_examples", "read_page", "says"]

REPOSITORY: Final = Path(__file__).resolve().parents[2]

#: What the pages call the reader's folder.
HOME: Final = "/home/ada"
LEFT_OUT: Final = "…"

_FENCE: Final = re.compile(r"^```(\w*)(?: title=\"([^\"]+)\")?\s*$")
_EXIT: Final = re.compile(r"\s# exit (\d+)$")
_VOLATILE: Final = (
    (re.compile(r"\b[0-9a-f]{64}\b|\b[0-9a-f]{32}\b"), "<id>"),
    (re.compile(r"\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ"), "<time>"),
    (re.compile(r"\b\d{8}T\d{6}Z"), "<time>"),
)

Kind = Literal["command", "file", "python"]


@dataclass(slots=True, kw_only=True)
class Step:
    """Something that the reader does.

    Attributes:
        kind: What it is.
        text: The command, the content of the file, or the program.
        line: Where the step begins on the page, from 1.
        answer_at: The page's line before which its answer begins, and the one before which it ends, from 0.
        answer: What the page says is answered; None where it says nothing.
        name: Of a file.
        status: The exit code that is due.
    """

    kind: Kind
    text: str
    line: int
    answer_at: tuple[int, int] = (0, 0)
    answer: list[str] | None = None
    name: str = ""
    status: int = 0


@dataclass(slots=True, kw_only=True)
class Page:
    """A page of the documentation.

    Attributes:
        path: Where it lies.
        lines: Its text.
        steps: Its examples, in order.
    """

    path: Path
    lines: list[str]
    steps: list[Step] = field(default_factory=list)


def pages_with_examples() -> list[Path]:
    """The README and every page below docs that has an example."""
    every = [REPOSITORY / "README.md", *sorted((REPOSITORY / "docs").rglob("*.md"))]
    return [path for path in every if read_page(path).steps]


def read_page(path: Path) -> Page:
    """The page with its examples."""
    page = Page(path=path, lines=path.read_text(encoding="utf-8").split("\n"))
    for language, title, begin, end in _fences(page.lines):
        body = page.lines[begin:end]
        if title:
            page.steps.append(Step(kind="file", name=title, text="\n".join(body) + "\n", line=begin))
        elif language == "console":
            page.steps.extend(_commands(body, begin))
        elif language == "python":
            page.steps.append(Step(kind="python", text="\n".join(body), line=begin))
            _, at = page.steps[-1], end + 1
            if page.lines[at : at + 2] == ["", "```text"]:
                close = page.lines.index("```", at + 2)
                page.steps[-1].answer = page.lines[at + 2 : close]
                page.steps[-1].answer_at = (at + 2, close)
    return page


def _fences(lines: Sequence[str]) -> Iterator[tuple[str, str | None, int, int]]:
    """Language, title, first and last line (from 0, the last one left out) of every fence."""
    begin, opened = 0, None
    for at, line in enumerate(lines):
        match = _FENCE.match(line)
        if opened is None and match is not None:
            begin, opened = at + 1, match
        elif opened is not None and line.startswith("```"):
            yield opened[1], opened[2], begin, at
            opened = None


def _commands(body: Sequence[str], begin: int) -> Iterator[Step]:
    step: Step | None = None
    for at, line in enumerate([*body, "$ "]):
        if line.startswith("$ "):
            if step is not None:
                step.answer_at = (step.answer_at[0], begin + at)
                yield step
            end = _EXIT.search(line)
            status = int(end[1]) if end else 0
            text = line[2:]
            step = Step(kind="command", text=text, line=begin + at + 1, answer=[], status=status)
            step.answer_at = (begin + at + 1, 0)
        elif step is not None and line.startswith("> ") and not step.answer:
            step.text += f"\n{line[2:]}"
            step.answer_at = (begin + at + 1, 0)
        elif step is not None and step.answer is not None:
            step.answer.append(line)


def answers(page: Page, folder: Path) -> Iterator[tuple[Step, list[str], int]]:
    """Each step with what was answered, line by line, and its exit code; files are written and not given."""
    (folder / "examples").symlink_to(REPOSITORY / "examples")
    here = folder
    for step in page.steps:
        if step.kind == "file":
            (here / step.name).write_text(step.text, encoding="utf-8", newline="\n")
            continue
        done, here = _carry_out(step, here, folder)
        shown = done.stdout.replace(str(folder), HOME)
        yield step, [line.rstrip() for line in shown.splitlines()], done.returncode


def _carry_out(step: Step, here: Path, folder: Path) -> tuple[subprocess.CompletedProcess[str], Path]:
    """The finished process, and the folder that the reader is in afterwards."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("ITEMPROOF", "PYTHON"))}
    environment |= {"PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}", "HOME": str(folder)}
    environment |= {"NO_COLOR": "1", "LC_ALL": "C.UTF-8", "COLUMNS": "100", "PYTHONDONTWRITEBYTECODE": "1"}
    with tempfile.NamedTemporaryFile("r", encoding="utf-8") as place:
        command = [sys.executable, "-W", "error", "-c", step.text]
        if step.kind == "command":
            command = ["sh", "-c", f"{step.text}\nended=$?; pwd -P > {place.name}; exit $ended"]
        done = subprocess.run(
            command,
            cwd=here,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            stdin=subprocess.DEVNULL,
            encoding="utf-8",
            timeout=120,
            check=False,
        )
        moved = place.read().strip()
    return done, Path(moved) if moved else here


def says(page_lines: Sequence[str], answered: Sequence[str]) -> bool:
    """Whether an answer is what the page says, but for what differs from reader to reader and is left out."""
    due, found = [_steady(line) for line in page_lines], [_steady(line) for line in answered]
    pattern = "".join(r"(?:.*\n)*?" if line == LEFT_OUT else re.escape(f"{line}\n") for line in due)
    return re.fullmatch(pattern, "".join(f"{line}\n" for line in found)) is not None


def _steady(line: str) -> str:
    for pattern, name in _VOLATILE:
        line = pattern.sub(name, line)
    return line.rstrip()


def renew(path: Path) -> int:
    """The page says what is answered; returns how many answers were other ones."""
    page = read_page(path)
    changed = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve()
        for step, answered, status in answers(page, folder):
            if status != step.status:
                sys.stderr.write(f"{path}:{step.line}: exit {status}\n")
            if step.answer is not None and not says(step.answer, answered):
                changed.append((step.answer_at, answered))
        subprocess.run(["chmod", "-R", "u+w", str(folder)], check=True)
    for (begin, end), answered in reversed(changed):
        page.lines[begin:end] = answered
    path.write_text("\n".join(page.lines), encoding="utf-8", newline="\n")
    return len(changed)


if __name__ == "__main__":
    for each in [Path(name).resolve() for name in sys.argv[1:]] or pages_with_examples():
        sys.stderr.write(f"{each}: {renew(each)} answers renewed\n")
