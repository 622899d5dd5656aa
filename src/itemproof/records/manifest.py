"""The manifest of a run: what belongs to it, byte for byte. Replacing it is the commit of every write.

A manifest is a closed shape: a key that is not named here was written by a later version, and is refused rather than
lost when the manifest is written again.
"""

from __future__ import annotations

import json
from typing import Any, Literal, NamedTuple, TypeAlias, TypeVar

import msgspec

from itemproof.core.digest import sha256_of_value
from itemproof.core.errors import InvalidInput, ItemproofError, invalid
from itemproof.core.findings import Code, Finding, Findings
from itemproof.core.where import Where
from itemproof.files import strict_json
from itemproof.files.paths import check_stored_path
from itemproof.records import versions

__all__ = [
    "Attachment",
    "FileEntry",
    "ImportEntry",
    "Marker",
    "Registered",
    "RunManifest",
    "RunStatus",
    "decode_closed",
    "decode_manifest",
    "encode",
    "sealed_digest",
]

UNREADABLE = Code("A010", "a manifest or marker is not what itemproof writes")
LATER_VERSION = Code("A011", "a manifest or marker was written by a later version")
OTHER_RUN = Code("A012", "a manifest belongs to another run")
OTHER_FOLDER = Code("A013", "a manifest names a file outside its run")

Closed = TypeVar("Closed", bound=msgspec.Struct)

RunStatus: TypeAlias = Literal["open", "sealed"]


class Marker(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`archive.json`: what makes a folder an archive.

    Attributes:
        schema_version: 1.
        archive_id: Made at random when the archive was created.
        created_at: UTC, with `Z`.
        tool_version: The version of itemproof that created it.
    """

    schema_version: Literal[1]
    archive_id: str
    created_at: str
    tool_version: str


class FileEntry(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One imported file and the records made of it.

    Attributes:
        name: The file's name as it was given, in full.
        raw_path: The stored bytes, relative to the archive.
        raw_bytes: Their size; for a compressed file the compressed size.
        raw_sha256: Their digest.
        records_path: The normalised records, relative to the archive.
        records_bytes: Their size.
        records_sha256: Their digest.
        longest_record_bytes: The longest record line, for readers that must reserve room.
        lines: All lines of the (decompressed) text, blank ones included.
        records: The number of records.
        scopes: Records by identity scope: `stable`, `run-local`, and of the latter `ambiguous`.
        warnings: Records' warnings by code.
        metrics_used: The metric that set `correct`, by benchmark and filter.
        task: The task that the file's name or its results file gives, or null.
        options: What the user said about its lines, by name, asserted name patterns and repeats included.
        results_path: The attachment with its results file, or null.
    """

    name: str
    raw_path: str
    raw_bytes: int
    raw_sha256: str
    records_path: str
    records_bytes: int
    records_sha256: str
    longest_record_bytes: int
    lines: int
    records: int
    scopes: dict[str, int]
    warnings: dict[str, int]
    metrics_used: dict[str, dict[str, list[str]]]
    task: str | None = None
    options: dict[str, Any] = {}
    results_path: str | None = None


class ImportEntry(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One import: all of its files or none.

    Attributes:
        id: `import-0001` and so on, in the order of the imports.
        timestamp: UTC, with `Z`.
        format: The adapter's name.
        normaliser_version: The adapter's version.
        variant: The variant that overrode the lines' own, or null.
        id_selection: The values of `--id-field` as given; empty for the contract's look-up.
        options: Every other option that shaped the records, by name, and the defaults that were applied.
        facts: What the results file beside the samples says, by task; empty where there is none.
        reproduced: How much of the harness's own table the imported lines give, or null.
        notices: What the import had to say about the whole, in words.
        files: In the order of the import.
        metadata: The run's metadata as the import found it, by which its records were made.
    """

    id: str
    timestamp: str
    format: str
    normaliser_version: int
    variant: str | None
    id_selection: list[str]
    options: dict[str, Any]
    facts: dict[str, Any]
    reproduced: dict[str, Any] | None
    notices: list[str]
    files: list[FileEntry]
    metadata: dict[str, Any] = {}


class Attachment(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A file that travels with the run and is not read.

    Attributes:
        name: The file's name as it was given, in full.
        path: The stored bytes, relative to the archive.
        bytes: Their size.
        sha256: Their digest.
    """

    name: str
    path: str
    bytes: int
    sha256: str


class Registered(NamedTuple):
    """A path relative to the archive, and the size and digest of the bytes that must be there."""

    path: str
    size_bytes: int
    sha256: str


class RunManifest(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """What a run holds.

    Attributes:
        schema_version: 1.
        run_id: The folder's name.
        status: `open`, or `sealed` for ever.
        model: The evaluated model.
        created_at: UTC, with `Z`.
        tool_version: The version of itemproof that created the run.
        metadata: The run's metadata; keys with a meaning are listed in the reference.
        imports: In the order of the imports.
        attachments: In the order in which they were attached.
        sealed_at: UTC, with `Z`; absent while open.
        digest: SHA-256 of the canonical JSON without this key; absent while open.
    """

    schema_version: Literal[1]
    run_id: str
    status: RunStatus
    model: str
    created_at: str
    tool_version: str
    metadata: dict[str, Any]
    imports: list[ImportEntry]
    attachments: list[Attachment]
    sealed_at: str | None = None
    digest: str | None = None

    @property
    def files(self) -> list[FileEntry]:
        """Every imported file, in order."""
        return [file for entry in self.imports for file in entry.files]

    @property
    def records(self) -> int:
        """How many records the run has."""
        return sum(file.records for file in self.files)

    @property
    def registered(self) -> list[Registered]:
        """Every file of the run with what its bytes must be: raw file and records in turn, then the attachments."""
        registered = []
        for file in self.files:
            registered.append(Registered(file.raw_path, file.raw_bytes, file.raw_sha256))
            registered.append(Registered(file.records_path, file.records_bytes, file.records_sha256))
        registered.extend(Registered(one.path, one.bytes, one.sha256) for one in self.attachments)
        return registered

    @property
    def paths(self) -> dict[str, str]:
        """Every registered path with the place in the manifest that names it, in order."""
        paths = {}
        for i, entry in enumerate(self.imports):
            for j, file in enumerate(entry.files):
                paths[file.raw_path] = f"$.imports[{i}].files[{j}].raw_path"
                paths[file.records_path] = f"$.imports[{i}].files[{j}].records_path"
        for i, attachment in enumerate(self.attachments):
            paths[attachment.path] = f"$.attachments[{i}].path"
        return paths


def sealed_digest(manifest: dict[str, Any]) -> str:
    """The digest that a sealed manifest must carry: of its canonical JSON without `digest`."""
    return sha256_of_value({key: value for key, value in manifest.items() if key != "digest"})


def encode(value: msgspec.Struct) -> bytes:
    """The bytes of a manifest, marker or journal: indented JSON that gives back the same values, integers exact.

    Raises:
        ValueError: A number is not finite, or a text holds a lone surrogate.
    """
    text = json.dumps(msgspec.to_builtins(value), ensure_ascii=False, allow_nan=False, indent=2)
    return f"{text}\n".encode()


def decode_closed(data: bytes, shape: type[Closed], *, file: str) -> Closed:
    """The value that these bytes hold; a key that the shape does not have is refused.

    Raises:
        InvalidInput: The bytes are no JSON (J001 to J008) or no such value (A010), or a later version wrote them
            (A011).
    """
    value = strict_json.loads(data, Where(file=file))
    _refuse_later(value, file)
    try:
        return msgspec.convert(value, shape)
    except msgspec.ValidationError as error:
        text = f"{error}. Restore the file as itemproof wrote it, from a copy of the archive."
        raise invalid(UNREADABLE, text, Where(file=file)) from error


def _refuse_later(value: object, file: str) -> None:
    version = value.get("schema_version") if isinstance(value, dict) else None
    if isinstance(version, int) and version > versions.ARCHIVE:
        raise invalid(
            LATER_VERSION,
            f"It has schema version {version}; this itemproof knows {versions.ARCHIVE}. Update itemproof.",
            Where(file=file, path="$.schema_version"),
        )


def decode_manifest(data: bytes, *, run_id: str, file: str) -> RunManifest:
    """The manifest of this run; every path in it is safe and lies in a folder of the run.

    Raises:
        InvalidInput: As `decode_closed`; also for another run's manifest (A012), an unsafe path (D013) and a path
            outside the run (A013).
    """
    manifest = decode_closed(data, RunManifest, file=file)
    if manifest.run_id != run_id:
        text = (
            f"It belongs to the run {manifest.run_id!r} and lies in the folder of {run_id!r}. Rename the folder back."
        )
        raise invalid(OTHER_RUN, text, Where(file=file, path="$.run_id"))
    faults = Findings()
    for text, place in manifest.paths.items():
        _check_path(text, run_id, Where(file=file, path=place), faults)
    if faults:
        raise InvalidInput(faults)
    return manifest


def _check_path(text: str, run_id: str, where: Where, faults: Findings) -> None:
    try:
        parts = check_stored_path(text, where)
    except ItemproofError as error:
        faults.extend(error.findings)
        return
    kind = where.path.rpartition(".")[2] if where.path else ""
    folder = {"raw_path": "raw", "records_path": "records", "path": "attachments"}[kind]
    if parts[:-1] != ("runs", run_id, folder):
        due = f"runs/{run_id}/{folder}/"
        faults.add(Finding(OTHER_FOLDER, f"{text!r} is not a file in {due}, where it would have been stored.", where))
