"""A stored game, step by step."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from mcts import Game, PlayoutError, State

from ...errors import StoreError
from ...steps import apply_step
from ..tournament.openings import start_state
from .store import StoredGame


class Position(NamedTuple):
    """A state of a game, and the step that has led to it."""

    step: str
    """As in GameRecord.moves; empty for the state in which the bots began."""
    state: State


def positions(game: Game, stored: StoredGame) -> Iterator[Position]:
    """The states of a stored game, from the one in which the bots began to the last.

    Raises:
        StoreError: its moves are no game; what was stored is damaged, or the rules have changed.
    """
    try:
        state = start_state(game, stored.scheduled.opening)
        yield Position("", state.clone())
        for step in stored.record.moves.split():
            apply_step(state, step)
            yield Position(step, state.clone())
    except (PlayoutError, ValueError) as error:
        raise StoreError(f"game {stored.record.number} cannot be replayed: {error}") from None
