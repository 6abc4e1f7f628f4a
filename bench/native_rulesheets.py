"""Matches of bots on a rulesheet against bots on the native game of the same rules.

usage: python -m bench.native_rulesheets [--game NAME] [--pairs N] [--rulesheet-bot SPEC] [--native-bot SPEC]
                                         [--seconds S] [--native-seconds S]

Both bots play one game, each with its own implementation of it; texts of actions translate between the two. Every
opening of two random plies is played twice, with exchanged seats. Prints the mean return of the bot on the rulesheet.
"""

import argparse
import math
import random
import statistics
from pathlib import Path

import bots
import mcts

FOLDER = Path(__file__).parent.parent / "examples" / "rulesheets"
NATIVE = {
    "bidding_ttt": "bidding_ttt(coins=3)",
    "points_ttt": "points_ttt",
    "tic_block": "tic_block",
    "tic_tac_toe": "mnk",
}
"""Rulesheet -> native game, of those for two players."""
PLIES = 2


def random_opening(game, seed):
    """Return the steps of an opening, as texts by player, after which the game goes on."""
    rng = random.Random(seed)
    while True:
        state, steps = game.new_initial_state(), []
        while len(steps) < PLIES and not state.is_terminal():
            players = state.acting_players()
            steps.append({p: state.action_to_string(p, rng.choice(state.legal_actions(p))) for p in players})
            state.apply_actions(state.joint_action(steps[-1]))
        if not state.is_terminal():
            return steps


def play(games, players, limits, opening, first_seat, seed):
    """Play a game and return what the first bot gets. `first_seat`: its player."""
    states = [game.new_initial_state() for game in games]
    for step in opening:
        for state in states:
            state.apply_actions(state.joint_action(step))
    seats = [first_seat, 1 - first_seat]
    for bot, game, seat in zip(players, games, seats, strict=True):
        bot.new_game(game, seat, seed)
    while not states[0].is_terminal():
        step = {}
        for player in states[0].acting_players():
            own = seats.index(player)
            action = players[own].choose(states[own].view(player), limits[own])
            step[player] = states[own].action_to_string(player, action)
        for state in states:
            state.apply_actions(state.joint_action(step))
    return states[0].returns()[first_seat]


def summary(returns):
    """Return the mean of the returns of pairs of games with 95 %, and its Elo, as text."""
    mean = statistics.mean(returns)
    half = 1.96 * statistics.stdev(returns) / math.sqrt(len(returns))
    elo = f"{400 * math.log10(mean / (100 - mean)):+.0f}" if 0 < mean < 100 else "unbounded"
    return f"{mean:.1f} ± {half:.1f} of {2 * len(returns)} games, Elo {elo}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", choices=NATIVE, default="bidding_ttt")
    parser.add_argument("--pairs", type=int, default=70)
    parser.add_argument("--rulesheet-bot", default="mcts")
    parser.add_argument("--native-bot", default="mcts")
    parser.add_argument("--seconds", type=float, default=0.05)
    parser.add_argument("--native-seconds", type=float, default=0.05)
    given = parser.parse_args()
    if given.pairs < 2:
        parser.error(f"--pairs is {given.pairs}; valid: at least 2")
    games = [mcts.load_game(spec) for spec in (str(FOLDER / f"{given.game}.kif"), NATIVE[given.game])]
    players = [bots.load_bot(spec) for spec in (given.rulesheet_bot, given.native_bot)]
    limits = [mcts.Limit(seconds=seconds) for seconds in (given.seconds, given.native_seconds)]
    returns = []
    for pair in range(given.pairs):
        opening = random_opening(games[1], pair)
        found = [play(games, players, limits, opening, seat, 2 * pair + seat) for seat in (0, 1)]
        returns.append(statistics.mean(found))
    print(f"{given.game}: {summary(returns)}")


if __name__ == "__main__":
    main()
