"""What physics asks of an import, and of a check.

`python -m benchmarks.floor import FILE FOLDER`, or `python -m benchmarks.floor check FILE...`.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import orjson

_BLOCK = 1 << 18


def lines_in_blocks(path: Path, digest: hashlib._Hash) -> Iterator[list[bytes]]:
    """The lines of a file block by block, each block hashed as it comes."""
    rest = b""
    with path.open("rb", buffering=0) as file:
        while block := file.read(_BLOCK):
            digest.update(block)
            *lines, rest = (rest + block).split(b"\n")
            yield lines
    if rest:
        yield [rest]


def import_floor(source: Path, folder: Path) -> None:
    """Copy with fsync, SHA-256, parse each line, serialise it once, SHA-256 that, write it with fsync."""
    with source.open("rb") as given, (folder / "raw").open("wb") as copy:
        shutil.copyfileobj(given, copy) if not hasattr(os, "copy_file_range") else _kernel_copy(given, copy)
        os.fsync(copy.fileno())
    raw, made = hashlib.sha256(), hashlib.sha256()
    with (folder / "records").open("wb", buffering=0) as out:
        for lines in lines_in_blocks(source, raw):
            data = b"".join(
                [orjson.dumps(orjson.loads(line), option=orjson.OPT_APPEND_NEWLINE) for line in lines if line]
            )
            made.update(data)
            out.write(data)
        os.fsync(out.fileno())
    print(raw.hexdigest(), made.hexdigest())


def _kernel_copy(given: object, copy: object) -> None:
    while os.copy_file_range(given.fileno(), copy.fileno(), 1 << 23):  # type: ignore[attr-defined]
        pass


def check_floor(paths: list[Path]) -> None:
    """Read, hash and parse every line of some files."""
    for path in paths:
        digest = hashlib.sha256()
        for lines in lines_in_blocks(path, digest):
            for line in lines:
                if line:
                    orjson.loads(line)
        print(digest.hexdigest())


if __name__ == "__main__":
    if sys.argv[1] == "import":
        import_floor(Path(sys.argv[2]), Path(sys.argv[3]))
    else:
        check_floor([Path(name) for name in sys.argv[2:]])
