"""Games to be stepped through: the moves of a stored game, and the board drawn before and after each of them."""

from __future__ import annotations

from dataclasses import dataclass

from mcts import Game, PlayoutError

from ....steps import apply_step
from ....untrusted import LINE_LENGTH, clean_line
from ...records import GameRecord
from ...store.store import StoredGame
from ...tournament.openings import start_state


@dataclass(frozen=True)
class Replay:
    """A stored game played again."""

    opening: tuple[str, ...]
    """As in ScheduledGame."""
    record: GameRecord
    steps: tuple[str, ...]
    """Texts of the steps, as far as they could be played."""
    deciders: tuple[tuple[int, ...], ...]
    """For each step, the players who decided."""
    drawings: tuple[str, ...]
    """The board before the first step and after each; none where not even the opening can be played."""
    trouble: str | None
    """What kept the rest from being played: what was stored is damaged, or the rules have changed. None where all was
    played."""


def replay(game: Game, stored: StoredGame) -> Replay:
    """Play a stored game again, as far as the rules allow."""
    steps: list[str] = []
    deciders: list[tuple[int, ...]] = []
    drawings: list[str] = []
    trouble = None
    what = "the opening"
    try:
        state = start_state(game, stored.scheduled.opening)
        drawings.append(str(state))
        for number, step in enumerate(stored.record.moves.split(), 1):
            what = f"step {number}"
            acting = tuple(state.acting_players())
            apply_step(state, step)
            steps.append(clean_line(step, LINE_LENGTH))
            deciders.append(acting)
            drawings.append(str(state))
    except (PlayoutError, ValueError) as error:
        trouble = f"{what} cannot be played: {clean_line(error)}"
    return Replay(stored.scheduled.opening, stored.record, tuple(steps), tuple(deciders), tuple(drawings), trouble)
