"""Playouts: a simulation below the tree, to the end of the game, and the table of policies that choose their actions.

The kernel has the same table in `cext/search/policies/playout_table.pxd`.
"""

from __future__ import annotations

from collections.abc import Sequence

from cext.game.game import State
from cext.game.playouts import guided_action, records_playouts

from .rng import Rng


class PlayoutPolicy:
    """A playout policy of one search. This one is uniform; others are subclasses.

    Attributes:
        LEARNS: True if `learn` does anything.
    """

    LEARNS = False

    def choose(self, state: State, player: int, rng: Rng) -> int:
        """Return the action of a player who decides in a state, perhaps beside others."""
        if state.game.has_own_distribution:
            action = state.sample_action(player, rng.word())
            assert isinstance(action, int)
            return action
        legal = state.legal_actions(player)
        return legal[rng.below(len(legal))]

    def learn(self, actions: Sequence[tuple[int, int]], values: Sequence[int]) -> None:
        """Learn from the (player, action) of a simulation, in the order of play, and from its values."""


class Guided(PlayoutPolicy):
    """The distribution of the guided playouts of a game."""

    def choose(self, state: State, player: int, rng: Rng) -> int:
        return guided_action(state, rng.word())


PLAYOUTS: dict[str, type[PlayoutPolicy]] = {"guided": Guided, "uniform": PlayoutPolicy}


def register_playout(name: str, kind: type[PlayoutPolicy]) -> None:
    """Make a playout policy known to `ReferenceSearch` under a name. A policy of the same name is replaced."""
    PLAYOUTS[name] = kind


def play_out(state: State, policy: PlayoutPolicy, rng: Rng, recorded: list[tuple[int, int]]) -> list[float]:
    """Play a state to its end and return the returns. Append every (player, action) to `recorded`.

    Where the game plays and records, an action is appended only for the player who takes it first.
    """
    takers: dict[int, int] = {}
    by_game = type(policy) in (Guided, PlayoutPolicy) and records_playouts(state.game)
    while not state.is_terminal():
        if state.is_chance():
            outcomes, weights = zip(*state.chance_weights(), strict=True)
            state.apply_action(outcomes[rng.weighted(list(weights))])
            continue
        joint = [-1] * state.game.num_players
        for player in state.acting_players():
            joint[player] = policy.choose(state, player, rng)
            if not by_game or takers.setdefault(joint[player], player) == player:
                recorded.append((player, joint[player]))
        state.apply_actions(joint)
    return state.returns()
