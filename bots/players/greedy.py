"""One step of search: win at once if possible, else prevent a win, else play at random."""

from __future__ import annotations

import math
from itertools import product

from mcts import NOOP, Action, Limit, State, View, playouts

from ..base import NO_LIMIT, Bot

MAX_JOINT_ACTIONS = 4096
"""Most joint actions that are all tried; with more, joint replies are sampled."""
HIDDEN_WORLDS = 4
"""Number of sampled states, if information is hidden."""
SAMPLED_ACTIONS = 16
"""Number of sampled own actions, if actions cannot be listed."""
SAMPLED_REPLIES = 4
"""Number of sampled joint replies per state, if actions cannot be listed."""
PLAYOUTS = 32
"""Number of random playouts per decision, which estimate the value of continuing."""

Values = tuple[float, ...]


class GreedyBot(Bot):
    """One step of search, over the opponents' joint replies if several players decide.

    The value of an action is the mean, over the opponents' replies, of the value of the next state for this player:
    - The game is over: the return.
    - One player decides next: that player's best action that ends the game, if it is better for that player than
      continuing.
    - Otherwise the game continues. The value of continuing is the mean return of random playouts from the current
      state, the same for every action.
    Ties are broken at random. Actions that cannot be listed are sampled; so are states, if information is hidden.
    """

    NAME = "greedy"
    SUMMARY = "one step of search: wins at once if possible, else prevents a win"

    def choose(self, view: View, limit: Limit = NO_LIMIT) -> Action:
        own = self._own_actions(view)
        if len(own) == 1:
            return own[0]
        worlds = [view.resample(self._seed()) for _ in range(HIDDEN_WORLDS if view.game.has_hidden_information else 1)]
        continuing = self._continuing(worlds)
        replies = [(world, reply) for world in worlds for reply in self._replies(world, view.player, len(own))]
        scores = []
        for action in own:
            total = 0.0
            for world, reply in replies:
                after = world.clone()
                after.apply_actions([action if player == view.player else b for player, b in enumerate(reply)])
                total += _value(after, view.player, continuing)
            scores.append(round(total / len(replies), 9))
        best = max(scores)
        return self.random.choice([action for action, score in zip(own, scores, strict=True) if score == best])

    def _continuing(self, worlds: list[State]) -> Values:
        """Return the mean return of random playouts for each player, shrunk towards the middle of the range.

        So it is always lower than a certain win.
        """
        game = worlds[0].game
        means = [playouts(world, PLAYOUTS // len(worlds), seed=self._seed()) for world in worlds]
        middle = (game.min_utility + game.max_utility) / 2
        weight = PLAYOUTS / (PLAYOUTS + 1)
        return tuple(
            weight * float(sum(column)) / len(worlds) + (1 - weight) * middle for column in zip(*means, strict=True)
        )

    def _seed(self) -> int:
        return self.random.getrandbits(64)

    def _own_actions(self, view: View) -> list[Action]:
        if view.game.is_enumerable:
            return list(view.legal_actions())
        return list(dict.fromkeys(view.sample_action(self._seed()) for _ in range(SAMPLED_ACTIONS)))

    def _replies(self, world: State, player: int, own: int) -> list[tuple[Action, ...]]:
        """Return joint actions of the opponents, with one entry per player; the entry of `player` is NOOP."""
        players = range(world.game.num_players)
        if not world.game.is_enumerable:
            return [
                tuple(NOOP if p == player else world.sample_action(p, self._seed()) for p in players)
                for _ in range(SAMPLED_REPLIES)
            ]
        choices = [[NOOP] if p == player else world.legal_actions(p) for p in players]
        if own * math.prod(map(len, choices)) <= MAX_JOINT_ACTIONS:
            return list(product(*choices))
        return [tuple(map(self.random.choice, choices)) for _ in range(max(1, MAX_JOINT_ACTIONS // own))]


def _value(state: State, player: int, continuing: Values) -> float:
    """Return the value of a state for a player, on the scale of the game's returns."""
    acting = state.acting_players()
    if state.is_chance():
        return math.fsum(p * _value(state.child(outcome), player, continuing) for outcome, p in state.chance_outcomes())
    if not acting:
        return float(state.returns()[player])
    if len(acting) > 1 or not state.game.is_enumerable:
        return continuing[player]
    mover = acting[0]
    best, value = continuing[mover], continuing[player]
    for action in state.legal_actions(mover):
        after = state.child(action)
        if after.is_terminal():
            returns = after.returns()
            if returns[mover] > best:
                best, value = returns[mover], float(returns[player])
    return value


BOT = GreedyBot
