"""Requests of the Universal Game Interface: the arguments of `go`, and whole numbers in any line."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from cext.arguments import shown
from mcts import PlayoutError

from ...clocks import ClockFace, TurnLimit

MOST_SIMULATIONS = 2**31 - 1
_CLOCK_WORD = re.compile(r"p([1-9][0-9]{0,3})(time|inc)")
_WHOLE = re.compile(r"[+-]?[0-9]{1,20}")
_LEAST_SECONDS = 1e-3


class RequestError(PlayoutError, ValueError):
    """A command of the protocol cannot be executed; the message has the reason."""


@dataclass(frozen=True)
class GoRequest:
    """The arguments of a `go` command."""

    limit: TurnLimit
    seat: int | None
    """The player to decide for, counted from 0; None if not given."""
    infinite: bool
    """True to answer only after `stop`."""
    ponder: bool
    """True to answer only after `ponderhit` or `stop`."""
    unknown: tuple[str, ...]
    """Unknown words."""

    def limit_with(self, overhead_seconds: float, player: int) -> TurnLimit:
        """Return the limit of a player's decision, with an overhead subtracted from its clock and time limit."""
        seconds = self.limit.seconds
        if seconds is not None:
            seconds = max(seconds - overhead_seconds, _LEAST_SECONDS)
        clocks = tuple(
            replace(clock, remaining_seconds=max(clock.remaining_seconds - overhead_seconds, 0.0))
            if clock is not None and number == player
            else clock
            for number, clock in enumerate(self.limit.clocks)
        )
        simulations = self.limit.simulations
        if (self.infinite or self.ponder) and simulations is None and seconds is None and not any(clocks):
            simulations = MOST_SIMULATIONS
        return replace(self.limit, simulations=simulations, seconds=seconds, clocks=clocks)


def read_go(words: list[str], num_players: int) -> GoRequest:
    """Read the arguments of `go`. Raises RequestError, LimitError."""
    simulations: int | None = None
    seconds: float | None = None
    seat: int | None = None
    flags = {"infinite": False, "ponder": False}
    unknown: list[str] = []
    times: dict[int, float] = {}
    increments: dict[int, float] = {}
    rest = list(words)
    while rest:
        word = rest.pop(0)
        clock = _CLOCK_WORD.fullmatch(word)
        if word in flags:
            flags[word] = True
        elif word in ("nodes", "simulations"):
            simulations = _next_whole(word, rest, 1, MOST_SIMULATIONS)
        elif word == "movetime":
            seconds = _next_whole(word, rest, 0, 10**9) / 1000 or _LEAST_SECONDS
        elif word == "seat":
            seat = _next_whole(word, rest, 1, num_players) - 1
        elif clock is not None:
            read_whole("clock of player", clock[1], 1, num_players)
            into = times if clock[2] == "time" else increments
            into[int(clock[1]) - 1] = _next_whole(word, rest, -(10**9), 10**9) / 1000
        else:
            unknown.append(word)
    clocks: tuple[ClockFace | None, ...] = ()
    if times:
        clocks = tuple(
            ClockFace(max(times[player], 0.0), max(increments.get(player, 0.0), 0.0)) if player in times else None
            for player in range(num_players)
        )
    limit = TurnLimit(simulations, seconds, None, clocks)
    return GoRequest(limit, seat, flags["infinite"], flags["ponder"], tuple(unknown))


def read_whole(what: str, text: str, low: int, high: int) -> int:
    """Return a whole number from a line. Raises RequestError, which names `what`, for other text or out of range."""
    if _WHOLE.fullmatch(text) is None:
        raise RequestError(f"{what} {shown(text)} is not a whole number; valid: {low} to {high}")
    number = int(text)
    if not low <= number <= high:
        raise RequestError(f"{what} {number} is out of range; valid: {low} to {high}")
    return number


def _next_whole(what: str, rest: list[str], low: int, high: int) -> int:
    return read_whole(what, rest.pop(0) if rest else "", low, high)
