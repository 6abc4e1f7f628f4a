"""The games that a page shows step by step: steps, players who decide, and pictures of the positions."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from mcts import Game, State

from ....system.untrusted import LINE_LENGTH, clean_line
from ...records import GameRecord
from ...store.replay import ReplayError, replayed
from ...store.store import StoredGame


@dataclass(frozen=True)
class Replay:
    """A stored game with its positions."""

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
    record, course, error = stored.record, None, None
    try:
        for course in replayed(game, record.opening, record.moves):  # noqa: B007 (the last one is kept)
            pass
    except ReplayError as problem:
        error = clean_line(problem)
    if course is None:
        return Replay(record, (), (), (), error)
    steps = tuple(clean_line(step, LINE_LENGTH) for step in course.moves)
    return Replay(record, steps, tuple(course.deciders), tuple(course.states()), error)
