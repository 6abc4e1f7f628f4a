"""Random playouts of one game beside a plain C program that plays the same games."""

import os
import shutil
import subprocess
import time
from pathlib import Path

import pytest

import mcts
from bench.interleaved import Contestant
from cext import _variant
from cext.playouts import UNIT, play_chunks

SOURCE = Path(__file__).parent / "c" / "three_player_playouts.c"
GAME = "three_player_ttt(torus=false)"
FLAGS = ["-O3", "-march=x86-64-v3"]
COUNT = 500_000
SHORT_COUNT = 1000
SEED = 1


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    """Return the path of the compiled program."""
    compiler = shutil.which(os.environ.get("CC", "cc"))
    if compiler is None:
        pytest.skip("no C compiler was found; set CC, or install one as cc")
    if _variant.V3 not in _variant.available():
        pytest.skip("the C program needs a processor with AVX2 and BMI2, and the build for such processors")
    path = tmp_path_factory.mktemp("c") / SOURCE.stem
    done = subprocess.run([compiler, *FLAGS, str(SOURCE), "-o", str(path)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return path


@pytest.mark.passes(5)
def bench_plain_c(interleaved, program):
    """Measure both. They draw the same random numbers, so the sums of their returns must be equal."""
    count = SHORT_COUNT if interleaved.short else COUNT
    state = mcts.load_game(GAME).new_initial_state()
    sums = {}

    def ours():
        begin = time.perf_counter()
        totals = play_chunks(state, SEED, count, 0, 1, False, by="playout")
        taken = time.perf_counter() - begin
        sums["playout"] = [round(total / UNIT) for total in totals]
        return taken

    def plain_c():
        done = subprocess.run([program, str(count), str(SEED)], capture_output=True, text=True, check=True)
        seconds, *returns = done.stdout.split()
        sums["C"] = list(map(int, returns))
        return float(seconds)

    labels = {"flags": " ".join(FLAGS)}
    interleaved(
        [
            Contestant(f"plain_c/{GAME}, playout", "playouts", count, ours),
            Contestant(f"plain_c/{GAME}, C", "playouts", count, plain_c, labels),
        ]
    )
    assert sums["playout"] == sums["C"]
