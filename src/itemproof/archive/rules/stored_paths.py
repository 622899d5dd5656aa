"""What a manifest registers lies in the folders of its own run."""

from __future__ import annotations

from collections.abc import Iterator

from itemproof.archive.rules.base import RunSeen
from itemproof.core.errors import ItemproofError
from itemproof.core.findings import Finding
from itemproof.files.paths import check_stored_path
from itemproof.records.manifest import OTHER_FOLDER

__all__ = ["safe_paths", "stored_paths"]

_FOLDERS = {"raw_path": "raw", "records_path": "records", "path": "attachments"}


def stored_paths(seen: RunSeen) -> Iterator[Finding]:
    """Each path is safe (D013) and in the folder of its kind (A013); of another run's manifest only that is said."""
    for path, place in (seen.manifest.paths if seen.is_at_home else {}).items():
        try:
            *folder, _ = check_stored_path(path, seen.at(place))
        except ItemproofError as error:
            yield from error.findings
            continue
        due = ["runs", seen.folder, _FOLDERS[place.rpartition(".")[2]]]
        if folder != due:
            text = f"{path!r} is not a file in {'/'.join(due)}/, where it would have been stored; it is not read."
            yield Finding(OTHER_FOLDER, text, seen.at(place))


def safe_paths(seen: RunSeen) -> set[str]:
    """The registered paths that may be followed."""
    doubtful = {finding.where.path for finding in stored_paths(seen)}
    return {path for path, place in seen.manifest.paths.items() if place not in doubtful}
