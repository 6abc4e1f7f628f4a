"""How much a best reply gains against the strategies of the bot double_oracle in the last round.

    python -m bench.last_rounds                                            # about a minute
    python -m bench.last_rounds --game "bidding_3d_ttt" --simulations 1000000

The positions are from games of the bot against `proportional`; both purses are taken as known. The strategy of a player
is the mean over seeds. A best reply is made by local moves against bids from the first half of the seeds, and valued
against bids from the other half. The sum of what both replies win more than 100 points is a lower bound of the
exploitability of the mean strategies (NashConv), 0 in an equilibrium.
"""

from __future__ import annotations

import argparse
import random
import statistics
import time
from typing import TYPE_CHECKING

import mcts
from bots import load_bot
from cext.stages.best_reply import MOST_BIDS, BestReply
from cext.stages.solver import RoundSolver

if TYPE_CHECKING:
    from mcts import Game, State

SEEDS = 16
REPLY_VALUES = 150_000
"""Values of positions of the solution in which replies begin."""
STARTS = 6
PATIENCES = 400, 1500
"""Moves that fail in a row before a reply is final: from each start, and from the best reply of all."""
LEAST = 0.01
"""Bids of a smaller probability are left out, as the bot does."""


def last_positions(game: Game, count: int) -> list[State]:
    """Return positions before the last round of different games."""
    found: list[State] = []
    number = 0
    while len(found) < count:
        pair = [load_bot("double_oracle(simulations=20000)"), load_bot("proportional")]
        state = game.new_initial_state()
        for player, bot in enumerate(pair):
            bot.new_game(game, player, number)
        while not state.is_terminal():
            if state.to_dict()["round"] == 3:
                found.append(state.clone())
                break
            state.apply_actions([bot.choose(state.view(player)) for player, bot in enumerate(pair)])
        number += 1
    return found


def gain(state: State, simulations: int, draw: random.Random) -> tuple[float, float]:
    """Return what both replies win more than 100 points together, and the seconds of one solution."""
    held, seconds = 0.0, 0.0
    for player in range(2):
        strategies = []
        for _ in range(SEEDS):
            began = time.process_time()
            solver = RoundSolver(state, player, seed=draw.getrandbits(60))
            solver.grow(simulations)
            solver.settle()
            seconds += time.process_time() - began
            strategies.append(solver.strategy(LEAST))
        purse = state.to_dict()["chips"][player]
        known, fresh = (
            [
                (bid, purse, 1.0)
                for strategy in half
                for bid in draw.choices(
                    [bid for bid, _ in strategy],
                    [weight for _, weight in strategy],
                    k=MOST_BIDS // len(half),
                )
            ]
            for half in (strategies[: SEEDS // 2], strategies[SEEDS // 2 :])
        )
        rival = RoundSolver(state, 1 - player, seed=draw.getrandbits(60))
        rival.grow(REPLY_VALUES)
        rival.settle()
        replies = BestReply(rival, known)
        starts = sorted((bid for bid, _ in rival.strategy()), key=replies.value, reverse=True)[:STARTS]
        found = [replies.improve(bid, PATIENCES[0]) for bid in (*starts, replies.fill_knapsack(starts[0]))]
        bid, _ = max(found, key=lambda reply: reply[1])
        bid, _ = replies.improve(bid, PATIENCES[1])
        held += BestReply(rival, fresh).value(bid)
    return 100 * held - 100, seconds / (2 * SEEDS)


def main() -> None:
    """Print the mean gain with its standard error."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="bidding_3d_ttt(recapture=true)")
    parser.add_argument("--simulations", type=int, default=100_000, help="values of positions (%(default)s)")
    parser.add_argument("--positions", type=int, default=24, help="number of positions (%(default)s)")
    given = parser.parse_args()
    game, draw = mcts.load_game(given.game), random.Random(1)
    gains, seconds = zip(
        *(gain(state, given.simulations, draw) for state in last_positions(game, given.positions)), strict=True
    )
    error = statistics.stdev(gains) / len(gains) ** 0.5
    print(
        f"{game.spec}, {given.simulations} values: replies gain {statistics.mean(gains):.1f} ± {error:.1f} "
        f"(standard error); {1000 * statistics.mean(seconds):.1f} ms a solution"
    )


if __name__ == "__main__":
    main()
