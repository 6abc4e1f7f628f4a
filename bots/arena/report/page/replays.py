"""The games that a page shows step by step: steps, players who decide, and pictures of the positions."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from mcts import Game, State

from ....untrusted import LINE_LENGTH, clean_line
from ...records import GameRecord
from ...store.replay import ReplayError, positions
from ...store.store import StoredGame


@dataclass(frozen=True)
class Replay:
    """A stored game with its positions."""

    opening: tuple[str, ...]
    """The opening, as in `ScheduledGame`."""
    record: GameRecord
    steps: tuple[str, ...]
    """Texts of the steps, up to the first that cannot be played."""
    deciders: tuple[tuple[int, ...], ...]
    """For each step, the players who decided."""
    states: tuple[State, ...]
    """The position before the first step and after each; empty if the opening cannot be played."""
    error: str | None
    """The reason why the rest cannot be played; None if all steps were."""

    @cached_property
    def pictures(self) -> tuple[str, ...]:
        """The positions as SVG. Only games that a page shows are drawn."""
        return tuple(state.to_svg(size=None) for state in self.states)


def replay(game: Game, stored: StoredGame) -> Replay:
    """Replay a stored game, up to the first step that cannot be played."""
    found: list[tuple[str, tuple[int, ...]]] = []
    states: list[State] = []
    error = None
    try:
        for position in positions(game, stored.scheduled.opening, stored.record.moves):
            states.append(position.state.clone())
            if position.step:
                found.append((clean_line(position.step, LINE_LENGTH), position.deciders))
    except ReplayError as problem:
        error = clean_line(problem)
    steps, deciders = tuple(step for step, _ in found), tuple(decided for _, decided in found)
    return Replay(stored.scheduled.opening, stored.record, steps, deciders, tuple(states), error)
