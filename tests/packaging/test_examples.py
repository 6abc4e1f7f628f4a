"""The examples: every one runs as a script and writes nothing to standard error."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from support import ROOT

EXAMPLES = sorted((ROOT / "examples").glob("*.py"))


def run_example(path):
    """Run a script as a user would, with this interpreter's modules; its standard output."""
    done = subprocess.run(
        [sys.executable, "-P", str(path)], env=os.environ, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    return done.stdout


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.name)
def test_every_example_runs(path):
    assert run_example(path).strip()


def test_the_search_beats_random_play_in_the_game_written_in_python():
    (path,) = (path for path in EXAMPLES if path.name == "python_game.py")
    told = run_example(path)
    assert "returns: {'upright': 1.0, 'flat': 0.0}" in told
    assert "the game failed: four cells are covered" in told


@pytest.mark.skipif(shutil.which("cc") is None, reason="needs a C compiler called cc")
def test_the_opponent_in_c_plays_a_game_and_reports_errors(tmp_path):
    program = tmp_path / "embed"
    source = ROOT / "examples" / "embed.c"
    subprocess.run(["cc", "-Wall", "-Wextra", "-Werror", "-o", str(program), str(source)], check=True)
    folders = [str(Path(sys.executable).parent), os.environ["PATH"]]
    settings = {**os.environ, "PATH": os.pathsep.join(folders)}

    def play(bot, environment=settings):
        return subprocess.run([program, bot, "7"], env=environment, capture_output=True, text=True, timeout=60)

    played = play("mcts(simulations=500)")
    assert played.returncode == 0, played.stderr
    assert played.stdout.splitlines()[-1] == "result: p2win"  # the first blank cell is no match for a search
    assert played.stderr == ""
    unknown = play("no_such_bot")
    assert unknown.returncode == 1
    assert "unknown bot 'no_such_bot'" in unknown.stderr
    absent = play("mcts", {**settings, "PATH": str(tmp_path)})
    assert absent.returncode == 1
    assert "is it on the path?" in absent.stderr


@pytest.mark.skipif(shutil.which("node") is None, reason="needs Node.js")
def test_the_host_in_javascript_plays_every_kind_of_game_and_reports_errors(tmp_path):
    node = shutil.which("node")
    settings = {**os.environ, "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])}

    def play(*words, environment=settings):
        program = [node, str(ROOT / "examples" / "host.mjs"), *words]
        return subprocess.run(program, env=environment, capture_output=True, text=True, timeout=60)

    for words, last in (
        (["mnk", "greedy", "random"], "returns: "),
        (["three_player_ttt", "random"], "returns: "),
        (["bidding_ttt", "greedy"], "returns: "),
    ):
        played = play(*words)
        assert played.returncode == 0, played.stderr
        assert played.stderr == ""
        assert played.stdout.splitlines()[-1].startswith(last)
    assert "|" in play("bidding_ttt", "random").stdout  # bids of both players
    unknown = play("mnk", "no_such_bot")
    assert unknown.returncode == 1
    assert "unknown bot 'no_such_bot'" in unknown.stderr
    absent = play("mnk", environment={**settings, "PATH": str(tmp_path)})
    assert absent.returncode == 1
    assert "cannot start playout" in absent.stderr
