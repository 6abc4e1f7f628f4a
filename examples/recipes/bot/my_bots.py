from typing import Any

import mcts
from bots import Bot
from mcts.parameters import Integer


class Sampler(Bot):
    """Plays the action with the best mean return of random playouts."""

    SUMMARY = "best mean return of random playouts"
    PARAMETERS = {"playouts": Integer(100, 1, 1_000_000)}

    def choose(self, view: mcts.View, limit: mcts.Limit | None = None) -> Any:
        best, best_mean = None, -float("inf")
        for action in view.legal_actions():
            state = view.resample(self.random.getrandbits(64))  # a possible state; the actual one if nothing is hidden
            joint = [
                state.sample_action(player, self.random.getrandbits(64)) for player in range(view.game.num_players)
            ]
            joint[view.player] = action
            state.apply_actions(joint)
            mean = mcts.playouts(state, self.parameters["playouts"], seed=self.random.getrandbits(64))[view.player]
            if mean > best_mean:
                best, best_mean = action, mean
        return best
