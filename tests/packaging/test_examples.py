"""The examples: every one runs as a script and writes nothing to standard error."""

import os
import subprocess
import sys

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
