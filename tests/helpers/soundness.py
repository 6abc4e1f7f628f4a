"""Use of states and views that came from data which is not trusted."""

import mcts
from bots.steps import sample_joint_action


def check_sound(found):
    """Use a state or view; it must be one that its own dict describes."""
    if isinstance(found, mcts.View):
        assert found.game.view_from_dict(found.player, found.to_dict()) == found
        found.resample(1)
    elif isinstance(found, mcts.State):
        assert found.game.state_from_dict(found.to_dict()) == found
        for _ in range(3):
            if found.is_terminal():
                found.returns()
                break
            found.apply_actions(sample_joint_action(found, 1))
        mcts.playouts(found, 3)
