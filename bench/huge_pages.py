"""Simulations a second of large searches with huge pages and without them, on Linux.

    PYTHONPATH=. .venv/bin/python -P -m bench.huge_pages [--simulations 100000,1000000] [--passes 5]

Each search has a process of its own, whose memory the kernel keeps from huge pages by PR_SET_THP_DISABLE or not. Both
kinds take turns; a ratio is the median over the passes. It compares nothing where the system gives no huge pages.
"""

import argparse
import ctypes
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path

import mcts

GAMES = ("mnk(m=5,n=5,k=4)", "mnk(m=7,n=7,k=5)", "three_player_ttt")
SELECTIONS = ("ucb1", "grave")
MEMORY_MB = 4000
PR_SET_THP_DISABLE = 41
ENABLED = Path("/sys/kernel/mm/transparent_hugepage/enabled")


def run_once(spec, selection, simulations, huge):
    """Return simulations a second of one search in this process. Without huge pages, none are used from now on."""
    if not huge:
        libc = ctypes.CDLL(None, use_errno=True)
        if libc.prctl(PR_SET_THP_DISABLE, *map(ctypes.c_ulong, (1, 0, 0, 0))):
            raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    game = mcts.load_game(spec)
    searcher = mcts.MCTS(game, selection=selection, memory_mb=MEMORY_MB, seed=1)
    begin = time.process_time()
    done = searcher.run(game.new_initial_state(), simulations=simulations).simulations
    return done / (time.process_time() - begin)


def measured(spec, selection, simulations, huge):
    """Return what `run_once` returns in a new process."""
    command = [sys.executable, "-P", "-m", __spec__.name, "--one", spec, selection, str(simulations), str(int(huge))]
    return float(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def main():
    """Measure and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--simulations", default="100000,1000000", help="of each search (default: %(default)s)")
    parser.add_argument("--passes", type=int, default=5, help="searches of each kind (default: %(default)s)")
    parser.add_argument("--one", nargs=4, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.one:
        spec, selection, simulations, huge = given.one
        print(run_once(spec, selection, int(simulations), huge == "1"))
        return
    if not ENABLED.exists() or "[never]" in ENABLED.read_text():
        raise SystemExit("this system gives no huge pages")
    print("| Game | Selection | Simulations | A second, with huge pages | Without = 1 | Range of the passes |")
    print("| --- | --- | ---: | ---: | ---: | ---: |")
    for spec in GAMES:
        for selection in SELECTIONS:
            for simulations in map(int, given.simulations.split(",")):
                pairs = []
                for number in range(given.passes):
                    order = (True, False) if number % 2 else (False, True)
                    rates = {huge: measured(spec, selection, simulations, huge) for huge in order}
                    pairs.append((rates[True], rates[True] / rates[False]))
                rate = statistics.median(pair[0] for pair in pairs)
                ratios = [pair[1] for pair in pairs]
                print(
                    f"| `{spec}` | `{selection}` | {simulations:,} | {rate / 1e6:.2f} million "
                    f"| {statistics.median(ratios):.2f} | {min(ratios):.2f} to {max(ratios):.2f} |",
                    flush=True,
                )


if __name__ == "__main__":
    main()
