"""Measure the bytes of search tree per simulation, and the resident memory of the process.

usage: python -m bench.memory [SPEC ...] [--simulations N]
"""

import argparse
import subprocess
import sys

from rich.console import Console
from rich.table import Table

SPECS = ("mnk(m=5,n=5,k=4)", "mnk(m=3,n=3,k=3)", "three_player_ttt", "points_ttt", "tic_block", "bidding_ttt")
TARGET = "at most 96 bytes per simulation on mnk(m=5,n=5,k=4) after 100,000 simulations"

# Runs in a process of its own: a search would reuse memory that an earlier search has freed, and seem to need less.
SEARCH = """
import resource, sys
import mcts
game = mcts.load_game(sys.argv[1])
state = game.new_initial_state()
mcts.MCTS(game, memory_mb=1).run(state, simulations=1000)
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
result = mcts.MCTS(game, memory_mb=4096).run(state, simulations=int(sys.argv[2]))
grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
print(result.simulations, result.nodes, result.memory_bytes, grown * 1024)
"""


def main():
    """Measure and print the results."""
    parser = argparse.ArgumentParser(description=f"Measure the memory of search trees; the target is {TARGET}.")
    parser.add_argument("spec", nargs="*", default=SPECS, help="games to measure")
    parser.add_argument("--simulations", type=int, default=100_000)
    given = parser.parse_args()
    table = Table("game", title=f"Memory of a search of {given.simulations:,} simulations")
    for column in ("nodes", "tree bytes/simulation", "resident bytes/simulation"):
        table.add_column(column, justify="right")
    for spec in given.spec:
        command = [sys.executable, "-c", SEARCH, spec, str(given.simulations)]
        output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        done, nodes, used, grown = map(int, output.split())
        table.add_row(spec, f"{nodes:,}", f"{used / done:.1f}", f"{grown / done:.1f}")
    Console().print(table)
    print(f"Target: {TARGET}.")


if __name__ == "__main__":
    main()
