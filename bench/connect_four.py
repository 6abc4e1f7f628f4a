"""Print how often bots keep the value of a position of connect four, against a perfect solver.

`results/connect_four.txt` has 1,000 random positions of 8 to 24 plies in which not all actions have the same value,
with the value of each column: + win, = draw, - loss, . full. They are from `native/connect_four.c`:

    cc -O3 -o build/solver bench/native/connect_four.c
    cut -d' ' -f1 bench/results/connect_four.txt | build/solver
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

import bots
import mcts
from mcts.primitives.confidence import CONFIDENCE_95

PATH = Path(__file__).parent / "results" / "connect_four.txt"


def positions(game: mcts.Game) -> Iterator[tuple[str, str, mcts.State]]:
    """Yield (columns that were played, values of the columns, state) of each position."""
    for line in PATH.read_text(encoding="ascii").splitlines():
        played, values = line.split()
        state = game.new_initial_state()
        for column in played:
            state.apply_action(state.string_to_action(state.acting_players()[0], f"drop({column})"))
        yield played, values, state


def keeps_value(state: mcts.State, action: mcts.Action, values: str) -> bool:
    """Return True if no other action has a better value.

    Args:
        state: a position.
        action: of the player to move.
        values: of the columns.
    """
    text = state.action_to_string(state.acting_players()[0], action)
    best = next(value for value in "+=-" if value in values)
    return values[int(text.removeprefix("drop(").removesuffix(")")) - 1] == best


def main() -> None:
    """Play the positions and print the shares."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bot", nargs="*", default=["mcts", "mcts(net=none)"], help="spec of a bot")
    parser.add_argument("--seconds", type=float, default=0.05, help="limit of a decision")
    parser.add_argument("--simulations", type=int, help="limit of a decision, in place of seconds")
    parser.add_argument("--positions", type=int, default=1000, help="number of positions")
    parser.add_argument("--lost", action="store_true", help="print the positions whose value is not kept")
    given = parser.parse_args()
    game = mcts.load_game("connect_four")
    seconds = None if given.simulations else given.seconds
    limit = mcts.Limit(seconds=seconds, simulations=given.simulations)
    for spec in given.bot:
        bot, kept, total = bots.load_bot(spec), 0, 0
        for number, (played, values, state) in enumerate(positions(game)):
            if number == given.positions:
                break
            player = state.acting_players()[0]
            bot.new_game(game, player, number)
            action = bot.choose(state.view(player), limit)
            total += 1
            if keeps_value(state, action, values):
                kept += 1
            elif given.lost:
                print(f"{played} {values} {state.action_to_string(player, action)}")
        share = kept / total
        error = CONFIDENCE_95 * (share * (1 - share) / total) ** 0.5
        print(f"{spec}: {100 * share:.1f} ± {100 * error:.1f} % of {total}", flush=True)


if __name__ == "__main__":
    main()
