"""Options and arguments that several commands share, and what their texts mean."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Sequence
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from itemproof.core.errors import InvalidInput, invalid
from itemproof.core.findings import Code
from itemproof.files.jsonl import MAX_LINE_BYTES

if TYPE_CHECKING:
    from itemproof.archive.archive import Archive

__all__ = [
    "archive_folder",
    "archive_of",
    "command",
    "lock_timeout",
    "max_line_bytes",
    "metadata_from",
    "metadata_options",
    "records_bytes",
    "root_of",
    "run_argument",
    "text_of",
    "warn_of_keys",
]

#: How much of an attachment is looked through for keys.
_LOOKED_AT_BYTES: Final = 4 << 20
BAD_META: Final = Code("U001", "run metadata is not written as K=V or as a JSON object")


def _keep_root(ctx: click.Context, _: click.Parameter, value: Path | None) -> Path | None:
    return value if value is not None else ctx.find_root().obj


def command(name: str, **settings: Any) -> Callable[[Callable[..., Any]], click.Command]:
    """A command with `--root` and `--json`, which every command has."""
    root = click.option(
        "--root",
        type=click.Path(path_type=Path),
        callback=_keep_root,
        help="The archive; else found upward from here, or ITEMPROOF_ROOT.",
    )
    as_json = click.option("--json", "as_json", is_flag=True, help="Print one JSON document on standard output.")

    def decorate(function: Callable[..., Any]) -> click.Command:
        @wraps(function)
        def called(**given: Any) -> Any:
            return function(**{name: _as_utf8(name, value) for name, value in given.items()})

        return click.command(name, cls=click.Command, **settings)(root(as_json(called)))

    return decorate


def _as_utf8(name: str, value: Any) -> Any:
    """The texts of an option as UTF-8, whatever the locale made of their bytes; paths stay as the system has them."""
    if isinstance(value, tuple):
        return tuple(_as_utf8(name, one) for one in value)
    if not isinstance(value, str) or value.isascii():
        return value
    try:
        return os.fsencode(value).decode("utf-8")
    except UnicodeDecodeError:
        raise click.UsageError(f"the value of {name} is no UTF-8.") from None


def _finite(_: click.Context, param: click.Parameter, value: float) -> float:
    if not math.isfinite(value):
        raise click.BadParameter("a number of seconds is due.", param=param)
    return value


run_argument = click.argument("run")
lock_timeout = click.option(
    "--lock-timeout",
    "lock_timeout_s",
    type=click.FloatRange(min=0, max=1e9),
    callback=_finite,
    default=10.0,
    show_default=True,
    help="Seconds to wait for another writer.",
)


max_line_bytes = click.option(
    "--max-line-bytes",
    type=click.IntRange(min=1),
    default=MAX_LINE_BYTES,
    show_default=True,
    help="Refuse longer lines.",
)


def metadata_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """`--meta` and `--metadata`."""
    pairs = click.option(
        "--meta", "meta", multiple=True, metavar="K=V", help="Run metadata, as often as needed; V is JSON if it can be."
    )
    file = click.option(
        "--metadata",
        "metadata_file",
        type=click.Path(exists=True, dir_okay=False, path_type=Path),
        help="A JSON file with run metadata.",
    )
    return pairs(file(function))


def records_bytes(archive: Archive, run_id: str) -> int:
    """How much there is to read in the records of a run."""
    return sum(file.records_bytes for file in archive.run(run_id).manifest.files)


def root_of(given: Path | None) -> Path | None:
    """The archive's folder as `--root` or ITEMPROOF_ROOT give it; None means to look upward from here."""
    if given is not None:
        return given
    named = os.environ.get("ITEMPROOF_ROOT")
    return Path(named) if named else None


def metadata_from(pairs: Sequence[str], file: Path | None) -> dict[str, Any]:
    """The metadata of a file, and over it that of the pairs.

    Raises:
        InvalidInput: A pair has no key or one that another has, or the file is no JSON object (U001).
    """
    from itemproof.core.where import Where
    from itemproof.files.atomic import disk_faults
    from itemproof.files.strict_json import loads

    metadata: dict[str, Any] = {}
    if file is not None:
        with disk_faults(file):
            found = loads(file.read_bytes(), Where(file=str(file)))
        if not isinstance(found, dict):
            raise invalid(BAD_META, f"--metadata {file} holds no JSON object.")
        metadata.update(found)
    given: set[str] = set()
    for pair in pairs:
        key, equals, text = pair.partition("=")
        if not equals or not key:
            raise invalid(BAD_META, f"--meta {pair!r} is not written as K=V.")
        if key in given:
            raise invalid(BAD_META, f"--meta gives {key!r} twice; give it once.")
        given.add(key)
        try:
            metadata[key] = loads(text.encode())
        except InvalidInput:
            metadata[key] = text
    return metadata


def archive_of(root: Path | None) -> Archive:
    """The archive that `--root` or ITEMPROOF_ROOT names, else the nearest one upward from here.

    Raises:
        InvalidInput: There is none (W007).
    """
    from itemproof.archive.archive import Archive

    named = root_of(root)
    return Archive.open(named) if named is not None else Archive.find(Path())


def archive_folder(root: Path | None) -> Path:
    """The folder of the archive, whatever state it is in: as named, else the nearest one upward, else this one."""
    named = root_of(root)
    if named is not None:
        return named.absolute()
    from itemproof.files.atomic import disk_faults

    with disk_faults(Path()):
        here = Path().absolute()
        return next((folder for folder in (here, *here.parents) if (folder / "archive.json").exists()), here)


def text_of(path: Path) -> str:
    """The beginning of a file as text, whatever it holds; enough to see a key in a configuration or a server's log.

    A pipe or device is not opened, and has none.
    """
    from itemproof.files.atomic import disk_faults

    with disk_faults(path):
        if not path.is_file():
            return ""
        with path.open("rb") as file:
            return file.read(_LOOKED_AT_BYTES).decode("utf-8", "replace")


def warn_of_keys(value: Any, what: str) -> None:
    """Says on standard error which texts look like keys, before they become immutable."""
    from itemproof.cli.output import note
    from itemproof.core.key_like import key_like_paths

    for path in key_like_paths(value):
        note(f"warning: {what} {path} looks like a key or token. Once the run is sealed it cannot be removed.")
