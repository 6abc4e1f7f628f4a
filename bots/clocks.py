"""Clocks as bots see them, and the division of the remaining time between decisions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from mcts import Limit, View
from mcts.random_steps import random_game

SAFETY_SECONDS = 0.05
"""Reserve for the time between the end of a decision and the stop of the clock."""
INCREMENT_SHARE = 0.75
"""Share of the increment that a decision uses."""
NUM_SAMPLE_GAMES = 4
"""Number of random games from which the number of remaining decisions is estimated."""


@dataclass(frozen=True)
class ClockFace:
    """A clock, visible to all players. The increment is added after each decision."""

    remaining_seconds: float
    increment_seconds: float = 0.0
    moves_to_go: int | None = None
    """Decisions of the player, this one included, until more time is added; None if none is."""
    margin_seconds: float = 0.0
    """Time beyond the clock that is forgiven."""


@dataclass(frozen=True)
class TurnLimit(Limit):
    """Limit of one decision in a game with time control. None means no limit of that kind.

    Args:
        simulations, seconds, memory_mb: as in Limit.
        clocks: clock of each player, None for a player without a clock; empty if there are no clocks.
        deadline_seconds: maximum duration of the decision; a longer one is a failure, whatever the other limits.
        depth: plies of a search, for engines that count them.
    """

    clocks: tuple[ClockFace | None, ...] = ()
    deadline_seconds: float | None = None
    depth: int | None = None

    def clock_of(self, player: int) -> ClockFace | None:
        """Return the clock of a player, or None."""
        return self.clocks[player] if self.clocks else None


def answer_seconds(limit: Limit, player: int, default: float) -> tuple[float, bool]:
    """Return the time after which a player's answer is late, and True if that is the end of its clock.

    Args:
        limit: of the decision; a TurnLimit may have a deadline and clocks.
        player: index of the player.
        default: the deadline of a limit without one.
    """
    deadline = limit.deadline_seconds if isinstance(limit, TurnLimit) else None
    clock = limit.clock_of(player) if isinstance(limit, TurnLimit) else None
    seconds = default if deadline is None else deadline
    if clock is not None and clock.remaining_seconds + clock.margin_seconds < seconds:
        return clock.remaining_seconds + clock.margin_seconds, True
    return seconds, False


def decision_limit(view: View | None, limit: Limit, parameters: dict[str, Any]) -> Limit:
    """Return the limit for a search: the tighter of limit and parameters, and a fair share of the clock.

    Args:
        view: view of the player who decides. None: clocks are not read.
        limit: of the decision; a TurnLimit may have clocks.
        parameters: of the bot; its `simulations`, `seconds` and `memory_mb` are read, if it has them.
    """

    def least(name: str, *more: float) -> Any:
        given = [getattr(limit, name), parameters.get(name), *more]
        return min((each for each in given if each is not None), default=None)

    clock = limit.clock_of(view.player) if view is not None and isinstance(limit, TurnLimit) else None
    shares = []
    if clock is not None and view is not None:
        decisions = decisions_left(view)
        shares = [clock_share(clock, decisions if clock.moves_to_go is None else min(decisions, clock.moves_to_go))]
    return Limit(least("simulations"), least("seconds", *shares), least("memory_mb"))


def clock_share(clock: ClockFace, decisions: float) -> float:
    """Return the seconds for the next decision if the time is divided between `decisions` decisions.

    The remaining time is divided as if there were one more decision, and a part of the increment is added. The clock
    therefore never runs out, even if the game lasts longer.
    """
    remaining = clock.remaining_seconds
    usable = max(remaining - SAFETY_SECONDS, remaining / 2)
    share = usable / (max(decisions, 1) + 1) + INCREMENT_SHARE * clock.increment_seconds
    return max(min(share, 0.8 * usable), 1e-9)


def decisions_left(view: View) -> int:
    """Return the maximum number of decisions of the viewing player, this one included, in a few random games."""
    most = 1
    for number in range(NUM_SAMPLE_GAMES):
        states = random_game(view.resample(number), number)
        most = max(most, sum(view.player in state.acting_players() for state in states))
    return most
