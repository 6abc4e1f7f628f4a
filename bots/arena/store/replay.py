"""Replay of a stored game, step by step. All replays of stored games use this module."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mcts import Game, PlayoutError, State

from ...errors import StoreError
from ...records import Position as Position
from ...steps import apply_step
from ...untrusted import clean_line
from ..tournament.openings import start_state


class ReplayError(StoreError):
    """A stored game cannot be replayed: what was stored is damaged, or the rules have changed."""


def opening_state(game: Game, opening: Sequence[str]) -> State:
    """Return the state in which the bots began.

    Raises:
        ReplayError: the opening cannot be played.
    """
    try:
        return start_state(game, opening)
    except (PlayoutError, ValueError, RecursionError) as error:
        raise ReplayError(f"the opening {' '.join(opening)!r:.100} cannot be played: {clean_line(error)}") from None


def positions(game: Game, opening: Sequence[str], moves: str) -> Iterator[Position]:
    """Yield the states of a stored game, from the one in which the bots began to the last.

    Args:
        game: the game.
        opening: texts of the steps before the bots began, or the text of a position.
        moves: texts of the steps, separated by spaces.

    Raises:
        ReplayError: the opening or a step cannot be played; the message says which one.
    """
    state = opening_state(game, opening)
    yield Position("", (), state)
    for number, step in enumerate(moves.split(), 1):
        try:
            deciders = tuple(state.acting_players())
            apply_step(state, step)
        except (PlayoutError, ValueError) as error:
            raise ReplayError(f"step {number} cannot be played: {clean_line(error)}") from None
        yield Position(step, deciders, state)
