from itertools import product
from typing import Annotated

import playout
from bots.commands.common.options import GameArgument, option


def count(state: playout.State, plies: int) -> int:
    """Return the number of sequences of joint actions of a length; games that end earlier count as well."""
    acting = state.acting_players()
    if plies == 0 or not acting:
        return 1
    choices = [state.legal_actions(p) if p in acting else [playout.NOOP] for p in range(state.game.num_players)]
    total = 0
    for joint in product(*choices):
        after = state.clone()
        after.apply_actions(joint)
        total += count(after, plies - 1)
    return total


def command(game: GameArgument, plies: Annotated[int, option("Length of the sequences.", "N", min=0)] = 3) -> None:
    """Count the sequences of joint actions from the start of a game.

    Examples:
        playout perft mnk --plies 4
    """
    print(count(playout.load_game(game).new_initial_state(), plies))
