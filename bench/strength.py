"""Measure bots against exact play, by simulations, and store the results in bench/results/strength.json.

    python -m bench.strength                                   # all games, about half an hour on one core
    python -m bench.strength --game points_ttt --states 20     # one game, quickly

The loss of a decision is the exact value of a state minus the value of the bot's strategy there. Exploitability is what
exact best responses win against the bot from a state to the end; it is measured in states with few states below them.
Where bids are hidden, both are of the whole game. Results of games that are not measured again stay.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator

import mcts
from bots.benchmark.result_file import Result
from bots.studies.analysis.regret import HiddenRegret, Regret, measure, measure_hidden, sample_positions

from .stored import add_out, store

OPEN_BOTS = ["mcts", "mcts(solver=false,transpositions=false)"]
GAMES = {
    "mnk(m=3,n=3,k=3)": OPEN_BOTS,
    "mnk(m=4,n=4,k=3)": OPEN_BOTS,
    "mnk(m=4,n=4,k=4)": OPEN_BOTS,
    "points_ttt": OPEN_BOTS,
    "bidding_ttt(coins=3)": OPEN_BOTS,
    "bidding_ttt(coins=10)": OPEN_BOTS,
    "bidding_ttt(coins=20)": OPEN_BOTS,
    "tic_block(block_phase=simultaneous)": OPEN_BOTS,
}
BUDGETS = [10, 30, 100, 300, 1000, 3000, 10_000]


def measured(spec: str, bots: list[str], states: int, below: int) -> Iterator[Result]:
    """Yield a result for each bot and budget in a game.

    Args:
        spec: the game.
        bots: the bots.
        states: number of states in the sample.
        below: exploitability is measured in states with at most this many states below them.
    """
    game = mcts.load_game(spec)
    solution = mcts.solve(game, memory_mb=6000)
    hidden = game.has_hidden_information
    positions = [] if hidden else sample_positions(game, states, seed=0, most_below=below)
    for bot in bots:
        found: Iterator[Regret] | Iterator[HiddenRegret]
        found = measure_hidden(solution, bot, BUDGETS) if hidden else measure(solution, bot, BUDGETS, positions)
        for point in found:
            name = f"strength/{spec}/{bot}/{point.simulations}"
            labels = {"game": spec, "bot": bot}
            values = {"simulations": float(point.simulations or 0)}
            values |= {key: float(value or 0) for key, value in point.values().items()}
            yield Result(name, values=values, labels=labels)


def main() -> None:
    """Measure and store."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", action="append", choices=list(GAMES), help="one game; may be repeated")
    parser.add_argument("--bot", action="append", help="one bot; may be repeated")
    parser.add_argument("--states", type=int, default=200, help="states of the sample (%(default)s)")
    parser.add_argument("--below", type=int, default=300, help="most states below for exploitability (%(default)s)")
    add_out(parser, "strength")
    given = parser.parse_args()
    for spec in given.game or GAMES:
        results = []
        bots = [bot for bot in GAMES[spec] if given.bot is None or bot in given.bot]
        for result in measured(spec, bots, given.states, given.below):
            results.append(result)
            print(f"{result.name}: mean loss {result.values['loss']:.3f}", flush=True)
        store(given.out, ["python", "-m", "bench.strength", *sys.argv[1:]], results)


if __name__ == "__main__":
    main()
