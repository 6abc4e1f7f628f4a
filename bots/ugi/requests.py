"""What the words after `go` ask of an engine."""

from __future__ import annotations

import re
from dataclasses import dataclass

from mcts import PlayoutError

from ..clocks import ClockFace, TurnLimit

_CLOCK_WORD = re.compile(r"p([1-9][0-9]*)(time|inc)")


class RequestError(PlayoutError, ValueError):
    """A line of the protocol that cannot be done; the message says why."""


@dataclass(frozen=True)
class GoRequest:
    """A `go`, taken apart."""

    limit: TurnLimit
    seat: int | None
    """The player to decide for, counted from 0; None where it is not said."""
    infinite: bool
    """True for an answer after `stop` and not before."""
    unknown: tuple[str, ...]
    """Words that mean nothing here."""


def read_go(words: list[str], num_players: int) -> GoRequest:
    """Take the words after `go` apart. Raises RequestError, LimitError."""
    simulations: int | None = None
    seconds: float | None = None
    seat: int | None = None
    infinite = False
    unknown: list[str] = []
    times: dict[int, float] = {}
    increments: dict[int, float] = {}
    rest = list(words)
    while rest:
        word = rest.pop(0)
        clock = _CLOCK_WORD.fullmatch(word)
        if word == "infinite":
            infinite = True
        elif word in ("nodes", "simulations"):
            simulations = _whole(word, rest, 1, 2**31 - 1)
        elif word == "movetime":
            seconds = _whole(word, rest, 0, 10**9) / 1000 or 1e-3
        elif word == "seat":
            seat = _whole(word, rest, 1, num_players) - 1
        elif clock is not None:
            _whole("clock of player", [clock[1]], 1, num_players)
            into = times if clock[2] == "time" else increments
            into[int(clock[1]) - 1] = _whole(word, rest, -(10**9), 10**9) / 1000
        else:
            unknown.append(word)
    clocks: tuple[ClockFace | None, ...] = ()
    if times:
        clocks = tuple(
            ClockFace(max(times[player], 0.0), max(increments.get(player, 0.0), 0.0)) if player in times else None
            for player in range(num_players)
        )
    return GoRequest(TurnLimit(simulations, seconds, None, clocks), seat, infinite, tuple(unknown))


def _whole(what: str, rest: list[str], low: int, high: int) -> int:
    """The whole number that comes next."""
    text = rest.pop(0) if rest else ""
    try:
        number = int(text)
    except ValueError:
        raise RequestError(f"{what} {text!r} is no whole number; valid: {low} to {high}") from None
    if not low <= number <= high:
        raise RequestError(f"{what} {number} is out of range; valid: {low} to {high}")
    return number
