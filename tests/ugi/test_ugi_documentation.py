"""The session and the tables of docs/ugi.md are what the programs do."""

import re
import subprocess
import sys

from support import ROOT, environment

from bots.engines.server.positions import QUERIES
from bots.engines.server.requests import read_go
from bots.engines.server.ugi import COMMANDS

TEXT = (ROOT / "docs" / "ugi.md").read_text()


QUIET = """
import bots.cli
from mcts.primitives.progress import ProgressClock
ProgressClock.is_due = lambda clock: False
bots.cli.main()
"""
"""The command, which sends one `info` for each search, however long it takes."""


def without_times(text):
    return re.sub(r"nps \d+ time \d+", "nps N time N", text)


def test_the_session_is_what_the_engine_answers():
    session = TEXT.split("```text\n")[1].split("```")[0]
    typed = [line[2:] for line in session.splitlines() if line.startswith("> ")]
    answers = [line for line in session.splitlines() if not line.startswith("> ")]
    command = re.search(r"a session of `playout (.*?)`", TEXT)[1].split()
    with subprocess.Popen(
        [sys.executable, "-P", "-c", QUIET, *command],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=environment(),
        text=True,
        bufsize=1,
    ) as engine:
        heard = []
        for line in typed[:-1]:
            engine.stdin.write(line + "\n")
        while len(heard) < len(answers):
            heard.append(engine.stdout.readline().rstrip("\n"))
        engine.stdin.write(typed[-1] + "\n")
        heard += engine.stdout.read().splitlines()
    assert typed[-1] == "quit"
    assert [without_times(line) for line in heard] == [without_times(line) for line in answers]


def first_column(header):
    """Return the texts in backticks in the first column of the table whose first heading is given."""
    rows = TEXT.split(f"| {header} |")[1].split("\n\n")[0].splitlines()[2:]
    return [text for row in rows for text in re.findall(r"`([^`]+)`", row.split("|")[1])]


def test_the_tables_name_all_commands_and_queries():
    section = TEXT.index("### Commands")
    commands = TEXT[section:].split("| Line | Effect |")[1].split("\n\n")[0]
    assert set(re.findall(r"^\| `(\w+)", commands, re.MULTILINE)) == {"ugi", "uginewgame", *COMMANDS, "quit"}
    assert set(first_column("Query")) == set(QUERIES)


def test_the_arguments_of_go_are_known():
    arguments = first_column("Argument of `go`")
    assert len(arguments) == 7
    for text in arguments:
        words = ["1" if word.isupper() else word for word in text.replace(" ...", "").split()]
        assert read_go(words, 2).unknown == (), text
    assert read_go(["depth", "3"], 2).unknown == ("depth", "3")
