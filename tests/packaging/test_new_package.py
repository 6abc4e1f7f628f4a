"""`playout new`: what it writes installs, plays, keeps the contract and passes its own tests."""

import ast
import os
import shutil
import subprocess
import sys

import pytest
from waiting import BUILD_SECONDS

import mcts
from bots.new_package.write import KINDS, write_package


def names(paths):
    return {path.name for path in paths}


@pytest.mark.parametrize("kind", KINDS)
def test_the_files_have_no_placeholders(kind, tmp_path):
    written = write_package(kind, "my_thing", tmp_path / "package")
    assert {"pyproject.toml", "README.md", "__init__.py"} <= names(written)
    for path in written:
        text = path.read_text()
        assert "$" not in text
        assert "PACKAGE" not in f"{text}{path}"
        if path.suffix == ".py":
            ast.parse(text)
    assert (tmp_path / "package" / "src" / "my_thing" / "__init__.py").exists()


@pytest.mark.parametrize("name", ["", "My", "a b", "../x", "3x", "class", "x__y", "_x", "ä", "json", "mnk"])
def test_a_bad_name_is_refused_and_nothing_is_written(name, playout, tmp_path):
    ran = playout("new", "game", name, "--folder", str(tmp_path / "package"))
    assert ran.status == 2
    assert repr(name) in ran.err
    assert not (tmp_path / "package").exists()


def test_a_folder_that_exists_is_kept(playout, tmp_path):
    (tmp_path / "kept").write_text("x")
    ran = playout("new", "bot", "my_bot", "--folder", str(tmp_path))
    assert ran.status == 2
    assert "exists" in ran.err
    assert names(tmp_path.iterdir()) == {"kept"}


def test_bad_arguments_are_named(playout, tmp_path):
    folder = str(tmp_path / "package")
    assert "valid: game, bot" in playout("new", "engine", "my_thing", "--folder", folder).err
    assert "--cython is for games" in playout("new", "bot", "my_thing", "--cython", "--folder", folder).err
    assert "--secrets is for games" in playout("new", "bot", "my_thing", "--secrets", "--folder", folder).err
    assert "valid: one of them" in playout("new", "game", "x1", "--secrets", "--cython", "--folder", folder).err


def run(words, folder, **environment):
    done = subprocess.run(
        words, cwd=folder, env={**os.environ, **environment}, capture_output=True, text=True, timeout=BUILD_SECONDS
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.long
@pytest.mark.parametrize("kind", KINDS)
def test_a_package_installs_plays_and_passes_its_tests(kind, tmp_path):
    folder, target = tmp_path / "package", tmp_path / "installed"
    name = f"new_{kind}"
    write_package(kind, name, folder)
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-build-isolation", "--no-deps", "--no-index"]
    run([*pip, "--target", str(target), str(folder)], tmp_path)
    path = os.pathsep.join([str(target), *(entry for entry in sys.path if entry)])
    playout = [sys.executable, "-P", "-m", "bots.cli"]
    if kind == "bot":
        spec = f"{name}.bot.NewBot"
        assert spec in run(
            [*playout, "arena", "mnk", spec, "random", "--games", "4", "--no-db"], tmp_path, PYTHONPATH=path
        )
    else:
        assert name in run([*playout, "games"], tmp_path, PYTHONPATH=path)
        assert "No rule is broken" in run([*playout, "check", name], tmp_path, PYTHONPATH=path)
        bot = "ismcts" if kind == "secrets" else "mcts"
        run([*playout, "arena", name, bot, "random", "--games", "4", "--no-db"], tmp_path, PYTHONPATH=path)
    tests = [sys.executable, "-P", "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests"]
    assert " passed" in run(tests, folder, PYTHONPATH=path)
    shutil.rmtree(target)


def test_the_next_step_installs_the_folder_and_nothing_of_that_name_from_elsewhere(playout, tmp_path):
    assert "Next: pip install -e ./first; then see first/README.md\n" in playout("new", "game", "first").out
    found = playout("new", "game", "second", "--cython", "--folder", "sub/second")
    assert "Next: pip install --no-build-isolation ./sub/second, which needs cython; then see" in found.out
    folder = tmp_path / "third"
    assert f"Next: pip install -e {folder}; then" in playout("new", "bot", "third", "--folder", str(folder)).out


def test_the_example_of_a_game_keeps_the_contract(tmp_path, monkeypatch):
    write_package("game", "new_heap", tmp_path / "package")
    monkeypatch.syspath_prepend(str(tmp_path / "package" / "src"))
    game = mcts.load_game("new_heap.game.NewHeap")
    assert mcts.check_game(game, games=20).passed
    sys.modules.pop("new_heap.game")
    sys.modules.pop("new_heap")


@pytest.mark.parametrize("folder", ["bots/my_bot", "bots", "mcts/my_bot", "cext"])
def test_a_folder_that_can_hide_a_package_of_playout_is_refused(playout, tmp_path, folder):
    found = playout("new", "bot", "my_bot", "--folder", folder)
    assert found.status == 2
    assert f"can hide the package {folder.split('/')[0]} of Playout" in found.err
    assert list(tmp_path.iterdir()) == []
