"""The start of a command: it imports only what it uses, and its help loads no other command."""

import inspect
import json
import os
import subprocess
import sys

import pytest
from sampling import sweep
from support import environment, run_python
from waiting import HANG_SECONDS

from bots.commands.application import COMMANDS, load_command

HEAVY = {"numpy", "scipy", "matplotlib", "networkx", "distributed", "sqlite3", "multiprocessing_logging"}
# Parts of the standard library whose import takes milliseconds, and which the library needs rarely.
SLOW = {"asyncio", "concurrent", "email", "http", "logging", "multiprocessing", "socket", "subprocess", "zipfile"}
REPORT = """
import atexit, json, sys
atexit.register(lambda: print(json.dumps(sorted(sys.modules)), file=sys.__stderr__))
sys.argv[0] = "playout"
from bots.cli import main
main()
"""


def modules_of(*arguments):
    """Return the top-level modules that a command has imported when it ends."""
    return top_level(all_modules_of(*arguments))


def all_modules_of(*arguments):
    """Return the names of all modules that a command has imported when it ends."""
    done = subprocess.run(
        [sys.executable, "-P", "-c", REPORT, *arguments],
        env=environment(),
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        timeout=HANG_SECONDS,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stderr.splitlines()[-1])


def imported_by(statement):
    """Return the names of all modules that a statement imports into a new interpreter."""
    code = f"import sys; before = set(sys.modules); {statement}; print(*sorted(set(sys.modules) - before))"
    return run_python(code).split()


def top_level(names):
    return {name.partition(".")[0] for name in names}


def test_the_library_imports_neither_numpy_nor_slow_modules():
    names = imported_by("import mcts")
    assert not top_level(names) & (HEAVY | SLOW)
    assert "importlib.metadata" not in names
    assert not [name for name in names if name.startswith(("mcts.exact.", "mcts.reference", "cext.games."))]
    own = [name for name in names if name.startswith(("mcts", "cext"))]
    assert len(own) <= 84
    assert len(names) - len(own) <= 95


def test_playout_imports_no_package_before_a_name_is_used():
    names = imported_by("import playout")
    assert not top_level(names) & (HEAVY | SLOW | {"cext", "mcts", "bots"})
    assert len(names) <= 40
    assert not top_level(imported_by("import playout; playout.MCTS")) & (HEAVY | SLOW | {"bots"})


def test_the_bots_import_no_bot():
    names = imported_by("import bots")
    assert not top_level(names) & (HEAVY | SLOW | {"mcts", "cext"})
    assert len(names) <= 40


@pytest.mark.parametrize(
    "statement",
    [
        "import mcts; game = mcts.load_game('mnk'); state = game.new_initial_state()",
        "import mcts; game = mcts.load_game('mnk'); mcts.MCTS(game).run(game.new_initial_state(), simulations=10)",
    ],
)
def test_play_and_search_import_no_numpy(statement):
    assert not top_level(imported_by(statement)) & HEAVY


def test_names_that_are_imported_late_are_names_of_the_library():
    for name in ("solve", "Solution", "DoubleOracle"):
        names = imported_by(f"from mcts import {name}; assert {name}.__name__ == {name!r}")
        assert any(module.startswith(("mcts.exact.", "cext.games.")) for module in names)
    told = run_python("import mcts; print(set(mcts.__all__) <= set(dir(mcts)), hasattr(mcts, 'nosuch'))")
    assert told.split() == ["True", "False"]


def test_the_version_imports_no_parser():
    assert not modules_of("--version") & {*HEAVY, "typer", "rich", "mcts", "cext"}


def test_the_help_imports_no_command():
    names = set(all_modules_of("--help")) - set(imported_by("import typer"))  # old versions of typer import rich
    assert not top_level(names) & {*HEAVY, "rich", "markdown_it", "pygments", "mcts", "cext"}
    assert len(names) <= 200


COMMAND_LINES = ["games", "bots", "play mnk --bot mcts", "search mnk --simulations 9", "ugi mnk mcts", "solve --help"]


@sweep("line", COMMAND_LINES, 1)
def test_a_command_imports_what_it_uses(line):
    assert not modules_of(*line.split()) & (HEAVY - {"numpy"})


@pytest.mark.parametrize("entry", COMMANDS, ids=lambda entry: entry.name)
def test_the_list_of_commands_agrees_with_their_help(entry):
    command = load_command(entry)
    assert command.name == entry.name
    assert inspect.cleandoc(command.help).splitlines()[0] == entry.summary


COMMAND = '''
from typing import Annotated
import typer
from mcts import ParameterError
def command(name: Annotated[str, typer.Argument(help="Whom to greet.")]) -> None:
    """Greet a person.

    Examples:
        playout greet Ada
    """
    if name == "nobody":
        raise ParameterError("name = 'nobody'; valid: a person")
    print(f"Hello, {name}")
'''


def add_package(folder, entry_points):
    """Install a module `greetings` and its entry points into a folder."""
    (folder / "greetings.py").write_text(COMMAND)
    metadata = folder / "greetings-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: greetings\nVersion: 1.0\n")
    (metadata / "entry_points.txt").write_text("[playout.commands]\n" + entry_points)


def run_beside(folder, *arguments):
    """Run the command line with a folder on the path; return status, stdout and stderr."""
    path = os.pathsep.join([str(folder), *filter(None, [os.environ.get("PYTHONPATH")])])
    done = subprocess.run(
        [sys.executable, "-P", "-m", "bots.cli", *arguments],
        env={**environment(), "PYTHONPATH": path},
        capture_output=True,
        text=True,
        timeout=HANG_SECONDS,
    )
    return done.returncode, done.stdout, done.stderr


@pytest.mark.long
def test_a_package_adds_a_command(tmp_path):
    add_package(
        tmp_path, "greet = greetings:command\nbroken = nothing_of_this_name:command\nbots = greetings:command\n"
    )
    assert run_beside(tmp_path, "greet", "Ada") == (0, "Hello, Ada\n", "")
    status, out, _ = run_beside(tmp_path, "greet", "--help")
    assert status == 0
    assert all(text in out for text in ("Greet a person.", "Whom to greet.", "playout greet Ada"))
    assert run_beside(tmp_path, "greet", "nobody") == (2, "", "playout: name = 'nobody'; valid: a person\n")
    status, _, err = run_beside(tmp_path, "broken")
    assert status == 2
    assert "command 'broken', nothing_of_this_name:command, cannot be loaded: ModuleNotFoundError" in err
    _, out, _ = run_beside(tmp_path, "--help")
    assert all(name in out for name in ("greet", "broken", "Other packages", "List the bots and their parameters."))
    assert "mcts" in run_beside(tmp_path, "bots")[1]  # a package cannot replace a command
    _, _, err = run_beside(tmp_path, "gret")
    assert "valid: games, rules," in err
    assert "did you mean greet" in err


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    ("words", "completed"),
    [
        ("playout sea", {"search", "searchers"}),
        ("playout search --sim", {"--simulations"}),
        ("playout search bidding_", {"bidding_3d_ttt", "bidding_ttt"}),
        ("playout play mnk --bot gr", {"greedy"}),
        ("playout ugi mnk r", {"random"}),
        ("playout arena mnk random mc", {"mcts"}),
    ],
)
def test_a_shell_completes_commands_options_games_and_bots(words, completed):
    variables = {"_PLAYOUT_COMPLETE": "complete_bash", "COMP_WORDS": words, "COMP_CWORD": str(len(words.split()) - 1)}
    done = subprocess.run(
        [sys.executable, "-P", "-m", "bots.cli"],
        env={**environment(), **variables},
        capture_output=True,
        text=True,
        timeout=HANG_SECONDS,
    )
    assert (set(done.stdout.split()), done.stderr) == (completed, "")


def test_a_misspelt_bot_imports_no_bot():
    code = (
        "import bots, mcts, sys\n"
        "try:\n    bots.load_bot('nosuch')\nexcept bots.UnknownBotError:\n    print(*sys.modules)"
    )
    assert not [name for name in run_python(code).split() if name.startswith("bots.players.")]
