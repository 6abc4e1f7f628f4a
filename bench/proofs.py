"""Count the simulations until searches with simultaneous bids prove the value of a state.

usage: python -m bench.proofs [--out FILE]

The counts depend on seeds alone: every machine finds the same.
"""

import argparse

import mcts
from bots.benchmark.result_file import Result
from bots.studies.analysis.regret import sample_positions

from .stored import add_out, store

SPEC = "bidding_ttt(coins=3)"
SEEDS = range(4)
STATES = 100
MOST = 20_000
"""Simulations after which a search gives up."""


def simulations_to_proof(state, seed):
    """Return the number of simulations until the value of a state is proven, or None if MOST are not enough."""
    searcher = mcts.MCTS.plain(state.game, solver=True, transpositions=True, seed=seed)
    found = searcher.run(state, simulations=MOST)
    return found.simulations if found.proven else None


def measure(spec=SPEC, states=STATES):
    """Return the results: the first state with several seeds, and states of random games."""
    game = mcts.load_game(spec)
    solution = mcts.solve(game, cache=False)
    first = {f"seed_{seed}": simulations_to_proof(game.new_initial_state(), seed) for seed in SEEDS}
    positions = sample_positions(game, states, seed=0, most_below=0)
    counts = [simulations_to_proof(position.state, seed=0) for position in positions]
    proven = [count for count in counts if count is not None]
    return (
        Result(
            f"proofs/{spec}, first state", values={name: count for name, count in first.items() if count is not None}
        ),
        Result(
            f"proofs/{spec}, random games",
            values={
                "states": len(counts),
                "proven": len(proven),
                "mean_simulations": sum(proven) / len(proven),
                "most_simulations": max(proven),
            },
        ),
        Result(f"proofs/{spec}, solution", values={"states": solution.num_states, "value": solution.value()[0]}),
    )


def main():
    """Measure and write the results."""
    parser = argparse.ArgumentParser(description="Count the simulations until searches prove the value of a state.")
    add_out(parser, "proofs")
    path = parser.parse_args().out
    results = measure()
    store(path, ["python", "-m", "bench.proofs"], results)
    for result in results:
        print(result.name, *(f"{name} {number:,.6g}" for name, number in result.values.items()))


if __name__ == "__main__":
    main()
