"""Best responses to a policy, by backward induction over all states that can follow."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping
from dataclasses import dataclass

from cext.game import NOOP, State

from .policies import Policy, checked

_NOTHING: Mapping[int, float] = {NOOP: 1.0}


@dataclass(frozen=True)
class BestResponses:
    """How much best responses get against a policy that all players follow. Everything on the game's own scale."""

    values: tuple[float, ...]
    """What each player gets by its best response to the others' part of the policy, [num_players]."""
    gains: tuple[float, ...]
    """What that is more than the exact value of the state to that player, [num_players]: never below 0. In a game of
    two, gains[0] is what the second player's part of the policy gives away, and gains[1] what the first one's does."""
    states: int
    """Decisions at which the policy was asked."""

    @property
    def nash_conv(self) -> float:
        """The sum of the gains: 0 for an optimal policy."""
        return math.fsum(self.gains)


_Branches = list[list[tuple[float, State]]]
"""For each action of who responds: what may follow, and with which probability."""


class Response:
    """One player's best response to a policy of all others.

    Args:
        policy: how the others play.
        player: who responds.
    """

    def __init__(self, policy: Policy, player: int) -> None:
        self.policy = policy
        self.player = player
        self.known: dict[State, float] = {}
        self.asked = 0

    def value(self, start: State) -> float:
        """What the responding player gets from a state on, at best."""
        stack: list[tuple[State, _Branches | None]] = [(start.clone(), None)]
        while stack:
            state, branches = stack.pop()
            if state in self.known:
                continue
            if state.is_terminal():
                self.known[state] = state.returns()[self.player]
            elif branches is None:
                branches = self._branches(state)
                stack.append((state, branches))
                stack.extend((after, None) for branch in branches for _, after in branch if after not in self.known)
            else:
                self.known[state] = max(
                    math.fsum(probability * self.known[after] for probability, after in branch) for branch in branches
                )
        return self.known[start]

    def _branches(self, state: State) -> _Branches:
        acting = state.acting_players()
        options: list[dict[int, float]] = []
        for player in range(state.game.num_players):
            if player == self.player:
                options.append(dict.fromkeys(state.legal_actions(player), 1.0))
            elif player in acting:
                options.append(checked(self.policy(state, player), state, player))
                self.asked += 1
            else:
                options.append(dict(_NOTHING))
        found: dict[int, list[tuple[float, State]]] = {action: [] for action in options[self.player]}
        for joint in itertools.product(*options):
            after = state.clone()
            after.apply_actions(joint)
            probability = math.prod(option[action] for option, action in zip(options, joint, strict=True))
            found[joint[self.player]].append((probability, after))
        return list(found.values())
