"""Every file under a folder, in one order whatever the disk; links are reported and never followed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias

from itemproof.files.atomic import disk_faults
from itemproof.files.paths import is_link, utf8_text

__all__ = ["Entry", "Kind", "walk"]

#: `link` is a symbolic link or junction, to whatever; `other` is a socket, pipe or device.
Kind: TypeAlias = Literal["file", "link", "other"]


@dataclass(frozen=True, slots=True)
class Entry:
    """Something under the folder that is no folder.

    Attributes:
        path: The path to open.
        relative: The path below the folder, with `/`, in text that UTF-8 can hold.
        kind: What it is.
    """

    path: Path
    relative: str
    kind: Kind


def walk(folder: Path) -> Iterator[Entry]:
    """Every entry under the folder, ordered by the code points of its path's parts; none if there is no folder.

    Raises:
        Unavailable: A folder cannot be read (D003, D004).
    """
    with disk_faults(folder):
        is_folder = folder.is_dir()
    if not is_folder:
        return
    pending: list[tuple[str, Path]] = [("", folder)]
    while pending:
        relative, path = pending.pop()
        kind = _kind(path) if relative else None
        if kind is None:
            prefix = f"{relative}/" if relative else ""
            pending.extend((prefix + utf8_text(name), path / name) for name in _names(path))
        else:
            yield Entry(path, relative, kind)


def _names(folder: Path) -> list[str]:
    """The names in the folder, the last one first: the stack gives them back in order."""
    with disk_faults(folder):
        return sorted((path.name for path in folder.iterdir()), reverse=True)


def _kind(path: Path) -> Kind | None:
    """What the path is, or None for a folder."""
    with disk_faults(path):
        if is_link(path):
            return "link"
        if path.is_dir():
            return None
        return "file" if path.is_file() else "other"
