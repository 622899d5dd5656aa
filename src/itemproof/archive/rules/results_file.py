"""The results file that shaped an import's records is kept with the run."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from itemproof.archive.rules.base import RunSeen
from itemproof.core.findings import Code, Finding

__all__ = ["results_file"]

NO_RESULTS_FILE: Final = Code("A044", "the results file of an imported file is no attachment of its run")


def results_file(seen: RunSeen) -> Iterator[Finding]:
    """Each results file that an entry names is among the run's attachments."""
    attached = {attachment.path for attachment in seen.manifest.attachments}
    for at, entry in enumerate(seen.manifest.imports):
        for number, file in enumerate(entry.files):
            if file.results_path is not None and file.results_path not in attached:
                text = (
                    f"{file.results_path!r} is no attachment of the run, so the records cannot be made again from it. "
                    "Bring back the manifest as itemproof wrote it, from a copy of the archive."
                )
                yield Finding(NO_RESULTS_FILE, text, seen.at(f"$.imports[{at}].files[{number}].results_path"))
