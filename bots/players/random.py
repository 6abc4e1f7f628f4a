"""Random play."""

from __future__ import annotations

from mcts import Action, Limit, View

from ..base import NO_LIMIT, Bot


class RandomBot(Bot):
    """Plays a random legal action: uniformly if actions can be listed, else by the sampling policy of the game."""

    NAME = "random"
    SUMMARY = "a random legal action"

    def choose(self, view: View, limit: Limit = NO_LIMIT) -> Action:
        return view.sample_action(self.random.getrandbits(64))

    def strategy(self, view: View, limit: Limit = NO_LIMIT, samples: int = 100) -> dict[Action, float]:
        if not view.game.is_enumerable:
            return super().strategy(view, limit, samples)
        legal = view.legal_actions()
        return {action: 1.0 / len(legal) for action in legal}


BOT = RandomBot
