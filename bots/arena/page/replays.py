"""Games to be stepped through: the moves of a record, and the board drawn before and after each of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from mcts import NOOP, Game, PlayoutError, State

from ..match import Record

NOBODY_MOVED: tuple[int, ...] = ()


@dataclass(frozen=True)
class Replay:
    """A record played again."""

    record: Record
    steps: tuple[str, ...]
    """Texts of the steps, as far as they could be played."""
    deciders: tuple[tuple[int, ...], ...]
    """For each step, the players who decided."""
    drawings: tuple[str, ...]
    """The board before the first step and after each."""
    trouble: str | None = None
    """What kept the rest of the steps from being played; None where all were."""


def replay(game: Game, record: Record) -> Replay:
    """Play a record again, as far as the rules allow."""
    steps: list[str] = []
    deciders: list[tuple[int, ...]] = []
    drawings: list[str] = []
    trouble = None
    state = game.new_initial_state()
    drawings.append(str(state))
    try:
        for step, acting in play_steps(state, record.moves):
            steps.append(step)
            deciders.append(acting)
            drawings.append(str(state))
    except PlayoutError as error:
        trouble = f"step {len(steps) + 1} cannot be played: {error}"
    return Replay(record, tuple(steps), tuple(deciders), tuple(drawings), trouble)


def play_steps(state: State, moves: str) -> Iterator[tuple[str, tuple[int, ...]]]:
    """Play steps as `Record.moves` has them, in the state itself.

    Yields:
        Each step and the players who decided, after it was applied.

    Raises:
        PlayoutError: a step is no legal one.
    """
    players = state.game.num_players
    for step in moves.split():
        acting = tuple(state.acting_players())
        parts = step.split("|")
        if len(acting) == 1 and len(parts) == 1:
            joint = [NOOP] * players
            joint[acting[0]] = state.string_to_action(acting[0], step)
        elif len(parts) == players:
            joint = [state.string_to_action(player, part) for player, part in enumerate(parts)]
        else:
            raise PlayoutError(f"{step!r} is of {len(parts)} players; {len(acting) or 'no'} decide here")
        state.apply_actions(joint)
        yield step, acting
