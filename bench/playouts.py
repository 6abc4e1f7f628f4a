"""Measure the random playouts per second on one thread of every registered game, and compare one game with plain C.

usage: python bench/playouts.py [SPEC ...] [--repeats N] [--seconds S], where playout is installed
"""

import argparse
import os
import shutil
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

from rich.console import Console
from rich.table import Table

import mcts
from cext import _variant
from cext.parameters import Choice, Flag

C_SOURCE = Path(__file__).parent / "c" / "three_player_playouts.c"
C_GAME = "three_player_ttt"
C_FLAGS = ["-O3", "-march=x86-64-v3"]
C_COUNT = 1_000_000
SEED = 1


class NoComparisonError(Exception):
    """The C program cannot be built or run. The message has the reason."""


def every_spec():
    """Return the specs of all registered games: with default parameters, and with each value of flags and choices."""
    specs = []
    for name in mcts.registered_games():
        specs.append(mcts.load_game(name).spec)
        for parameter, kind in mcts.game_info(name).parameters.items():
            options = kind.options if isinstance(kind, Choice) else (False, True) if isinstance(kind, Flag) else ()
            specs += [mcts.load_game(name, **{parameter: o}).spec for o in options if o != kind.default]
    return specs


def seconds_of(state, count):
    """Return the time of `count` playouts in seconds."""
    begin = time.perf_counter()
    mcts.playouts(state, count, seed=SEED)
    return time.perf_counter() - begin


def best_rate(spec, repeats, seconds):
    """Return the playouts per second from the first state: the best of `repeats` measurements of `seconds` each."""
    state = mcts.load_game(spec).new_initial_state()
    count = 1000
    while (taken := seconds_of(state, count)) < seconds / 10:
        count *= 4
    count = max(1, int(count * seconds / taken))
    return max(count / seconds_of(state, count) for _ in range(repeats))


def build_c_program(folder):
    """Compile the C program and return its path. Raises NoComparisonError."""
    compiler = shutil.which(os.environ.get("CC", "cc"))
    if compiler is None:
        raise NoComparisonError("no C compiler was found; set CC, or install one as cc")
    if _variant.V3 not in _variant.available():
        raise NoComparisonError("the C program needs a processor with AVX2 and BMI2, and the build for such processors")
    program = Path(folder) / C_SOURCE.stem
    done = subprocess.run([compiler, *C_FLAGS, str(C_SOURCE), "-o", str(program)], capture_output=True, text=True)
    if done.returncode:
        raise NoComparisonError(f"{compiler} {' '.join(C_FLAGS)} failed: {done.stderr.strip()}")
    return program


def beside_c(repeats):
    """Return the rates of the game and of the C program, and their ratio: medians of interleaved measurements.

    Raises:
        NoComparisonError: the program cannot be built, or does not play the same games.
    """
    state = mcts.load_game(C_GAME).new_initial_state()
    ours, theirs = [], []
    with tempfile.TemporaryDirectory() as folder:
        program = build_c_program(folder)
        for _ in range(repeats):
            ours.append(C_COUNT / seconds_of(state, C_COUNT))
            done = subprocess.run([program, str(C_COUNT), str(SEED)], capture_output=True, text=True, check=True)
            seconds, *sums = done.stdout.split()
            theirs.append(C_COUNT / float(seconds))
    means = mcts.playouts(state, C_COUNT, seed=SEED)
    if [round(mean * C_COUNT) for mean in means] != list(map(int, sums)):
        raise NoComparisonError(f"the C program played other games: its returns sum to {sums}; means: {means.tolist()}")
    ratio = statistics.median(a / b for a, b in zip(ours, theirs, strict=True))
    return statistics.median(ours), statistics.median(theirs), ratio


def main():
    """Measure and print the results."""
    arguments = argparse.ArgumentParser(description="Measure the random playouts per second on one thread.")
    arguments.add_argument("spec", nargs="*", help="games to measure; default: all")
    arguments.add_argument("--repeats", type=int, default=5, help="measurements per game; the best is shown")
    arguments.add_argument("--seconds", type=float, default=0.2, help="duration of one measurement")
    given = arguments.parse_args()
    if given.repeats < 1 or given.seconds <= 0:
        arguments.error("--repeats must be at least 1 and --seconds above 0")
    console = Console()
    table = Table("game", title=f"Playouts on one thread, machine code {_variant.NAME}")
    table.add_column("playouts/s", justify="right")
    table.add_column("ns each", justify="right")
    for spec in given.spec or every_spec():
        rate = best_rate(spec, given.repeats, given.seconds)
        table.add_row(spec, f"{rate:,.0f}", f"{1e9 / rate:,.1f}")
    console.print(table)
    try:
        ours, theirs, ratio = beside_c(2 * given.repeats + 1)
    except NoComparisonError as reason:
        console.print(f"{C_GAME} is not compared with plain C: {reason}", soft_wrap=True)
        return
    console.print(
        f"{C_GAME}, interleaved: {ours:,.0f} playouts/s, plain C {theirs:,.0f} playouts/s, ratio {ratio:.2f}",
        highlight=False,
        soft_wrap=True,
    )


if __name__ == "__main__":
    main()
