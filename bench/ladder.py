"""Rate random, greedy, the levels, searches of several budgets and exact play on one ladder for each game.

    python -m bench.ladder                               # all games, about an hour on two cores
    python -m bench.ladder --game points_ttt --games 4   # one game, quickly

All budgets are numbers of simulations, so other work on the machine changes no result. Each ladder is a command, which
is printed before it runs. The results are in bench/results/ladder.json; those of games that are not played again stay.
"""

from __future__ import annotations

import argparse
import shlex
import sys

import mcts
from bots.players.common.levels import NUM_LEVELS

from .best_bots import play, results_of
from .stored import add_out, store

LEVELS = [f"level({number})" for number in range(1, NUM_LEVELS + 1)]
SEARCHES = [f"mcts(simulations={simulations})" for simulations in (10, 100, 1000, 10_000)]
ROUND_SEARCHES = ["double_oracle(simulations=1000)", "double_oracle"]
BOTS = {
    "mnk(m=3,n=3,k=3)": [*LEVELS, *SEARCHES, "exact"],
    "mnk(m=5,n=5,k=4)": [*LEVELS, *SEARCHES],
    "points_ttt": [*LEVELS, *SEARCHES, "exact"],
    "bidding_ttt(coins=3)": [*LEVELS, *SEARCHES, "exact"],
    "tic_block(block_phase=simultaneous)": [*LEVELS, *SEARCHES],
    "three_player_ttt(torus=false)": [*LEVELS[::3], *SEARCHES],
    "bidding_3d_ttt(chips=80,recapture=false)": [*LEVELS, *ROUND_SEARCHES],
}
"""Bots of each game beside `random` and `greedy`. With three players, all selections of three meet: fewer bots."""
GAMES = {
    "mnk(m=3,n=3,k=3)": 200,
    "mnk(m=5,n=5,k=4)": 20,
    "points_ttt": 200,
    "bidding_ttt(coins=3)": 60,
    "tic_block(block_phase=simultaneous)": 20,
    "three_player_ttt(torus=false)": 3,
    "bidding_3d_ttt(chips=80,recapture=false)": 20,
}
"""Games of each pairing: fewer where they take longer."""
ROUNDS = 10
"""Rounds of the Swiss system."""


def options_of(spec: str, games: int) -> list[str]:
    """Return the options of the tournament of a game."""
    two = mcts.load_game(spec).num_players == 2
    pairing = ["--pairing", "swiss", "--rounds", str(ROUNDS)] if two else []
    return [*pairing, "--games", str(games), "--anchor", "level(1)=0", "--seed", "1"]


def main() -> None:
    """Play and store the ladders."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", action="append", choices=list(BOTS), help="one game; may be repeated")
    parser.add_argument("--games", type=int, help="games of a pairing, instead of those of the game")
    parser.add_argument("--workers", type=int, default=2, help="games played at the same time (%(default)s)")
    add_out(parser, "ladder")
    given = parser.parse_args()
    for spec in given.game or BOTS:
        options = options_of(spec, given.games or GAMES[spec])
        words = ["playout", "arena", spec, "random", "greedy", *BOTS[spec], *options, "--no-db"]
        print(shlex.join(words), flush=True)
        labels = {"game": spec, "options": shlex.join(options)}
        results = results_of(play([*words, "--workers", str(given.workers)]), f"ladder/{spec}", labels)
        for result in results:
            print(f"  {result.values.get('elo', float('nan')):+7.0f}  {result.labels['bot']}", flush=True)
        store(given.out, ["python", "-m", "bench.ladder", *sys.argv[1:]], results)


if __name__ == "__main__":
    main()
