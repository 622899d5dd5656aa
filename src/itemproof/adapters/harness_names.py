"""What the names of the harness's files say; read from the right, because task names may hold `_`, `-` and `::`."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from itemproof.files.paths import utf8_text

__all__ = ["LOG_SUFFIXES", "FileName", "file_name"]

#: The suffixes under which logs are found; `.json` was one for a short time.
LOG_SUFFIXES: Final = (".jsonl", ".jsonl.gz", ".jsonl.zst")

#: Local time, `:` written as `-`; without a fraction when it was a whole second.
_STAMP: Final = r"\d{4}-\d\d-\d\dT\d\d[-:]\d\d[-:]\d\d(?:\.\d{1,6})?"
_SAMPLES: Final = re.compile(rf"samples_(?P<task>.+?)(?:_(?P<stamp>{_STAMP}))?\.jsonl?(?:\.gz|\.zst)?", re.DOTALL)
_RESULTS: Final = re.compile(rf"(?:.*_)?(?P<stamp>{_STAMP})\.json", re.DOTALL)


class FileName(NamedTuple):
    """What a file's name says.

    Attributes:
        task: The task of a sample file, else None.
        stamp: The time stamp, which the files of one evaluation share, else None.
        is_samples: Whether it is named as the harness names sample files since 0.4.3.
    """

    task: str | None
    stamp: str | None
    is_samples: bool


def file_name(name: str) -> FileName:
    """What the name of a file says, whatever the file holds."""
    name = utf8_text(name)
    samples = _SAMPLES.fullmatch(name)
    if samples is not None:
        return FileName(samples["task"], samples["stamp"], is_samples=True)
    results = _RESULTS.fullmatch(name)
    return FileName(None, None if results is None else results["stamp"], is_samples=False)
