"""Measure the loss of searches whose tree fills its memory, and store the results in bench/results/memory_cap.json.

    python -m bench.memory_cap                                # ten minutes on one core
    python -m bench.memory_cap --game points_ttt --states 20  # one game, quickly

In each state of a sample, a search runs without a limit of memory that matters, then again with fractions of the memory
that it took. The loss of a decision is the exact value of the state minus the value of the strategy there.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from statistics import fmean, stdev

import mcts
from bots.analysis.regret import Position, sample_positions
from bots.benchmark.result_file import Result
from cext.search.search import Search
from mcts.confidence import CONFIDENCE_95

from .stored import add_out, store

GAMES = ["mnk(m=4,n=4,k=3)", "points_ttt", "bidding_ttt(coins=3)", "tic_block(block_phase=simultaneous)"]
SIMULATIONS = 30_000
"""Of each decision."""
OPTIONS = {
    "plain": {"solver": False, "transpositions": False},
    "solver": {"solver": True, "transpositions": False},
    "transpositions": {"solver": False, "transpositions": True},
    "solver and transpositions": {"solver": True, "transpositions": True},
}
FRACTIONS = [1, 4, 16]
WHOLE = 1 << 28
LEAST = 8192
"""Bytes of memory at least: less may not even hold the root."""


def search_with(state: mcts.State, memory: int, simulations: int, seed: int, **options: bool) -> Search:
    """Return a search that has run from a state, with the policies of `mcts.MCTS`."""
    policies = {"selection": "ucb1", "joint_selection": "regret_matching", "playout": "uniform", "exploration": 0.4}
    search = Search(state.game, memory_bytes=memory, **policies, **options)
    search.set_root(state, seed)
    search.run(simulations, 1e9)
    return search


def losses_of(search: Search, state: mcts.State, solution: mcts.Solution) -> Iterator[float]:
    """Yield the loss of each player who has a choice: of the best action, or of the mixed strategy, that was found."""
    record = search.root_record(False, True)
    for player, rows in record.root_arms().items():
        if len(rows) > 1:
            weights = {row.action: row.weight for row in rows}
            if record.num_deciding == 1:
                weights = {record.action: 1.0}
            total = sum(weights.values())
            yield solution.loss(state, player, {action: weight / total for action, weight in weights.items()})


def measured(spec: str, positions: list[Position], simulations: int) -> Iterator[Result]:
    """Yield a result for each set of options."""
    solution = mcts.solve(mcts.load_game(spec), memory_mb=6000)
    for name, options in OPTIONS.items():
        losses: dict[int, list[float]] = {fraction: [] for fraction in FRACTIONS}
        sizes = []
        for position in positions:
            sizes.append(0)
            for fraction in FRACTIONS:
                memory = max(sizes[-1] // fraction, LEAST) if sizes[-1] else WHOLE
                search = search_with(position.state, memory, simulations, seed=1, **options)
                sizes[-1] = sizes[-1] or search.memory_bytes
                losses[fraction] += losses_of(search, position.state, solution)
        values = {"megabytes": fmean(sizes) / 1e6, "decisions": float(len(losses[1]))}
        for fraction, amounts in losses.items():
            values[f"loss_{fraction}"] = fmean(amounts)
            values[f"error_{fraction}"] = CONFIDENCE_95 * stdev(amounts) / len(amounts) ** 0.5
        yield Result(f"memory_cap/{spec}/{name}", values=values, labels={"game": spec, "options": name})


def main() -> None:
    """Measure and store."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", action="append", choices=GAMES, help="one game; may be repeated")
    parser.add_argument("--states", type=int, default=150, help="states of the sample (%(default)s)")
    add_out(parser, "memory_cap")
    given = parser.parse_args()
    for spec in given.game or GAMES:
        positions = sample_positions(mcts.load_game(spec), given.states, seed=0, most_below=0)
        results = []
        for result in measured(spec, positions, SIMULATIONS):
            results.append(result)
            print(f"{result.name}:", *(f"{key}={value:.3f}" for key, value in result.values.items()), flush=True)
        store(given.out, ["python", "-m", "bench.memory_cap", *sys.argv[1:]], results)


if __name__ == "__main__":
    main()
