"""Best responses to a policy, by backward induction over all states that can follow."""

from __future__ import annotations

import itertools
import math
from collections.abc import Hashable, Mapping
from dataclasses import dataclass

from cext.game.game import NOOP, State

from .policies import Policy, check_distribution

_NOTHING: Mapping[int, float] = {NOOP: 1.0}


@dataclass(frozen=True)
class BestResponses:
    """The returns of best responses to a policy of all players, on the game's own scale."""

    values: tuple[float, ...]
    """Return of each player's best response to the policy of the others, [num_players]."""
    gains: tuple[float, ...]
    """The same minus the exact value of the state to the player, [num_players], at least 0. For two players, gains[0]
    is what the second player's part of the policy gives away, and gains[1] what the first player's does."""
    states: int
    """Number of decisions at which the policy was asked."""
    held_out: tuple[float, ...] | None = None
    """The same as `values`, but with each best response found against one half of the samples of a bot and measured
    against the other, [num_players]: in expectation it wins no more than the best response to the bot. Equal to
    `values` for a policy without noise; None without hidden information, and for one sample."""

    @property
    def nash_conv(self) -> float:
        """The sum of the gains: 0 for an optimal policy."""
        return math.fsum(self.gains)

    @property
    def bias(self) -> float | None:
        """The most that the noise of a bot's samples adds to `nash_conv`, in expectation; None where it is unknown."""
        if self.held_out is None:
            return None
        return min(self.nash_conv, max(0.0, math.fsum(self.values) - math.fsum(self.held_out)))


_Branches = list[list[tuple[float, State]]]
"""For each action of the responding player: the possible successors with their probabilities. Chance has one action."""


class Response:
    """One player's best response to the policies of all others.

    Args:
        policy: the policy of the others.
        player: the responding player.
    """

    def __init__(self, policy: Policy, player: int) -> None:
        self.policy = policy
        self.player = player
        self.values: dict[Hashable, float] = {}  # by key of the state
        self.asked = 0

    def value(self, start: State) -> float:
        """Return the greatest return of the responding player from a state on."""
        stack: list[tuple[State, _Branches | None]] = [(start.clone(), None)]
        while stack:
            state, branches = stack.pop()
            key = state.key()
            if key in self.values:
                continue
            if state.is_terminal():
                self.values[key] = state.returns()[self.player]
            elif branches is None:
                branches = self._branches(state)
                stack.append((state, branches))
                stack.extend((after, None) for branch in branches for _, after in branch)
            else:
                self.values[key] = max(
                    math.fsum(probability * self.values[after.key()] for probability, after in branch)
                    for branch in branches
                )
        return self.values[start.key()]

    def _branches(self, state: State) -> _Branches:
        if state.is_chance():
            return [[(probability, state.child(outcome)) for outcome, probability in state.chance_outcomes()]]
        acting = state.acting_players()
        options: list[dict[int, float]] = []
        for player in range(state.game.num_players):
            if player == self.player:
                options.append(dict.fromkeys(state.legal_actions(player), 1.0))
            elif player in acting:
                options.append(check_distribution(self.policy(state, player), state.view(player)))
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
