"""Random steps of any game, also where several players or chance decide, and what random games tell."""

from __future__ import annotations

from functools import lru_cache

from cext.actions import Action
from cext.game import NOOP, Game, State

_SAMPLE_GAMES = 8
"""Number of random games that are played to find out whether players decide simultaneously."""


def sample_joint_action(state: State, seed: int) -> list[Action]:
    """Return a uniformly random action for every player who decides, NOOP for the others; or an outcome of chance."""
    if state.is_chance():
        return [*[NOOP] * state.game.num_players, state.sample_outcome(seed)]
    return [state.sample_action(player, seed) for player in range(state.game.num_players)]


@lru_cache(maxsize=64)
def is_in_turns(game: Game) -> bool:
    """Return True if only one player at a time decided in all of a few random games."""
    for number in range(_SAMPLE_GAMES):
        state = game.new_initial_state()
        while not state.is_terminal():
            if len(state.acting_players()) > 1:
                return False
            state.apply_actions(sample_joint_action(state, number))
    return True
