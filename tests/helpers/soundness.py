"""Use of states and views that came from data which is not trusted."""

from itertools import islice

import mcts
from mcts.random_steps import random_game


def check_sound(found):
    """Use a state or view; it must be one that its own dict describes."""
    if isinstance(found, mcts.View):
        assert found.game.view_from_dict(found.player, found.to_dict()) == found
        found.resample(1)
    elif isinstance(found, mcts.State):
        assert found.game.state_from_dict(found.to_dict()) == found
        for _ in islice(random_game(found, 1), 4):
            pass
        if found.is_terminal():
            found.returns()
        mcts.playouts(found, 3)
