"""Solve games and print a table: states, value to the first player, stages with mixed strategies, time, memory.

    python bench/exact.py                       # all games that take at most two minutes
    python bench/exact.py 'mnk(m=4,n=3,k=3)'    # some games

Each game is solved in a process of its own. The cache is neither read nor written.
"""

import argparse
import multiprocessing
import resource
import time

import mcts

GAMES = [
    "mnk(m=3,n=3,k=3)",
    "mnk(m=4,n=3,k=3)",
    "mnk(m=4,n=4,k=3)",
    "mnk(m=4,n=4,k=4)",
    "points_ttt",
    *(f"bidding_ttt(coins={coins})" for coins in range(21)),
    "tic_block(block_phase=alternating)",
    "tic_block(block_phase=simultaneous)",
]
COLUMNS = "{:38} {:>15} {:>11} {:>10} {:>11} {:>10} {:>8} {:>7}"


def measure(spec, threads, pipe):
    """Solve one game and send the cells of its row."""
    before = time.perf_counter()
    solution = mcts.solve(mcts.load_game(spec), cache=False, memory_mb=6000, threads=threads)
    seconds = time.perf_counter() - before
    megabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    pipe.send(
        (
            spec,
            f"{solution.num_states:,}",
            f"{solution.num_canonical_states:,}",
            f"{solution.value()[0]:.6g}",
            f"{solution.num_simultaneous_stages:,}",
            f"{solution.num_mixed_stages:,}",
            f"{seconds:.2f}",
            f"{megabytes:.0f}",
        )
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("games", nargs="*", default=GAMES)
    parser.add_argument("--threads", type=int, default=1)
    given = parser.parse_args()
    print(COLUMNS.format("game", "states", "canonical", "value", "both decide", "mixed", "seconds", "MB"))
    for spec in given.games:
        # One process per game, so that the memory of a game is not counted for the next.
        here, there = multiprocessing.Pipe(duplex=False)
        child = multiprocessing.get_context("spawn").Process(target=measure, args=(spec, given.threads, there))
        child.start()
        there.close()
        try:
            print(COLUMNS.format(*here.recv()), flush=True)
        except EOFError:
            print(f"{spec}: failed")
        child.join()


if __name__ == "__main__":
    main()
