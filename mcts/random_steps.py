"""Random steps of any game, also where several players or chance decide, and what random games tell."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from cext.actions import Action
from cext.game import NOOP, Game, State

_SAMPLE_GAMES = 8
"""Number of random games that are played to find out whether players decide simultaneously."""
_SAMPLE_PLIES = 1000
"""Plies after which such a game is broken off: a game may have no end."""


def sample_joint_action(state: State, seed: int) -> list[Action]:
    """Return a uniformly random action for every player who decides, NOOP for the others; or an outcome of chance."""
    if state.is_chance():
        return [*[NOOP] * state.game.num_players, state.sample_outcome(seed)]
    return [state.sample_action(player, seed) for player in range(state.game.num_players)]


def sampled_states(game: Game) -> Iterator[State]:
    """Yield the states of a few random games in which somebody or chance decides. A state changes with the next one."""
    for number in range(_SAMPLE_GAMES):
        state = game.new_initial_state()
        for _ in range(_SAMPLE_PLIES):
            if state.is_terminal():
                break
            yield state
            state.apply_actions(sample_joint_action(state, number))


@lru_cache(maxsize=64)
def is_in_turns(game: Game) -> bool:
    """Return True if only one player at a time decided in all of a few random games."""
    return all(len(state.acting_players()) <= 1 for state in sampled_states(game))
