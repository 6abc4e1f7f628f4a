"""Measure simulations per second and bytes per simulation of MCTS, in all games with listed actions.

usage: python -m bench.search [SPEC ...] [--simulations N] [--repeats N]
"""

import argparse

import mcts
from cext import _variant

from .playouts import every_spec

MEMORY_MB = 1024


def measure(spec, simulations, threads):
    """Return the simulations per second and the bytes of tree per simulation of one search."""
    game = mcts.load_game(spec)
    searcher = mcts.MCTS(game, threads=threads, memory_mb=MEMORY_MB)
    found = searcher.run(game.new_initial_state(), simulations=simulations)
    return found.simulations / found.seconds, found.memory_bytes / found.simulations


def row(spec, simulations, repeats):
    """Return the best rate of one thread, its bytes per simulation, and the rate of two threads relative to it.

    Each of the two threads does as many simulations as the one.
    """
    one, two = [], []
    for _ in range(repeats):  # alternating, so that other load on the machine affects both
        one.append(measure(spec, simulations, 1))
        two.append(measure(spec, 2 * simulations, 2))
    rate, size = max(one)
    return rate, size, max(two)[0] / rate


def main():
    """Measure and print the results."""
    arguments = argparse.ArgumentParser(description="Measure Monte Carlo tree search with its default policies.")
    arguments.add_argument("spec", nargs="*", help="games to measure; default: all with listed actions")
    arguments.add_argument("--simulations", type=int, default=100_000, help="simulations per search and thread")
    arguments.add_argument("--repeats", type=int, default=3, help="searches of each kind, of which the best is shown")
    given = arguments.parse_args()
    if given.simulations < 1 or given.repeats < 1:
        arguments.error("--simulations and --repeats must be at least 1")
    specs = given.spec or [spec for spec in every_spec() if mcts.load_game(spec).is_enumerable]
    width = max(map(len, specs))
    print(f"{given.simulations:,} simulations per thread from the first state, machine code {_variant.NAME}")
    print(f"{'game':{width}}  simulations/s  bytes/simulation  two threads/one")
    for spec in specs:
        rate, size, ratio = row(spec, given.simulations, given.repeats)
        print(f"{spec:{width}}  {rate:13,.0f}  {size:16.1f}  {ratio:15.2f}", flush=True)


if __name__ == "__main__":
    main()
