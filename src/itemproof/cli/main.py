"""The command `itemproof`: its sub-commands, the one try, and the exit codes.

    0  done, and what was checked holds
    1  done, and what was checked does not hold
    2  bad input, configuration or usage; nothing was changed
    3  refused now: locked, sealed, or there with other bytes
    4  the disk, the network or the Hub did not answer
    130  interrupted; what was done is kept

Modules of commands are imported when they are asked for, so that `--version` and `--help` stay quick.
"""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import click

from itemproof import __version__
from itemproof.core.errors import InvalidInput, ItemproofError, Refused, Unavailable

__all__ = ["COMMANDS", "HELD", "NOT_HELD", "cli", "main", "run"]

HELD: Final = 0
NOT_HELD: Final = 1
BAD_INPUT: Final = 2
NOT_NOW: Final = 3
NO_ANSWER: Final = 4
INTERRUPTED: Final = 130


_EXIT_CODES: Final = ((InvalidInput, BAD_INPUT), (Refused, NOT_NOW), (Unavailable, NO_ANSWER))


class Entry(NamedTuple):
    """Where a command lives, and its line in `--help`."""

    module: str
    help: str


#: Every command, in the order of `--help`.
COMMANDS: Final[dict[str, Entry]] = {
    "add": Entry("adding", "Find evaluation logs, make the runs they belong to, and import them."),
    "init": Entry("archive", "Make an archive, or the working folders of a restored one."),
    "create-run": Entry("archive", "Make an open run."),
    "import": Entry("adding", "Import log files or folders into a run, all of them or none."),
    "attach": Entry("archive", "Keep files beside a run without reading them."),
    "seal": Entry("archive", "Close a run for ever."),
    "discard": Entry("archive", "Remove an open run."),
    "list": Entry("reading", "List the runs of an archive."),
    "show": Entry("reading", "Show what a run holds."),
    "summary": Entry("reading", "Accuracy and metric means of a run, with intervals."),
    "validate": Entry("reading", "Check that an archive is whole: bytes, records, identities, counts."),
    "compare": Entry("comparing", "Compare two runs, wordings or folders of logs, question by question."),
    "export": Entry("exporting", "Write the records of a run as JSON Lines or CSV."),
    "convert": Entry("exporting", "Make JSON Lines of a file that holds one JSON array."),
    "generation-eval": Entry("generation", "Export prompts and score what models answered, deterministically."),
    "coglang": Entry("coglang", "Parse, print, validate or preflight one CogLang expression."),
    "recover": Entry("archive", "Finish or undo what a writer that died left behind."),
}


class _LazyGroup(click.Group):
    """A group that knows its commands by name and imports the one that is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        del ctx
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        del ctx
        entry = COMMANDS.get(cmd_name)
        if entry is None:
            return None
        module = importlib.import_module(f"itemproof.cli.{entry.module}")
        command: click.Command = getattr(module, cmd_name.replace("-", "_") + "_command")
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        del ctx
        with formatter.section("Commands"):
            formatter.write_dl([(name, entry.help) for name, entry in COMMANDS.items()])

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            from difflib import get_close_matches

            near = get_close_matches(args[0], COMMANDS, n=1)
            hint = f" Did you mean {near[0]}?" if near else ""
            ctx.fail(f"There is no command {args[0]!r}.{hint}")
        return super().resolve_command(ctx, args)


@click.group(cls=_LazyGroup, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, "--version", prog_name="itemproof", message="%(prog)s %(version)s")
@click.option(
    "--root", type=click.Path(path_type=Path), help="The archive; else found upward from here, or ITEMPROOF_ROOT."
)
@click.pass_context
def cli(ctx: click.Context, root: Path | None) -> None:
    """Compare language-model evaluations question by question, and keep the evidence.

    \b
    Start with a folder of logs:
      itemproof add logs/            find logs, make runs, import them
      itemproof summary RUN          accuracy with intervals
      itemproof validate             is everything still whole?
    """  # noqa: D301 - click reads a real backspace
    ctx.obj = root


def main(arguments: Sequence[str] | None = None) -> int:
    """The exit code of a command line, which was carried out and whose output was written."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    as_json = "--json" in given
    try:
        outcome: Any = cli.main(args=given, prog_name="itemproof", standalone_mode=False)
    except (click.exceptions.Abort, KeyboardInterrupt):
        from itemproof.cli.output import note

        note("interrupted: what was committed before stays, and nothing is half written")
        return INTERRUPTED
    except click.ClickException as error:
        return _usage(error, as_json=as_json)
    except SystemExit:  # what click makes of a reader that has left while it printed help
        from itemproof.cli.output import let_go_of_stdout

        let_go_of_stdout()
        return HELD
    except ItemproofError as error:
        return _failed(error, as_json=as_json)
    except OSError as error:
        return _failed(_of_the_disk(error), as_json=as_json)
    return outcome if isinstance(outcome, int) else HELD


def _of_the_disk(error: OSError) -> ItemproofError:
    """What the system refused at a place where nobody expected it to."""
    from itemproof.files.atomic import disk_faults

    try:
        with disk_faults(Path()):
            raise error
    except ItemproofError as fault:
        return fault


def _failed(error: ItemproofError, *, as_json: bool) -> int:
    from itemproof.cli.output import NOT_PRINTED, show_error

    code = next(code for kind, code in _EXIT_CODES if isinstance(error, kind))
    is_document = as_json and error.code != NOT_PRINTED  # then standard output itself is the fault
    try:
        show_error(error, as_json=is_document, exit_code=code)
    except Unavailable as fault:
        return _failed(fault, as_json=False)
    return code


def _usage(error: click.ClickException, *, as_json: bool) -> int:
    from itemproof.cli.output import show_usage

    show_usage(error, as_json=as_json, exit_code=BAD_INPUT)
    return BAD_INPUT


def run() -> None:
    """The command as a process."""
    # numpy counts bytes here and multiplies no matrix; its threads would only take time from the work.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    _open_closed_streams()
    sys.exit(main())


def _open_closed_streams() -> None:
    """Whoever closed standard output or error wants to hear nothing there."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: PTH123, SIM115 (for the whole process)
