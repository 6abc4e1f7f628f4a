"""Streams of a command: full, closed, in other encodings, on narrow terminals; and Ctrl-C during imports."""

import os
import subprocess
import sys

import pytest
from sampling import sweep
from support import environment
from waiting import HANG_SECONDS

ARENA = "arena mnk random greedy --games 2 --workers 1 --no-db"


def run(line, folder, *, redirect="", **changes):
    """Run the command by a shell with redirections: status, stdout, stderr."""
    command = f"{sys.executable} -P -m bots.cli {line} {redirect}"
    done = subprocess.run(
        ["sh", "-c", command],
        env={**environment(), **changes},
        cwd=folder,
        capture_output=True,
        timeout=HANG_SECONDS,
        stdin=subprocess.DEVNULL,
    )
    return done.returncode, done.stdout, done.stderr.decode()


@sweep("line", ["bots", "--help", "--version", "search mnk --simulations 9 --json"], 1)
def test_a_full_device_is_one_line(tmp_path, line):
    status, _, err = run(line, tmp_path, redirect="> /dev/full")
    assert status in (1, 2)
    assert err.startswith("playout: cannot ")
    assert "No space left on device" in err
    assert err.count("\n") == 1


def test_a_closed_standard_output_is_one_line(tmp_path):
    status, _, err = run("search mnk --simulations 9", tmp_path, redirect=">&-")
    assert (status, err) == (1, "playout: cannot read or write: standard output is closed\n")


def test_a_closed_standard_error_loses_messages_only(tmp_path):
    status, out, _ = run("games", tmp_path, redirect="2>&-")
    assert status == 0
    assert b"bidding_ttt" in out
    assert run("dance", tmp_path, redirect="2>&-")[0] == 2


@sweep("line", ["play mnk --bot random", "ugi mnk random", "search mnk --simulations 9"], 1)
def test_a_closed_standard_input_is_an_empty_one(tmp_path, line):
    status, _, err = run(line, tmp_path, redirect="<&-")
    assert (status, err) == (0, "")


def test_a_reader_that_leaves_ends_the_command_quietly(tmp_path):
    assert run("bots", tmp_path, redirect="| true")[2] == ""


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    "changes",
    [{"PYTHONIOENCODING": "latin-1"}, {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}],
    ids=["latin-1", "C"],
)
def test_encodings_without_drawing_characters(tmp_path, changes):
    status, out, err = run("--help", tmp_path, **changes)
    assert (status, err) == (0, "")
    assert b"Usage: playout" in out
    assert b" arena " in out


def test_characters_outside_ascii_are_replaced(tmp_path):
    status, out, err = run("games", tmp_path, PYTHONIOENCODING="ascii")
    assert status == 0, err
    assert b"+-" in out
    assert out.isascii()


@pytest.mark.sample(2)
@pytest.mark.parametrize(
    "changes",
    [{"COLUMNS": "1"}, {"COLUMNS": "odd"}, {"COLUMNS": "-5"}, {"TERM": "dumb"}, {"TERM": ""}, {"FORCE_COLOR": "1"}],
    ids=lambda changes: ",".join(f"{name}={value}" for name, value in changes.items()),
)
def test_unusual_terminals_are_supported(playout, monkeypatch, changes):
    search = "search mnk --simulations 9 --tree 1"
    for line in ("--help", "arena --help", "bots", search, "play mnk --bot random", ARENA):
        for name, value in changes.items():
            monkeypatch.setenv(name, value)
        result = playout(*line.split(), columns=changes.get("COLUMNS", 80))
        assert result.status == 0, result.err
        assert result.out


@sweep(
    ("line", "status", "said", "lines"),
    [("search mnk --state -", 2, b"", 1), ("play mnk --bot random", 0, b"is not a legal action", 0)],
    1,
)
def test_input_that_is_not_text_is_refused(tmp_path, line, status, said, lines):
    (tmp_path / "junk").write_bytes(b"\xff\xfe\x00\n")
    found, out, err = run(line, tmp_path, redirect="< junk")
    assert (found, err.count("\n")) == (status, lines)
    assert said in out
    assert bool(out) == bool(said)


@sweep("line", ["solve", "ratings"], 1)
def test_arguments_that_are_not_text_are_one_line(tmp_path, line):
    status, out, err = run(f"{line} \"$(printf '\\377')\"", tmp_path)
    assert (status, out) == (2, b""), line
    assert err.startswith("playout: ")
    assert err.count("\n") == 1


INTERRUPT_IMPORT = """
import os, signal, sys
class Press:
    def find_spec(self, name, path=None, target=None):
        if name == {module!r}:
            os.kill(os.getpid(), signal.SIGINT)
sys.meta_path.insert(0, Press())
from bots.cli import main
sys.argv[1:] = ["bots"]
main()
"""


@sweep("module", ["typer", "rich.console", "mcts", "cext.game.game", "bots.registry"], 2)
def test_ctrl_c_while_importing_is_one_line(module):
    done = subprocess.run(
        [sys.executable, "-P", "-c", INTERRUPT_IMPORT.format(module=module)],
        env=environment(),
        capture_output=True,
        text=True,
        timeout=HANG_SECONDS,
    )
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "playout: interrupted\n")


def test_the_console_script_is_the_entry(tmp_path):
    script = os.path.join(os.path.dirname(sys.executable), "playout")
    if not os.path.exists(script):
        pytest.skip("the package is not installed beside this interpreter")
    done = subprocess.run([script, "dance"], cwd=tmp_path, capture_output=True, text=True, timeout=HANG_SECONDS)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("playout: unknown command 'dance'; ")
