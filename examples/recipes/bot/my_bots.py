from typing import Any

import playout


class Sampler(playout.Bot):
    """Plays the action with the best mean return of random playouts."""

    SUMMARY = "best mean return of random playouts"
    PARAMETERS = {"playouts": playout.parameters.Integer(100, 1, 1_000_000)}

    def choose(self, view: playout.View, limit: playout.Limit | None = None) -> Any:
        best, best_mean = None, -float("inf")
        for action in view.legal_actions():
            state = view.resample(self.random.getrandbits(64))  # a possible state; the actual one if nothing is hidden
            joint = [
                state.sample_action(player, self.random.getrandbits(64)) for player in range(view.game.num_players)
            ]
            joint[view.player] = action
            state.apply_actions(joint)
            mean = playout.playouts(state, self.parameters["playouts"], seed=self.random.getrandbits(64))[view.player]
            if mean > best_mean:
                best, best_mean = action, mean
        return best
