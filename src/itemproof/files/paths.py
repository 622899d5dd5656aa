r"""Safe names: what a file is stored as, what an id may be, and which stored paths are followed.

Names that come from users are data: they are kept in manifests in full and never become a path. What becomes a path is
made of `[A-Za-z0-9._-]` only, which every file system and the Hub can hold and which no Unicode normalisation changes.

A name on disk may hold bytes that are no UTF-8; Python shows each as a lone surrogate, which JSON in UTF-8 cannot hold.
Such a byte is written as its escape (`\udcff`), so that the name stays readable and no writer stumbles over it.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from itemproof.core.errors import invalid, refused
from itemproof.core.findings import Code
from itemproof.core.where import Where

__all__ = ["check_id", "check_stored_path", "is_link", "locate", "number_of", "stored_name", "utf8_text"]

BAD_ID: Final = Code("D011", "an id cannot be the name of a folder")
CASE_CLASH: Final = Code("D012", "two ids differ by case alone")
UNSAFE_PATH: Final = Code("D013", "a stored path leaves its place")
LINK: Final = Code("D014", "a link stands where the archive keeps its own bytes")

_UNSAFE = re.compile(r"[^A-Za-z0-9._-]")
_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,127}")
_PART = re.compile(r"[A-Za-z0-9._-]+")
_NUMBER = re.compile(r"(\d{4,})[-.]")
_NAME_LENGTH = 80
_DEVICES = frozenset({"CON", "PRN", "AUX", "NUL", *(f"{port}{n}" for port in ("COM", "LPT") for n in range(10))})


def utf8_text(text: str) -> str:
    """The text as UTF-8 and JSON can hold it: a name whose bytes are UTF-8 as that, else lone surrogates as escapes.

    In a locale that is not UTF-8 the system hands names over as lone surrogates, one for each byte.
    """
    return _as_utf8(text).encode("utf-8", "backslashreplace").decode("utf-8")


def _as_utf8(text: str) -> str:
    """The name that the system's bytes spell in UTF-8; the text itself where they spell none."""
    try:
        return text.encode("utf-8", "surrogateescape").decode("utf-8")
    except UnicodeError:
        return text


def stored_name(number: int, given: str) -> str:
    """`NNNN-<name>`: the number in its folder, and as much of the given basename as is safe, at most 80 characters.

    A dot at the end becomes `_` too, because Windows would drop it.
    """
    name = _UNSAFE.sub("_", _as_utf8(given).rpartition("/")[2])[:_NAME_LENGTH] or "_"
    stem = name.rstrip(".")
    return f"{number:04d}-{stem}{'_' * (len(name) - len(stem))}"


def number_of(name: str) -> int:
    """The number that a stored name begins with, or 0 where it has none."""
    match = _NUMBER.match(name)
    return int(match[1]) if match else 0


def check_id(given: str, what: str, *, taken: Iterable[str] = ()) -> None:
    """The id can name a folder on every system, and no other id differs from it by case alone.

    Args:
        given: The id.
        what: What it names, such as `run`, for the message.
        taken: The ids that exist; the same id among them is no fault here.

    Raises:
        InvalidInput: The id does not fit the pattern, ends in a dot or is a Windows device (D011).
        Refused: An existing id differs by case alone (D012).
    """
    shown = utf8_text(given)
    if not _ID.fullmatch(given):
        raise invalid(
            BAD_ID,
            f"{shown!r} is no {what} id. It begins with a letter or a digit and has up to 128 letters, digits, dots, "
            "underscores and hyphens, all ASCII.",
        )
    if given.endswith("."):
        raise invalid(BAD_ID, f"The {what} id {shown!r} ends in a dot, which Windows drops. Choose another end.")
    if given.partition(".")[0].upper() in _DEVICES:
        raise invalid(BAD_ID, f"The {what} id {shown!r} is the name of a device on Windows. Put a word before it.")
    for other in taken:
        if other != given and other.lower() == given.lower():
            raise refused(
                CASE_CLASH,
                f"The {what} {other!r} exists and differs from {shown!r} by case alone, which many disks cannot tell "
                f"apart. Use {other!r}, or another id.",
            )


def check_stored_path(text: str, where: Where | None = None) -> tuple[str, ...]:
    """The parts of a path that a manifest holds: relative, with `/`, of safe names only.

    Raises:
        InvalidInput: It is absolute or has a drive, a backslash, `..`, an empty part or another character that no
            stored name has (D013).
    """
    parts = tuple(text.split("/"))
    if all(_PART.fullmatch(part) and part not in {".", ".."} for part in parts):
        return parts
    raise invalid(
        UNSAFE_PATH,
        f"The stored path {utf8_text(text)!r} is not a plain relative path of letters, digits, dots, underscores and "
        "hyphens with `/` between; it is not followed.",
        where,
    )


def locate(root: Path, text: str) -> Path:
    """The file that a stored path names below a root, reached through no link; it need not exist.

    Raises:
        InvalidInput: The path is unsafe (D013), or a part of it is a link (D014).
    """
    path = root
    for part in check_stored_path(text):
        path /= part
        if is_link(path):
            raise invalid(
                LINK,
                f"{path.relative_to(root).as_posix()} is a link; the archive keeps bytes, not pointers to them. "
                "Put the file or folder itself there.",
                Where(file=text),
            )
    return path


def is_link(path: Path) -> bool:
    """Whether the path is a symbolic link, or on Windows a junction.

    What cannot be looked at is none: nothing can be reached through it, and whoever opens it is told why.
    """
    try:
        return path.is_symlink() or bool(getattr(os.path, "isjunction", lambda _: False)(path))
    except OSError:
        return False
