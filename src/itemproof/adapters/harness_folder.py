"""Finds the evaluations in folders of logs: each task's sample file, with the results file of the same evaluation.

    out/meta-llama__Llama-3.1-8B/
      results_2024-10-30T14-52-16.573379.json               what was run, and the harness's own table
      samples_<task>_2024-10-30T14-52-16.573379.jsonl       one line a document and filter; the stamp joins the two
    out/
      results.json                                          0.4.0 to 0.4.2
      pretrained__acme__tiny_<task>.jsonl                   the same, where somebody made lines of the array

A file counts as a log for what it holds, not for its name alone.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from itemproof.adapters.harness_names import LOG_SUFFIXES, FileName, file_name
from itemproof.adapters.harness_results import is_results, model_of, tasks_of
from itemproof.core.errors import InvalidInput
from itemproof.core.findings import Code, Finding, Findings
from itemproof.core.where import Where
from itemproof.files.atomic import disk_faults
from itemproof.files.compression import text_blocks
from itemproof.files.paths import utf8_text
from itemproof.files.walk import walk

__all__ = ["Discovery", "Evaluation", "discover", "passed_over", "read_results"]

ARRAY: Final = Code("H024", "a log is one JSON array")
WRITE_OUT: Final = Code("H025", "a log is of lm-evaluation-harness 0.3")
NO_SUCH_PATH: Final = Code("H026", "a path leads nowhere")

#: How many bytes of a file are looked at to tell what it is.
_HEAD_BYTES: Final = 1 << 20
#: A results file is a few hundred kilobytes; a larger JSON file is taken for none.
_RESULTS_BYTES: Final = 64 << 20

#: A byte-order mark and blanks, which may stand before the first value.
_BLANK: Final = b"\xef\xbb\xbf \t\r\n"


@dataclass(frozen=True, slots=True, kw_only=True)
class Evaluation:
    """One evaluation of one task.

    Attributes:
        task: As the sample file's name, else the results file says; None where neither does.
        timestamp: Of the file names: local time without a zone; None where they have none.
        samples: The log.
        results: The results file of the same evaluation, or None.
        results_data: Its parsed content; a number that is not finite is null.
        model: The model that the results file names, or None.
        repeat_id: Set where several evaluations are kept as repeats.
    """

    task: str | None
    timestamp: str | None
    samples: Path
    results: Path | None = None
    results_data: dict[str, Any] | None = None
    model: str | None = None
    repeat_id: int | None = None


@dataclass(slots=True, kw_only=True)
class Discovery:
    """What was found below some paths.

    Attributes:
        evaluations: In the order of the paths, and below a folder in the order of its files.
        refused: Logs of a form that is not read, each with the way out.
        left_out: Files, links and devices in folders that are no logs of this format.
        notices: What to say about files that could be read in part only.
        results: Results files that were given by themselves; each is read with the samples beside it.
    """

    evaluations: list[Evaluation] = field(default_factory=list)
    refused: Findings = field(default_factory=Findings)
    left_out: list[Path] = field(default_factory=list)
    notices: list[str] = field(default_factory=list)
    results: list[Path] = field(default_factory=list)


def discover(paths: Iterable[Path]) -> Discovery:
    """The evaluations of the files given and of all files below the folders given; links in folders are not followed.

    A file given by itself is an evaluation whatever its lines hold; a file in a folder only if its first line is a
    harness line.

    Raises:
        InvalidInput: A path leads nowhere (H026).
        Unavailable: A folder or file cannot be read (D002 to D004).
    """
    found = Discovery()
    finder = _Finder(found)
    missing = Findings()
    for path in paths:
        with disk_faults(path):
            is_folder, is_file, exists = path.is_dir(), path.is_file(), path.exists()
        if is_folder:
            for entry in walk(path):
                if entry.kind == "file":
                    finder.look_at(entry.path)
                else:
                    found.left_out.append(entry.path)
        elif is_file:
            finder.take(path)
        else:
            found_text = "this is neither a file nor a folder." if exists else "there is no such file or folder."
            missing.add(Finding(NO_SUCH_PATH, found_text, Where(file=str(path))))
    if missing:
        raise InvalidInput(missing, "Nothing was imported.")
    return found


class _Finder:
    """Sorts files into a discovery; reads each results file once."""

    def __init__(self, found: Discovery) -> None:
        self._found = found
        self._parsed: dict[Path, dict[str, Any] | None] = {}
        self._beside: dict[Path, list[Path]] = {}
        self._seen: set[Path] = set()

    def look_at(self, path: Path) -> None:
        """Takes a file of a folder if it is a log; a results file is read with its samples."""
        if self._is_seen(path):
            return
        name = file_name(path.name)
        head = self._head(path) if name.is_samples or path.name.endswith(LOG_SUFFIXES) else b""
        if head is None or self._refuse(path, head, name):
            return
        if name.is_samples or _is_log(head):
            self._found.evaluations.append(self._evaluation(path, name))
        elif path.suffix != ".json" or self._results(path) is None:
            self._found.left_out.append(path)

    def take(self, path: Path) -> None:
        """Takes a file that was given by itself, unless it is a results file."""
        if self._is_seen(path):
            return
        if path.suffix == ".json" and self._results(path) is not None:
            self._found.results.append(path)
            return
        name, head = file_name(path.name), self._head(path)
        if head is not None and not self._refuse(path, head, name):
            self._found.evaluations.append(self._evaluation(path, name))

    def _head(self, path: Path) -> bytes | None:
        """The first bytes of the file's text, a line at least; None for a damaged file, whose finding is kept."""
        head = b""
        try:
            for block in text_blocks(path):
                head += block
                if len(head) >= _HEAD_BYTES or b"\n" in head.lstrip(_BLANK):
                    break
        except InvalidInput as damaged:
            self._found.refused.extend(damaged.findings)
            return None
        return head

    def _is_seen(self, path: Path) -> bool:
        """Whether the file was looked at before, under this or another spelling of its path."""
        resolved = path.resolve()
        seen = resolved in self._seen
        self._seen.add(resolved)
        return seen

    def _refuse(self, path: Path, head: bytes, name: FileName) -> bool:
        """Whether the file is a log in a form that is not read; then its finding is kept."""
        if path.name.endswith("_write_out_info.json"):
            text = (
                "this is what lm-eval 0.3 wrote with --write_out: it has no documents and no lines."
                " Evaluate again with lm-eval 0.4.3 or newer and --log_samples, or write canonical lines."
            )
            self._found.refused.add(Finding(WRITE_OUT, text, Where(file=str(path))))
            return True
        is_log = name.is_samples or b'"doc_id"' in head
        if is_log and head.lstrip(_BLANK)[:1] == b"[":
            text = (
                "this is one JSON array, as lm-eval 0.4.0 to 0.4.2 wrote its samples; one object a line is due."
                f" Make lines of it under the same name in another folder, with the results file beside it:"
                f" itemproof convert {path} -o LINES/{path.name}"
            )
            self._found.refused.add(Finding(ARRAY, text, Where(file=str(path))))
            return True
        return False

    def _evaluation(self, path: Path, name: FileName) -> Evaluation:
        results = self._results_for(path, name)
        data = None if results is None else self._parsed[results]
        return Evaluation(
            task=name.task or _task_in(utf8_text(path.name), data),
            timestamp=name.stamp,
            samples=path,
            results=results,
            results_data=data,
            model=model_of(data),
        )

    def _results_for(self, path: Path, name: FileName) -> Path | None:
        """The results file of the same evaluation: the one with the same time stamp, if there is only one."""
        folder = path.parent
        if folder not in self._beside:
            with disk_faults(folder):
                self._beside[folder] = sorted(folder.glob("*.json"))
        candidates = [
            beside
            for beside in self._beside[folder]
            if beside != path and file_name(beside.name).stamp == name.stamp and self._results(beside) is not None
        ]
        naming = [beside for beside in candidates if (name.task or "") in tasks_of(self._parsed[beside])]
        fitting = naming or ([] if name.stamp is None and name.task is not None else candidates)
        return fitting[0] if len(fitting) == 1 else None

    def _results(self, path: Path) -> dict[str, Any] | None:
        """The parsed results file, or None if the file is none."""
        if path not in self._parsed:
            self._parsed[path] = data = read_results(path)
            if data is None and path.name.startswith("results"):
                shown = utf8_text(str(path))
                self._found.notices.append(f"{shown}: no results file that can be read; its facts are left out.")
        return self._parsed[path]


def passed_over(evaluation: Evaluation) -> list[str]:
    """Each results file beside the log of an evaluation without a model, and why it does not name the model.

    Raises:
        Unavailable: The disk did not give one.
    """
    folder, stamp = evaluation.samples.parent, evaluation.timestamp
    with disk_faults(folder):
        beside = sorted(folder.glob("*.json"))
    said = []
    for path in beside:
        data = None if path == evaluation.samples else read_results(path)
        if data is None:
            continue
        theirs = file_name(path.name).stamp
        if path == evaluation.results:
            why = "names no model"
        elif theirs != stamp:
            why = f"has {_stamped(theirs)}, the log has {_stamped(stamp)}"
        elif (evaluation.task or "") not in tasks_of(data):
            why = f"names no task {evaluation.task!r}" if evaluation.task is not None else "names no task of the log"
        else:
            why = "is one of several that fit"
        said.append(f"{path.name} {why}")
    return said


def _stamped(stamp: str | None) -> str:
    return "no time stamp" if stamp is None else f"the time stamp {stamp}"


def read_results(path: Path) -> dict[str, Any] | None:
    """The parsed results file, a number that is not finite read as null; None if the file is none or cannot be kept.

    Raises:
        Unavailable: The disk did not give it.
    """
    with disk_faults(path):
        if not path.is_file() or path.stat().st_size > _RESULTS_BYTES:
            return None
        with path.open("rb") as stream:
            content = stream.read(_HEAD_BYTES)
            if b'"results"' not in content:
                return None
            content += stream.read()
    try:
        data = json.loads(content.decode("utf-8-sig"), parse_constant=lambda _: None)
        json.dumps(data, ensure_ascii=False, allow_nan=False).encode("utf-8")  # half a surrogate pair, or 1e999
    except (ValueError, RecursionError):
        return None
    return data if is_results(data) else None


def _is_log(head: bytes) -> bool:
    """Whether the first line may be a harness line; a line that is longer than the head is judged by its beginning."""
    first, end, _ = head.lstrip(_BLANK).partition(b"\n")
    return first[:1] == b"{" and b'"doc"' in first and (b'resps"' in first or not end)


def _task_in(name: str, results: Any) -> str | None:
    """The longest task of the results file with which the file's name ends, as 0.4.0 to 0.4.2 named samples."""
    stem = name.partition(".jsonl")[0]
    fitting = [task for task in tasks_of(results) if stem == task or stem.endswith(f"_{task}")]
    return max(fitting, key=len, default=None)
