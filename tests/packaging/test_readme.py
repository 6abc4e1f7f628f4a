"""The Python in README.md runs as it stands there, in one namespace; its commands and those of the help are valid."""

import re
import shlex
from pathlib import Path

from bots.commands.application import COMMANDS, load_command

README = Path(__file__).parent.parent.parent / "README.md"
BLOCK = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)
COMMANDS_BLOCK = re.compile(r"^```sh\n(playout .*?)^```", re.MULTILINE | re.DOTALL)


def command_lines():
    """The lines of the block of commands."""
    (block,) = COMMANDS_BLOCK.findall(README.read_text())
    return block.splitlines()


def examples_of_the_help():
    """(folder, command, lines) of the examples at the end of the help of each command.

    Commands about stored games come after one that makes them, in the same folder.
    """
    order = sorted(COMMANDS, key=lambda entry: entry.name != "arena")
    for entry in order:
        yield "help", entry.name, [line.strip() for line in load_command(entry).examples.splitlines()]


def words_of(line):
    """The commands of a line of a shell as lists of words, without the comment."""
    words = shlex.split(line.replace(";", " ; "), comments=True)
    commands = [[]]
    for word in words:
        if word in (";", "|", "&&"):
            commands.append([])
        else:
            commands[-1].append(word)
    return commands


def test_every_command_is_in_the_readme_and_every_help_has_examples():
    named = {words[1] for line in command_lines() for words in words_of(line)}
    assert named == {entry.name for entry in COMMANDS}
    for _, command, lines in examples_of_the_help():
        assert lines, command
        for line in lines:
            assert f"playout {command}" in line


def test_the_commands_of_the_readme_have_the_options_they_are_given():
    for line in [*command_lines(), *(line for _, _, lines in examples_of_the_help() for line in lines)]:
        for words in words_of(line):
            if words[0] != "playout":
                continue
            (entry,) = (entry for entry in COMMANDS if entry.name == words[1])
            options = {name for parameter in load_command(entry).params for name in parameter.opts}
            assert {word.partition("=")[0] for word in words if word.startswith("-") and len(word) > 1} <= options, line


def test_the_help_of_a_command_ends_with_its_examples(playout):
    for entry in COMMANDS:
        out = playout(entry.name, "--help").out.rstrip()
        assert out.endswith(load_command(entry).examples.rstrip()), entry.name
        assert "Examples:" in out


def test_python_blocks_of_the_readme_run(tmp_path, monkeypatch):
    text = README.read_text()
    blocks = list(BLOCK.finditer(text))
    assert blocks, "README.md shows no Python"
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))  # nothing of the user is read or written
    namespace = {"__name__": "readme"}
    for block in blocks:
        line = text[: block.start(1)].count("\n")
        exec(compile("\n" * line + block[1], str(README), "exec"), namespace)
