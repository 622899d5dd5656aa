"""Every command says what it does, explains each option, and gives an example that it would take itself."""

from __future__ import annotations

import inspect
import shlex
from pathlib import Path

import click
import pytest

from itemproof.cli.main import COMMANDS, cli


def command(name: str) -> click.Command:
    """The command of a name."""
    found = cli.get_command(click.Context(cli, info_name="itemproof"), name)
    assert found is not None
    return found


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_says_what_it_does(name: str) -> None:
    said, _, example = inspect.cleandoc(command(name).help or "").partition("\n\nExample: ")
    assert said.split("\n\n")[0].rstrip().endswith(".")
    assert example.startswith("itemproof ")


@pytest.mark.parametrize("name", COMMANDS)
def test_the_example_of_a_command_is_one_that_it_takes(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    example = inspect.cleandoc(command(name).help or "").partition("\n\nExample: ")[2]
    words = shlex.split(example.replace("\n", " "))[1:]
    monkeypatch.chdir(tmp_path)
    for word in words:
        if word.endswith((".jsonl", ".yaml", ".log")):
            (tmp_path / word).touch()
    at = words.index(name)
    group = cli.make_context("itemproof", words[: at + 1])
    context = command(name).make_context(name, words[at + 1 :], parent=group)
    assert context.args == []


@pytest.mark.parametrize("name", COMMANDS)
def test_every_option_of_a_command_is_explained(name: str) -> None:
    options = [one for one in command(name).params if isinstance(one, click.Option)]
    assert [one.name for one in options if not (one.help or "").endswith((".", ")"))] == []


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_can_answer_as_json_and_be_told_the_archive(name: str) -> None:
    assert {"--json", "--root"} <= {word for one in command(name).params for word in one.opts}


@pytest.mark.parametrize("name", [None, *COMMANDS])
def test_no_help_shows_what_was_meant_for_the_formatter(name: str | None) -> None:
    context = click.Context(cli if name is None else command(name), info_name="itemproof")
    assert "\\b" not in context.command.get_help(context)


def test_every_line_of_the_list_of_commands_is_a_sentence() -> None:
    assert [name for name, entry in COMMANDS.items() if not entry.help.endswith(".")] == []
