"""The start of the command line: each command imports what it uses, and its help needs no other command."""

import inspect
import json
import subprocess
import sys

import pytest
from support import environment

from bots.commands.application import COMMANDS, load_command

HEAVY = {"numpy", "scipy", "matplotlib", "networkx", "distributed", "jinja2", "sqlite3", "multiprocessing_logging"}
REPORT = """
import atexit, json, sys
atexit.register(lambda: print(json.dumps(sorted(sys.modules)), file=sys.__stderr__))
sys.argv[0] = "playout"
from bots.cli import main
main()
"""


def modules_of(*arguments):
    """Top-level modules that a command has imported when it ends, and the status."""
    done = subprocess.run(
        [sys.executable, "-P", "-c", REPORT, *arguments],
        env=environment(),
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    return {name.partition(".")[0] for name in json.loads(done.stderr.splitlines()[-1])}


def test_the_version_imports_no_parser():
    assert not modules_of("--version") & {*HEAVY, "typer", "rich", "mcts", "cext"}


def test_the_help_imports_no_command():
    assert not modules_of("--help") & {*HEAVY, "mcts", "cext"}


@pytest.mark.parametrize(
    "line",
    ["games", "bots", "play mnk --bot mcts", "search mnk --simulations 10", "ugi mnk mcts", "solve --help"],
)
def test_a_command_imports_what_it_uses(line):
    assert not modules_of(*line.split()) & (HEAVY - {"numpy"})


@pytest.mark.parametrize("entry", COMMANDS, ids=lambda entry: entry.name)
def test_the_list_of_commands_says_what_their_help_says(entry):
    command = load_command(entry)
    assert command.name == entry.name
    assert inspect.cleandoc(command.help).splitlines()[0] == entry.summary
