"""Python in the root folder of a clone: its packages are found first and are not compiled."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from support import ROOT
from waiting import HANG_SECONDS

import cext

SITE = Path(cext.get_include()).parent
NOT_SOURCE = shutil.ignore_patterns("__pycache__", "*.so", "*.c", "x86_64_v*")
SHOW = "import mcts, cext, cext.game.game, bots, bots.registry, mcts.limits; print(mcts.load_game('mnk').spec); "
SHOW += "print(cext.game.game.__file__, bots.registry.__file__, mcts.limits.__file__, cext.get_include(), sep='\\n')"


@pytest.fixture
def clone(tmp_path):
    """A source tree without any compiled file."""
    for name in ("cext", "mcts", "bots", "playout"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=NOT_SOURCE)
    return tmp_path


def start(folder, *arguments, **environment):
    """Run Python in a folder, without PYTHONSAFEPATH."""
    inherited = {key: value for key, value in os.environ.items() if key not in ("PYTHONSAFEPATH", "PYTHONPATH")}
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=folder,
        env={**inherited, **environment},
        capture_output=True,
        text=True,
        timeout=HANG_SECONDS,
    )


@pytest.mark.skipif(SITE == ROOT, reason="the source tree is compiled in place")
@pytest.mark.parametrize("first", ["mcts", "bots", "cext", "playout"])
def test_the_installed_package_takes_over_in_the_root_of_a_clone(first):
    done = start(ROOT, "-c", f"import {first}; {SHOW}", PYTHONPATH=str(SITE))
    assert done.returncode == 0, done.stderr
    spec, *files = done.stdout.splitlines()
    assert spec == "mnk(m=3,n=3,k=3)"
    assert all(file.startswith(str(SITE)) for file in files), files


@pytest.mark.long
@pytest.mark.skipif(SITE == ROOT, reason="the source tree is compiled in place")
def test_worker_processes_of_such_a_program_play():
    code = "from bots.arena.runner import run_tournament; from bots.arena.tournament.schedule import Tournament; "
    code += "import multiprocessing; multiprocessing.set_start_method('spawn'); "
    code += "print(len(run_tournament(Tournament('mnk', 2, ('random', 'random'), 4, 1), 2).records))"
    done = start(ROOT, "-c", code, PYTHONPATH=str(SITE))
    assert (done.stdout, done.stderr) == ("8\n", "")


def test_without_an_installed_package_the_last_line_says_what_to_do(clone):
    done = start(clone, "-S", "-c", "import mcts")
    assert done.returncode == 1
    last = done.stderr.splitlines()[-1]
    assert last.startswith(f"ImportError: {clone.resolve()} is a source tree that is not compiled")
    assert "run `make`" in last


def test_a_source_tree_of_another_version_is_not_mixed_with_the_installed_package(clone):
    with (clone / "mcts" / "__init__.py").open("a") as file:
        file.write("NEW = 1\n")
    done = start(clone, "-c", "import mcts", PYTHONPATH=str(SITE))
    assert done.returncode == 1
    last = done.stderr.splitlines()[-1]
    assert "of another version than the package in" in last
    assert "run `make`" in last
