"""The page of the commands: what each is for, its example, its arguments and its options."""

from __future__ import annotations

import inspect
from collections.abc import Iterator

import click

from generator.markdown import MADE, table
from itemproof.cli.main import COMMANDS, cli

__all__ = ["commands_page"]

_HEAD = """
# Commands

`itemproof COMMAND --help` says the same in the terminal. Every command takes `--json`, which prints one document on
standard output and nothing else there; messages and progress go to standard error. `--root` may stand before or behind
the command; without it `ITEMPROOF_ROOT` is used, else the nearest archive from the current folder upward.

## Exit codes
"""

_EXITS = (
    ("0", "Done, and what was checked holds."),
    ("1", "Done, and what was checked does not hold: `validate` found something, or `add --keep-going` left logs out."),
    ("2", "Bad input, configuration or usage; nothing was changed."),
    ("3", "Refused now: another writer is at work, the run is sealed, or something is there with other bytes."),
    ("4", "The disk did not answer: it is full, broken, or has no locks."),
    ("130", "Interrupted; what was done is kept, and nothing is half done."),
)

_STABLE = """
## Stable JSON

More keys may stand beside these; these stay.

| command | keys |
|---|---|
| `import` | `run_id`, `records`, `warnings` (a count), \
`imports: [{id, file, format, records, run_local, ambiguous}]`, \
`reproduced: {agree, differ: [{task, metric, filter, lines, table}]}` |
| `show` | the [manifest](schemas.md#the-manifest-of-a-run), and `records`, `status` |
| `list` | `runs: [{run_id, status, model, records}]` |
| `summary` | `rows: [{benchmark, language, script, variant_id, filter, records, known, correct, accuracy, low, high, \
metrics}]` |
| `validate` | `ok`, `checked` (counts), `findings: [{code, path, line, text}]` |
| any refusal | `error: {code, text, findings: [{code, path, line, text}]}`, `exit_code` |
"""


def commands_page() -> str:
    """The page, commands in the order of `itemproof --help`."""
    lines = [MADE, _HEAD, *table(("exit", "meaning"), _EXITS)]
    lines.append(_STABLE)
    with click.Context(cli, info_name="itemproof") as above:
        for name in COMMANDS:
            command = cli.get_command(above, name)
            if command is None:
                raise LookupError(name)
            lines += _command(name, command, above, heading="##")
            if isinstance(command, click.Group):
                with click.Context(command, info_name=name, parent=above) as group:
                    for inner in command.list_commands(group):
                        lines += _command(f"{name} {inner}", command.commands[inner], group, heading="###")
    return "\n".join(lines).rstrip() + "\n"


def _command(name: str, command: click.Command, above: click.Context, *, heading: str) -> Iterator[str]:
    context = click.Context(command, info_name=name.rsplit(maxsplit=1)[-1], parent=above)
    said, _, example = inspect.cleandoc(command.help or "").partition("Example: ")
    yield f"{heading} {name}"
    yield ""
    yield from said.rstrip().split("\n")
    yield ""
    yield "```sh"
    yield f"{context.command_path} {' '.join(command.collect_usage_pieces(context))}"
    yield "```"
    yield ""
    yield f"Example: `{' '.join(example.split())}`"
    yield ""
    options = [one for one in command.get_params(context) if isinstance(one, click.Option) and "--help" not in one.opts]
    yield from table(("option", "what it says"), (_option(one, context) for one in options))


def _option(option: click.Option, context: click.Context) -> tuple[str, str]:
    shown, said = option.get_help_record(context) or ("", "")
    return f"`{shown}`", said
