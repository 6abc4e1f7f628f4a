"""Systems without fork, prctl, /proc, affinity, flock and poll: everything works, with the losses of docs/platforms.md.

The code of the project is made to believe that it runs there; see tests/helpers/pretended_system.py.
"""

import json
import os
import re
import subprocess
import sys
import uuid

import pytest
from pretended_system import MACOS, VARIABLE, WINDOWS
from sampling import sweep
from support import HELPERS, ROOT, environment
from waiting import HANG_SECONDS

from bots.system.exit_status import GAMES_FAILED

SYSTEMS = [WINDOWS, MACOS]
MAIN = "from bots.cli import main; main()"
IMPORT_ALL = """
import importlib, json, pkgutil, bots, cext, mcts
names = [found.name for package in (cext, mcts, bots)
         for found in pkgutil.walk_packages(package.__path__, package.__name__ + ".")]
for name in names:
    importlib.import_module(name)
from bots.system import features
print(json.dumps([len(names), features.IS_LINUX, features.IS_POSIX, features.HAS_FORK, features.HAS_SESSIONS]))
"""
HIDDEN = """
import sys, types
scope = {"__name__": "bots.probe"}
def found(code):
    try:
        exec(code, scope)
    except (AttributeError, ImportError):
        return False
    return True
names = ["import os; os.fork", "import fcntl", "import resource", "import select; select.poll",
         "import signal; signal.SIGKILL", "import os; os.sched_getaffinity", "import os; os.getpid"]
print(*(found(name) for name in names))
exec("import sys; system = sys.platform", scope)
import os, fcntl
print(scope["system"], os.fork is not None, sys.platform)
"""
ENGINE = f"{sys.executable} {HELPERS / 'mock_engine.py'}"

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="pretends on Linux to be another system")


@pytest.fixture
def run(tmp_path):
    """Return a function that runs a program in a process that pretends to be on another system."""
    site = tmp_path / "site"
    site.mkdir()
    (site / "sitecustomize.py").write_text("import pretended_system\n")
    path = os.pathsep.join([str(site), str(HELPERS), environment()["PYTHONPATH"]])
    (tmp_path / "here").mkdir()

    def run(system, code, *arguments, stdin="", status=0):
        done = subprocess.run(
            [sys.executable, "-P", "-c", code, *arguments],
            input=stdin,
            env={**os.environ, "PYTHONPATH": path, VARIABLE: system, "COLUMNS": "100"},
            cwd=tmp_path / "here",
            capture_output=True,
            text=True,
            timeout=HANG_SECONDS,
        )
        assert done.returncode == status, done.stderr
        assert "Traceback" not in done.stderr
        return done.stdout, done.stderr

    return run


systems = sweep("system", SYSTEMS, 1)


def test_the_pretence_hides_names_from_the_project_alone(run):
    out, _ = run(WINDOWS, HIDDEN)
    assert out.split() == [*["False"] * 6, "True", "win32", "True", "linux"]


@pytest.mark.long
@systems
def test_every_module_can_be_imported(run, system):
    out, _ = run(system, IMPORT_ALL)
    number, *features = json.loads(out)
    assert number > 200
    assert features == ([False] * 4 if system == WINDOWS else [False, True, True, True])


@systems
def test_a_person_can_play(run, system):
    moves = "1 1\n2 2\n3 3\n1 2\n1 3\n2 1\n2 3\n3 1\n3 2\n" * 3
    out, _ = run(system, MAIN, "play", "mnk", "--bot", "random", "--seed", "1", stdin=moves)
    assert "The game is over" in out


@systems
def test_a_bot_is_an_engine(run, system):
    out, _ = run(system, MAIN, "ugi", "mnk", "random", stdin="ugi\nisready\nposition startpos\ngo nodes 5\nquit\n")
    assert {"ugiok", "readyok"} <= set(out.split())
    assert re.search(r"^bestmove \S+", out, re.MULTILINE)


@pytest.mark.long
@systems
@pytest.mark.parametrize("mode", ["random", "dies_in_a_move", "silent"])
def test_an_engine_plays_or_is_charged(run, system, mode):
    bot = f'ugi(command="{ENGINE} {mode}",quit_seconds=0.1)'
    deadline = "2" if mode == "silent" else str(HANG_SECONDS)
    options = ("--executor", "threads", "--games", "2", "--no-db", "--deadline", deadline, "--json")
    status = 0 if mode == "random" else GAMES_FAILED
    out, _ = run(system, MAIN, "arena", "mnk", bot, "random", *options, status=status)
    data = json.loads(out)
    kinds = {failure["kind"] for failure in data["failures"]}
    assert kinds == {"random": set(), "dies_in_a_move": {"crash"}, "silent": {"stall"}}[mode]


@pytest.mark.long
@systems
@pytest.mark.parametrize("executor", ["processes", "isolated"])
def test_tournaments_are_stored_and_continued(run, system, executor):
    command = ["arena", "mnk", "random", "greedy", "--workers", "2", "--executor", executor, "--db", "games.db"]
    run(system, MAIN, *command, "--games", "2", "--seed", "3")
    out, _ = run(system, MAIN, *command, "--games", "4", "--seed", "3", "--json")
    assert json.loads(out)["games"] == 4
    out, _ = run(system, MAIN, "records", "games.db", "-o", "-")
    assert len(out.splitlines()) == 4


@pytest.mark.long
@systems
def test_hostile_bots_are_charged_and_their_children_end(run, system, tmp_path):
    mark = f"mark-{uuid.uuid4()}"
    names = ["SoreLoser", "HangingAnswer", "Deed(what=timer_death,when=attack)", "Printer"]
    program = """
import json, os, sys
from bots.arena.runner import run_tournament
from bots.arena.tournament.limits import BotLimit
from bots.arena.tournament.schedule import Tournament
os.environ["HOSTILE_MARK"] = sys.argv[1]
names = sys.argv[2:]
bots = ("hostile_bots.Slow", *(f"hostile_bots.{name}" for name in names), "hostile_bots.Mother")
of = Tournament("mnk(m=4,n=4,k=4)", 2, bots, 1, 1, (BotLimit(30),), 5.0, system="gauntlet")
records = run_tournament(of, 2).records
print(json.dumps([[max(record.seats), [failure.kind for failure in record.failures]] for record in records]))
"""
    out, _ = run(system, program, mark, *names)
    found = json.loads(out)
    kinds = [["death"], ["stall"], ["death"], [], []]
    assert sorted(found) == sorted([number, kinds[number - 1]] for number in range(1, 6) for _ in range(2))
    # Children of a bot end with its worker, also one in a session of its own whose parent still runs.
    assert subprocess.run(["pgrep", "-f", mark], capture_output=True, text=True).stdout == ""


LOCKS = """
import sys, subprocess
from pathlib import Path
from bots.arena.store.lock import ReaderLock, WriterLock
from bots.errors import StoreError
path = Path("games.db")
path.write_bytes(b"x" * 200)
first, second = ReaderLock(path), ReaderLock(path)
print(first.held, second.held)
try:
    WriterLock(path, reader_seconds=0.2)
except StoreError as error:
    print(error)
first.release()
second.release()
writer = WriterLock(path)
reader = ReaderLock(path)
print(reader.held)
reader.release()
again = "from pathlib import Path; from bots.arena.store.lock import *; WriterLock(Path('games.db'))"
print(subprocess.run([sys.executable, "-P", "-c", again], capture_output=True, text=True).stderr.splitlines()[-1])
writer.note()
writer.check()
writer.release()
subprocess.run([sys.executable, "-P", "-c", again], check=True)
"""


@systems
def test_one_writer_excludes_others(run, system):
    out, _ = run(system, LOCKS)
    shared, read, held, written = out.splitlines()
    assert (shared, held) == ("True True", "False")
    assert "'games.db' is being read by another process" in read
    assert "'games.db' is being written to by another process" in written


def test_the_page_names_every_module_of_the_folder_for_systems():
    page = (ROOT / "docs" / "platforms.md").read_text()
    modules = [path for path in (ROOT / "bots" / "system").glob("*.py") if "from .features import" in path.read_text()]
    assert len(modules) > 3
    assert {path.stem for path in modules if f"`{path.stem}`" not in page} == set()
