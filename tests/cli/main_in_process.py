"""A command line carried out in this process, with what it said."""

from __future__ import annotations

import io
import json
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from typing import Any

from itemproof.cli.main import main

__all__ = ["Said", "said"]


@dataclass(frozen=True, slots=True)
class Said:
    """What a command line came to.

    Attributes:
        code: The exit code.
        out: What it printed on standard output.
        err: What it printed on standard error.
    """

    code: int
    out: str
    err: str

    @property
    def document(self) -> Any:
        """The one JSON document that stands on standard output."""
        return json.loads(self.out)


def said(*arguments: object) -> Said:
    """What the command line came to; an exception that reaches this is a traceback that a person would see."""
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        code = main([str(argument) for argument in arguments])
    return Said(code, out.getvalue(), err.getvalue())
