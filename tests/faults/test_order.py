"""What a power cut may find: the order in which an import writes, syncs and renames, read from a trace of it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import pytest

from faults.harness import an_archive, driven, needs_strace, run_traced, state_of

pytestmark = [pytest.mark.faults, needs_strace]

_CALLS = "write,copy_file_range,fsync,rename,link,unlink,mkdir"
_LINE = re.compile(r"^\d+ +(?P<call>\w+)\((?P<arguments>.*)\) += (?P<result>\S+)")
_NAMED = re.compile(r'"([^"]*)"|\d+<([^>]*)>')


@dataclass(frozen=True)
class Event:
    """One call that succeeded, with the paths it names, relative to the archive."""

    call: str
    paths: tuple[str, ...]


def events_of(program: str, folder: Path, *names: str) -> list[Event]:
    root, inputs = folder / "ark", folder / "inputs"
    an_archive(root, inputs)
    before = state_of(root)
    ended = run_traced(driven(program, *names)(root, inputs), folder / "log", "-y", "-e", f"trace={_CALLS}", "-s", "0")
    assert ended.code == 0, ended.errors
    assert state_of(root) != before
    return list(filter(None, (event_of(line, root) for line in joined(ended.trace))))


def joined(lines: list[str]) -> list[str]:
    """The trace with calls that another thread interrupted put together, where they ended."""
    begun: dict[str, str] = {}
    whole = []
    for line in lines:
        process, _, rest = line.partition(" ")
        if line.endswith("<unfinished ...>"):
            begun[process] = line.removesuffix("<unfinished ...>")
        elif "resumed>" in rest and process in begun:
            whole.append(begun.pop(process) + rest.partition("resumed>")[2])
        else:
            whole.append(line)
    return whole


def event_of(line: str, root: Path) -> Event | None:
    match = _LINE.match(line)
    if not match or match["result"] == "-1":
        return None
    named = [quoted or opened for quoted, opened in _NAMED.findall(match["arguments"])]
    inside = [path.removeprefix(f"{root}/") for path in named if path.startswith(f"{root}/")]
    return Event(match["call"], tuple(inside)) if inside else None


def index(events: list[Event], call: str, *paths: str, after: int = 0) -> int:
    """Where the call with exactly these paths stands."""
    return events.index(Event(call, paths), after)


FILES = {
    "raw/0002-a.jsonl": "raw",
    "raw/0003-b.jsonl": "raw",
    "records/0002.jsonl": "records",
    "records/0003.jsonl": "records",
    "attachments/0002-note.txt": "attachments",
}


@pytest.fixture(scope="module")
def events(tmp_path_factory: pytest.TempPathFactory) -> list[Event]:
    return events_of("import", tmp_path_factory.mktemp("order"))


def manifest_at(events: list[Event]) -> int:
    return index(events, "rename", ".itemproof/staging/0001/manifest.json", "runs/old/manifest.json")


@pytest.mark.parametrize("file", FILES)
def test_a_file_is_synced_after_its_last_byte_and_before_its_move(events: list[Event], file: str) -> None:
    staged = f".itemproof/staging/0001/{file}"
    written = max(i for i, event in enumerate(events) if event == Event("write", (staged,)))
    synced = index(events, "fsync", staged)
    moved = index(events, "link", staged, f"runs/old/{file}")
    assert written < synced < moved


@pytest.mark.parametrize("file", FILES)
def test_a_files_folder_is_synced_after_the_move_and_before_the_commit(events: list[Event], file: str) -> None:
    moved = index(events, "link", f".itemproof/staging/0001/{file}", f"runs/old/{file}")
    assert index(events, "fsync", f"runs/old/{FILES[file]}", after=moved) < manifest_at(events)


def test_the_journal_names_the_files_on_the_disk_before_the_first_move(events: list[Event]) -> None:
    first_move = min(i for i, event in enumerate(events) if event.call == "link")
    journal = [i for i, event in enumerate(events) if event.call == "rename" and event.paths[1].endswith("0001.json")]
    first_staged = min(i for i, event in enumerate(events) if event.paths[0].startswith(".itemproof/staging"))
    assert len(journal) == 2
    assert journal[0] < first_staged
    written, renamed = journal[1] - 1, journal[1]
    assert events[written] == Event("fsync", (events[renamed].paths[0],))
    assert index(events, "fsync", ".itemproof/journal", after=renamed) < first_move


def test_the_manifest_is_synced_then_moved_last_then_its_folder_is_synced(events: list[Event]) -> None:
    commit = manifest_at(events)
    assert index(events, "fsync", ".itemproof/staging/0001/manifest.json") < commit
    assert max(i for i, event in enumerate(events) if event.call == "link") < commit
    assert index(events, "fsync", "runs/old", after=commit) == commit + 1


def test_the_journal_is_cleared_only_after_the_commit_is_on_the_disk(events: list[Event]) -> None:
    committed = index(events, "fsync", "runs/old", after=manifest_at(events))
    assert index(events, "unlink", ".itemproof/journal/0001.json") > committed


def test_every_new_folder_of_a_run_is_remembered_before_the_commit(tmp_path: Path) -> None:
    events = events_of("import-new", tmp_path)
    commit = index(events, "rename", ".itemproof/staging/0001/manifest.json", "runs/new/manifest.json")
    for folder, above in [("new", ""), ("new/raw", "/new"), ("new/records", "/new"), ("new/attachments", "/new")]:
        made = index(events, "mkdir", f"runs/{folder}")
        assert index(events, "fsync", f"runs{above}", after=made) < commit


def test_an_attachment_is_synced_before_it_is_moved(tmp_path: Path) -> None:
    events = events_of("attach", tmp_path, "log.txt")
    name = "attachments/0002-log.txt"
    staged = f".itemproof/staging/0001/{name}"
    copied = Event("copy_file_range", (staged,))
    written = max(i for i, event in enumerate(events) if event in (Event("write", (staged,)), copied))
    assert written < index(events, "fsync", staged, after=written)
    assert index(events, "fsync", staged, after=written) < index(events, "link", staged, f"runs/old/{name}")


def test_a_discarded_run_is_remembered_by_both_folders(tmp_path: Path) -> None:
    events = events_of("discard", tmp_path)
    moved = index(events, "rename", "runs/old", ".itemproof/discarded/old-20261130T133332Z")
    assert index(events, "fsync", ".itemproof/discarded", after=moved) > moved
    assert index(events, "fsync", "runs", after=moved) > moved
