"""Random steps of any game, also where several players or chance decide, and what random games tell."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import islice

from cext.game.actions import Action
from cext.game.game import NOOP, Game, State

from .seeds import seed_for

_SAMPLE_GAMES = 8
"""Number of random games that are played to find out whether players decide simultaneously."""
_SAMPLE_PLIES = 1000
"""Plies after which such a game is broken off: a game may have no end."""


def sample_joint_action(state: State, seed: int) -> list[Action]:
    """Return a uniformly random action for every player who decides, NOOP for the others; or an outcome of chance.

    The actions of the players are independent. Each step of a game needs a seed of its own.
    """
    if state.is_chance():
        return [*[NOOP] * state.game.num_players, state.sample_outcome(seed)]
    return [state.sample_action(player, seed_for(seed, player)) for player in range(state.game.num_players)]


def random_game(state: State, seed: int) -> Iterator[State]:
    """Play random steps to the end. Yield the state before each of them; it is changed by the next step."""
    ply = 0
    while not state.is_terminal():
        yield state
        state.apply_actions(sample_joint_action(state, seed_for(seed, ply)))
        ply += 1


def sampled_states(game: Game) -> Iterator[State]:
    """Yield the states of a few random games in which somebody or chance decides. A state changes with the next one."""
    for number in range(_SAMPLE_GAMES):
        yield from islice(random_game(game.new_initial_state(), number), _SAMPLE_PLIES)


@lru_cache(maxsize=64)
def is_in_turns(game: Game) -> bool:
    """Return True if only one player at a time decided in all of a few random games."""
    return all(len(state.acting_players()) <= 1 for state in sampled_states(game))


@lru_cache(maxsize=64)
def is_simultaneous(game: Game) -> bool:
    """Return True if in some of a few random games several players had a choice at once."""
    return any(
        sum(len(state.legal_actions(player)) > 1 for player in state.acting_players()) > 1
        for state in sampled_states(game)
    )


@lru_cache(maxsize=64)
def has_early_ends(game: Game) -> bool:
    """Return True if the shortest of a few random games has at most nine tenths of the steps of the longest."""
    plies = [_plies(game, number) for number in range(_SAMPLE_GAMES)]
    return 10 * min(plies) <= 9 * max(plies)


def _plies(game: Game, seed: int) -> int:
    """Return the number of steps of a random game, at most _SAMPLE_PLIES."""
    return sum(1 for _ in islice(random_game(game.new_initial_state(), seed), _SAMPLE_PLIES))
