"""Looks one step ahead: wins if it can, stops a win if it can, else plays at random."""

from __future__ import annotations

import math
from itertools import product

from mcts import NOOP, Action, Limit, State, View, playouts

from ..base import NO_LIMIT, Bot

MAX_JOINT_ACTIONS = 4096
"""More joint actions than this are not all looked at: replies are drawn instead."""
HIDDEN_WORLDS = 4
"""How many possible truths are looked at where a player cannot see everything."""
SAMPLED_ACTIONS = 16
"""How many own actions are drawn where they are too many to list,"""
SAMPLED_REPLIES = 4
"""and how many joint replies of the rivals in each possible truth."""
PLAYOUTS = 32
"""Random playouts that say what going on is worth, once a decision."""

Values = tuple[float, ...]


class GreedyBot(Bot):
    """One step of search, over the rivals' joint replies where several decide.

    An own action is worth the mean over the rivals' replies of what the next state is worth to this player:
    - the game is over: the return;
    - this player alone decides next: the best return among the actions that end the game at once, if that is better
      than going on;
    - one rival alone decides next, and can end the game at once to its own good: the return of what is best for it;
    - else the game goes on, and that is worth what random play from here brings on average, the same for every action.
    Ties are broken at random. Where actions cannot be listed, some are drawn; where something is hidden, some possible
    truths are drawn.
    """

    NAME = "greedy"
    SUMMARY = "wins if it can in one step, stops a win if it can"

    def choose(self, view: View, limit: Limit = NO_LIMIT) -> Action:
        own = self._own_actions(view)
        if len(own) == 1:
            return own[0]
        worlds = [view.resample(self._seed()) for _ in range(HIDDEN_WORLDS if view.game.has_hidden_information else 1)]
        going_on = self._going_on(worlds)
        replies = [(world, reply) for world in worlds for reply in self._replies(world, view.player, len(own))]
        scores = []
        for action in own:
            total = 0.0
            for world, reply in replies:
                after = world.clone()
                after.apply_actions([action if player == view.player else b for player, b in enumerate(reply)])
                total += _worth(after, view.player, going_on)
            scores.append(round(total / len(replies), 9))
        best = max(scores)
        return self.random.choice([action for action, score in zip(own, scores, strict=True) if score == best])

    def _going_on(self, worlds: list[State]) -> Values:
        """What random play brings each player, drawn a little to the middle: never as good as a sure win."""
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
        """Joint actions of the rivals, one place a player; the place of `player` itself holds NOOP."""
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


def _worth(state: State, player: int, going_on: Values) -> float:
    """What a state is worth to a player, on the game's own scale."""
    acting = state.acting_players()
    if not acting:
        return float(state.returns()[player])
    if len(acting) > 1 or not state.game.is_enumerable:
        return going_on[player]
    mover = acting[0]
    best, worth = going_on[mover], going_on[player]
    for action in state.legal_actions(mover):
        after = state.clone()
        after.apply_action(action)
        if after.is_terminal():
            returns = after.returns()
            if returns[mover] > best:
                best, worth = returns[mover], float(returns[player])
    return worth


BOT = GreedyBot
