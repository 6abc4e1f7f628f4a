"""Files and folders of a user with the name of a package of Playout, beside a program or in PYTHONPATH."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from sampling import sweep
from waiting import HANG_SECONDS

import playout

PACKAGES = ["cext", "mcts", "bots"]
PLAYOUT = Path(sys.executable).with_name("playout")
PYTHON = [sys.executable, "-c"]
"""An interpreter that searches the current folder first."""


def run_beside(package, folder, command, *, is_file=False, path=None):
    """Run a command beside a package or module of this name. Return (status, last line of stderr, the file)."""
    place = folder / (f"{package}.py" if is_file else f"{package}/__init__.py")
    place.parent.mkdir(exist_ok=True)
    place.touch()
    inherited = {key: value for key, value in os.environ.items() if key not in ("PYTHONSAFEPATH", "PYTHONPATH")}
    path = {} if path is None else {"PYTHONPATH": path}
    done = subprocess.run(
        command, cwd=folder, env={**inherited, **path}, capture_output=True, text=True, timeout=HANG_SECONDS
    )
    return done.returncode, (done.stderr.splitlines() or [""])[-1], str(place)


@pytest.mark.sample(6)
@pytest.mark.parametrize("is_file", [False, True])
@pytest.mark.parametrize("package", PACKAGES)
@pytest.mark.parametrize("before", ["", "import {package}; "])
def test_an_import_names_the_file_that_hides_a_package(tmp_path, package, before, is_file):
    code = f"{before.format(package=package)}import playout"
    status, last, place = run_beside(package, tmp_path, [*PYTHON, code], is_file=is_file)
    assert status == 1
    assert last == f"ImportError: {place} hides the package {package!r} of Playout; rename it, or run elsewhere"


@pytest.mark.parametrize("is_file", [False, True])
@pytest.mark.parametrize("package", PACKAGES)
def test_the_command_names_the_file_that_hides_a_package(tmp_path, package, is_file):
    command = [PLAYOUT, "games"]
    status, last, place = run_beside(package, tmp_path, command, is_file=is_file, path=str(tmp_path))
    assert (status, last) == (
        2,
        f"playout: {place} hides the package {package!r} of Playout; rename it, or run elsewhere",
    )


def test_the_module_as_a_command_names_the_file(tmp_path):
    status, last, place = run_beside("bots", tmp_path, [sys.executable, "-m", "playout", "games"])
    assert status == 1
    assert f"{place} hides the package 'bots' of Playout; rename it, or run elsewhere" in last


@sweep("package", PACKAGES, 1)
def test_the_command_works_in_a_folder_with_such_a_package(tmp_path, package):
    assert run_beside(package, tmp_path, [PLAYOUT, "games"])[:2] == (0, "")


def test_the_library_works_beside_another_package_bots(tmp_path):
    assert run_beside("bots", tmp_path, [*PYTHON, "import mcts; mcts.load_game('mnk')"])[:2] == (0, "")


@pytest.mark.parametrize("package", PACKAGES)
def test_a_module_beside_our_folder_hides_nothing(tmp_path, package):
    """Python prefers a folder to a module of the same name, such as the `mcts.py` of the package `mcts` of PyPI."""
    shutil.copytree(Path(playout.__file__).parent, tmp_path / "playout")
    for name in PACKAGES:
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").touch()
    command = [*PYTHON, "import playout; print(playout.__file__)"]
    assert run_beside(package, tmp_path, command, is_file=True)[:2] == (0, "")
