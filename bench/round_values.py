"""Values that the solver of double_oracle expects before each round, beside the results of games against another bot.

    python -m bench.round_values                                          # about a minute
    python -m bench.round_values --game "bidding_3d_ttt(recapture=true)" --rival proportional --seed 5
    python -m bench.round_values --known                                  # with the rival's purse known

Before the second and the third round, the solver has a value: what it expects to win if both sides play on as it does,
or the rival as a naive player. The mean of these values stands beside the mean result of the same games, and the
rival's chips beside those that the belief about its purse expects. Both games of a pair have the same seeds and
exchanged seats.
"""

from __future__ import annotations

import argparse
import random
import statistics
from dataclasses import dataclass
from typing import TYPE_CHECKING

import mcts
from bots import load_bot
from cext.stages.solver import RoundSolver
from mcts import DoubleOracle
from mcts.nets.shipped import preferred_net
from mcts.openings import shipped_opening

if TYPE_CHECKING:
    from mcts import Game

LEAST = 0.01
"""Bids of a smaller probability are left out, as the bot does."""


@dataclass
class Decision:
    """The expectation of the solver before a round.

    Attributes:
        round: 2 or 3.
        value: expected share of the points.
        chips: of the solver's side, of the rival, and of the rival by the belief.
    """

    round: int
    value: float
    chips: tuple[int, int, float]


def play(game: Game, rival: str, number: int, given: argparse.Namespace) -> tuple[float, list[Decision]]:
    """Play a game. Return the share of the points, and the decisions after the first round."""
    pair, seat = divmod(number, 2)
    seeds = random.Random(f"{given.seed}/{pair}/{rival}")
    other = load_bot(rival)
    other.new_game(game, 1 - seat, seeds.getrandbits(60))
    draw = random.Random(seeds.getrandbits(60))
    net, opening, state = preferred_net(game), shipped_opening(game), game.new_initial_state()
    found = []
    while not state.is_terminal():
        seed = draw.getrandbits(60)
        if not state.history() and opening is not None:
            policy = opening.images(state, seat, seed)
        else:
            position = state if given.known else state.view(seat)
            core = None if net is None else net.core
            solver = RoundSolver(position, seat, seed=seed, net=core, naive=given.naive)
            solver.grow(given.simulations)
            solver.settle()
            policy = dict(solver.strategy(LEAST))
            facts = state.to_dict()
            believed = sum(purse * weight for purse, weight in solver.types)
            if facts["round"] > 1:
                chips = facts["chips"]
                found.append(Decision(facts["round"], solver.value, (chips[seat], chips[1 - seat], believed)))
        bid = draw.choices(list(policy), list(policy.values()))[0]
        answer = other.choose(state.view(1 - seat))
        state.apply_actions([bid, answer] if seat == 0 else [answer, bid])
    return (state.returns()[seat] - game.min_utility) / (game.max_utility - game.min_utility), found


def main() -> None:
    """Print the points, and the means before each round."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="bidding_3d_ttt")
    parser.add_argument("--rival", default="spread", help="the other bot (%(default)s)")
    parser.add_argument("--games", type=int, default=200, help="an even number (%(default)s)")
    parser.add_argument("--simulations", type=int, default=150_000, help="values of positions (%(default)s)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--naive",
        type=float,
        default=DoubleOracle.PARAMETERS["naive"].default,
        help="probability by which the rival is taken for a naive player (%(default)s)",
    )
    parser.add_argument("--known", action="store_true", help="the solver knows the rival's purse")
    given = parser.parse_args()
    if given.games < 4 or given.games % 2:
        parser.error(f"argument --games: {given.games}; valid: even numbers from 4")
    game = mcts.load_game(given.game)
    played = [play(game, given.rival, number, given) for number in range(given.games)]
    shares = [share for share, _ in played]
    pairs = [statistics.mean(shares[number : number + 2]) for number in range(0, len(shares), 2)]
    error = 196 * statistics.stdev(pairs) / len(pairs) ** 0.5
    print(f"{game.spec} against {given.rival}: {100 * statistics.mean(shares):.1f} ± {error:.1f} of 100 points")
    for number in (2, 3):
        rows = [(one, share) for share, found in played for one in found if one.round == number]
        if rows:
            own, other, believed = (statistics.mean(one.chips[which] for one, _ in rows) for which in range(3))
            print(
                f"before round {number}, {len(rows)} games: expected "
                f"{100 * statistics.mean(one.value for one, _ in rows):.1f}, result "
                f"{100 * statistics.mean(share for _, share in rows):.1f}; "
                f"{own:.1f} chips, rival {other:.1f}, believed {believed:.1f}"
            )


if __name__ == "__main__":
    main()
