"""Clocks as bots see them, and how much of one a decision should take."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from mcts import Limit, View

from .base import tighter_limit

SAFETY_SECONDS = 0.05
"""Kept back for what lies between a bot's answer and the stop of its clock."""
INCREMENT_SHARE = 0.75
"""How much of the increment is spent at once."""
LOOKS_AHEAD = 4
"""How many random games say how many decisions are to come."""


@dataclass(frozen=True)
class ClockFace:
    """What a clock shows to everybody. The increment is added after each decision."""

    remaining_seconds: float
    increment_seconds: float = 0.0


@dataclass(frozen=True)
class TurnLimit(Limit):
    """The limit of one decision in a game with rules for time. None, and no clocks, mean: not limited in this way.

    Args:
        simulations, seconds, memory_mb: as in Limit.
        clocks: for each player, its clock; None for a player without. Empty where nobody has one.
        deadline_seconds: an answer that takes longer is a failure, whatever else is allowed.
    """

    clocks: tuple[ClockFace | None, ...] = ()
    deadline_seconds: float | None = None

    def clock_of(self, player: int) -> ClockFace | None:
        """The clock of a player, or None."""
        return self.clocks[player] if self.clocks else None


def decision_limit(view: View, limit: Limit, parameters: dict[str, Any]) -> Limit:
    """What a decision should take: the tighter of a limit and a bot's own parameters, and a fair share of its clock.

    Args:
        view: what is to be decided.
        limit: of the decision; a TurnLimit may have clocks.
        parameters: of the bot, as in `tighter_limit`.
    """
    mine = tighter_limit(limit, parameters)
    clock = limit.clock_of(view.player) if isinstance(limit, TurnLimit) else None
    if clock is None:
        return mine
    share = clock_share(clock, decisions_left(view))
    return replace(mine, seconds=share if mine.seconds is None else min(mine.seconds, share))


def clock_share(clock: ClockFace, decisions: int) -> float:
    """Seconds to spend on one of so many decisions.

    What remains is shared out as if there were one decision more, and part of the increment is added; so a clock never
    runs out, even if the game turns out to be longer.
    """
    remaining = clock.remaining_seconds
    usable = max(remaining - SAFETY_SECONDS, remaining / 2)
    share = usable / (max(decisions, 1) + 1) + INCREMENT_SHARE * clock.increment_seconds
    return max(min(share, 0.8 * usable), 1e-9)


def decisions_left(view: View) -> int:
    """How many decisions the viewing player may still have, this one included: the most of a few random games."""
    most = 1
    for number in range(LOOKS_AHEAD):
        state = view.resample(number)
        decisions = 0
        while acting := state.acting_players():
            decisions += view.player in acting
            seed = number * 1000 + decisions
            state.apply_actions([state.sample_action(player, seed) for player in range(state.game.num_players)])
        most = max(most, decisions)
    return most
