"""Exact solutions and searches of rulesheets with and without their symmetries.

usage: python -m bench.rulesheet_symmetries [FILE.kif ...] [--states N] [--pairs N] [--seconds S] [--bot SPEC]

For each rulesheet (those of the examples) that has symmetries it prints

- their number;
- for a game that `mcts.solve` can solve with at most N stored states (2,000,000): the stored states and the seconds of
  the processor, without and with symmetries;
- simulations a second of a search that merges transpositions, without and with symmetries: the median of interleaved
  searches of states after random plies;
- with --pairs, for two players: the mean return of a bot with symmetries against the same bot without, at equal time.
  Every opening of two random plies is played twice, with exchanged seats.
"""

import argparse
import dataclasses
import statistics
import time
from pathlib import Path

import bots
import mcts
from bench.native_rulesheets import FOLDER, play, random_opening, summary
from cext.game_info import GameInfo
from cext.gdl.game import NetworkGame
from mcts.gdl.game import PARAMETERS
from mcts.random_steps import sample_joint_action

SEARCHES = 24
SEARCH_SECONDS = 0.05


def without_symmetries(game):
    """Return the game of a rulesheet as one that has only the identity."""
    network = dataclasses.replace(game.network, symmetries=game.network.symmetries[:1])
    info = GameInfo("gdl", "a rulesheet", network.roles, PARAMETERS, utility_sum=game.utility_sum)
    given = {**game.parameters, "file": f"{game.parameters['file']} without symmetries"}
    return NetworkGame(info, given, network, game.parameters["max_steps"])


def solved(game, most_states):
    """Return the stored states and the seconds of an exact solution as text."""
    start = time.process_time()
    try:
        solution = mcts.solve(game, cache=False, max_states=most_states)
    except (TypeError, mcts.UnsupportedGameError):
        return "-"
    return f"{solution.num_canonical_states:,} in {time.process_time() - start:.2f} s"


def search_rates(games):
    """Return the median of the simulations a second of each game."""
    searches = [mcts.MCTS(game, selection="ucb1", transpositions=True, solver=True, leaves=32) for game in games]
    rates = [[] for _ in games]
    for number in range(SEARCHES):
        state = games[0].new_initial_state()
        for ply in range(number % 6):
            if not state.is_terminal():
                state.apply_actions(sample_joint_action(state, 100 * number + ply))
        if state.is_terminal():
            continue
        for game, search, found in zip(games, searches, rates, strict=True):
            start = time.perf_counter()
            result = search.run(game.state_from_text(state.to_text()), seconds=SEARCH_SECONDS)
            found.append(result.simulations / (time.perf_counter() - start))
    return [statistics.median(found) for found in rates]


def match(games, bot, pairs, seconds):
    """Return the mean return of the bot of the first game, with 95 %, as text."""
    players, limit = [bots.load_bot(bot) for _ in games], mcts.Limit(seconds=seconds)
    returns = []
    for pair in range(pairs):
        opening = random_opening(games[0], pair)
        found = [play(games, players, [limit, limit], opening, seat, 2 * pair + seat) for seat in (0, 1)]
        returns.append(statistics.mean(found))
    return summary(returns)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--states", type=int, default=2_000_000)
    parser.add_argument("--pairs", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=0.05)
    parser.add_argument("--bot", default="mcts")
    given = parser.parse_args()
    for path in given.files or sorted(FOLDER.glob("*.kif")):
        game = mcts.load_game("gdl", file=str(path))
        if game.num_symmetries == 1:
            continue
        games = [game, without_symmetries(game)]
        print(f"{path.stem}: {game.num_symmetries} symmetries", flush=True)
        if given.pairs > 1 and game.num_players == 2:
            print(f"  match: {match(games, given.bot, given.pairs, given.seconds)}", flush=True)
            continue
        before, after = (solved(each, given.states) for each in reversed(games))
        print(f"  stored states: {before} without, {after} with")
        after, before = search_rates(games)
        print(f"  simulations a second: {before:,.0f} without, {after:,.0f} with", flush=True)


if __name__ == "__main__":
    main()
