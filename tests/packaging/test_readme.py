"""The README, the page about the command line, and the help of the commands: their commands are valid."""

from documents import COMMAND_LINE, README, code_blocks, command_lines, help_examples, shell_commands

from bots.commands.application import COMMANDS, load_command

MOST_LINES = 150


def test_the_readme_is_short():
    assert len(README.read_text().splitlines()) < MOST_LINES


def test_every_command_has_an_example_on_its_page_and_in_its_help():
    lines = [line for _, code in code_blocks(COMMAND_LINE, "sh") for line in code.splitlines()]
    assert {words[1] for line in lines for words in shell_commands(line)} == {entry.name for entry in COMMANDS}
    for _, command, examples in help_examples():
        assert examples, command
        for line in examples:
            assert f"playout {command}" in line


def test_commands_on_pages_and_in_help_have_valid_options():
    for line in [*command_lines(), *(line for _, _, lines in help_examples() for line in lines)]:
        for words in shell_commands(line):
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
