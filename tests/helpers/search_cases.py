"""States of games of every kind, from which searches are compared with the reference."""

from support import random_path

import mcts


def played(spec, plies, seed=3):
    """Return the state of a game after some random plies."""
    return random_path(mcts.load_game(spec), seed, plies)[-1]


STATES = {
    "mnk": played("mnk", 0),
    "mnk, 5x5": played("mnk(m=5,n=5,k=4)", 2),
    "points_ttt": played("points_ttt", 1),
    "three players": played("three_player_ttt", 10),
    "bidding": played("bidding_ttt(coins=3)", 2),
    "tic_block": played("tic_block", 4),
}
