"""Limits of the bots of a tournament, and the clocks of a game."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, fields, replace
from functools import lru_cache
from typing import Any

from cext.arguments import whole_number_in
from mcts import Limit
from mcts.errors import LimitError

from ...clocks import ClockFace, TurnLimit
from ...system.checked_json import is_number
from .names import bot_number

LONGEST_SECONDS = 1e6
MOST_CLOCK_MOVES = 10_000
MOST_DEPTH = 1000


def _number(value: Any) -> float:
    """Return a finite number as a float, and NaN, which is outside of all ranges, for anything else."""
    return float(value) if is_number(value) else math.nan


@dataclass(frozen=True)
class BotLimit:
    """Limit of a bot in a game. None means no limit of that kind.

    The text form, such as `simulations=1000,clock=10+0.1`, is read by `parse_bot_limit`.

    Args:
        simulations: per decision, 1 to 2**31 - 1.
        seconds: wall-clock time per decision, above 0.
        clock_seconds: wall-clock time for all decisions of a game, above 0 and up to 1e6. A bot whose clock runs out
            fails.
        increment_seconds: added to the clock after each decision, 0 to 1e6.
        clock_moves: number of decisions after which `clock_seconds` are added again, 1 to 10,000; None for never.
        depth: plies of the search of a bot with a parameter `depth`, such as `uci`, 1 to 1,000.
        memory_mb: memory of a search tree, or of all processes of an external engine, 1 to 32,000.
        margin_seconds: time beyond `seconds` or the clock that is forgiven, 0 to 1e6. None: none beyond the clock, and
            beyond `seconds` all up to the deadline of the tournament.

    Raises:
        LimitError: a value is out of range, or an increment, a number of decisions or a margin stands alone.
    """

    simulations: int | None = None
    seconds: float | None = None
    clock_seconds: float | None = None
    increment_seconds: float = 0.0
    memory_mb: int | None = None
    margin_seconds: float | None = None
    clock_moves: int | None = None
    depth: int | None = None

    def __post_init__(self) -> None:
        Limit(simulations=self.simulations, seconds=self.seconds, memory_mb=self.memory_mb)
        if self.clock_seconds is not None and not 0 < _number(self.clock_seconds) <= LONGEST_SECONDS:
            raise LimitError(f"clock_seconds={self.clock_seconds!r} is not valid; valid: above 0, up to 1e6")
        if not 0 <= _number(self.increment_seconds) <= LONGEST_SECONDS:
            raise LimitError(f"increment_seconds={self.increment_seconds!r} is not valid; valid: 0 to 1e6")
        if (self.increment_seconds or self.clock_moves) and self.clock_seconds is None:
            raise LimitError(
                "increment_seconds or clock_moves without clock_seconds; valid: clock=MOVES/SECONDS+INCREMENT"
            )
        if self.clock_moves is not None and not 1 <= _number(self.clock_moves) <= MOST_CLOCK_MOVES:
            raise LimitError(f"clock_moves={self.clock_moves!r} is not valid; valid: 1 to {MOST_CLOCK_MOVES:,}")
        if self.depth is not None:
            whole_number_in("depth", self.depth, 1, MOST_DEPTH, LimitError, ", or None")
        if self.margin_seconds is not None and not 0 <= _number(self.margin_seconds) <= LONGEST_SECONDS:
            raise LimitError(f"margin={self.margin_seconds!r} is not valid; valid: 0 to 1e6")
        if self.margin_seconds is not None and self.seconds is None and self.clock_seconds is None:
            raise LimitError("margin without seconds or clock; valid: seconds=S,margin=S or clock=SECONDS,margin=S")

    def __str__(self) -> str:
        parts = [
            f"{name}={_short(value)}" for name in ("simulations", "seconds", "depth") if (value := getattr(self, name))
        ]
        if self.clock_seconds is not None:
            parts.append(f"clock={self.time_control}")
        if self.memory_mb is not None:
            parts.append(f"memory_mb={self.memory_mb}")
        if self.margin_seconds is not None:
            parts.append(f"margin={_short(self.margin_seconds)}")
        return ",".join(parts)

    @property
    def time_control(self) -> str:
        """The clock as in `40/60+0.5`, or the time of a decision as in `0.1/move`; empty without a limit of time."""
        if self.clock_seconds is None:
            return "" if self.seconds is None else f"{_short(self.seconds)}/move"
        increment = f"+{_short(self.increment_seconds)}" if self.increment_seconds else ""
        moves = "" if self.clock_moves is None else f"{self.clock_moves}/"
        return f"{moves}{_short(self.clock_seconds)}{increment}"

    def to_dict(self) -> dict[str, Any]:
        """Return the limits that are set, as data for JSON; `BotLimit(**data)` restores them."""
        return {
            field.name: value for field in fields(self) if (value := getattr(self, field.name)) not in (field.default,)
        }

    def longest_seconds(self, deadline_seconds: float) -> float:
        """Return the time after which a decision is a failure.

        Args:
            deadline_seconds: of the tournament.
        """
        if self.seconds is None or self.margin_seconds is None:
            return deadline_seconds
        return min(deadline_seconds, self.seconds + self.margin_seconds)

    def overridden_by(self, other: BotLimit) -> BotLimit:
        """Return this limit with the values that another one sets. A clock replaces all of a clock."""
        changes = other.to_dict()
        if "clock_seconds" in changes:
            changes = {"increment_seconds": 0.0, "clock_moves": None, **changes}
        return replace(self, **changes)


NO_BOT_LIMIT = BotLimit()


def parse_bot_limit(text: str) -> BotLimit:
    """Return the limit given as a text such as `simulations=1000,clock=10+0.1`; an empty text sets no limit.

    Raises:
        LimitError: the text has another form, or a value is out of range.
    """
    given: dict[str, Any] = {}
    for part in filter(None, (part.strip() for part in text.split(","))):
        name, _, value = (piece.strip() for piece in part.partition("="))
        if name in given or f"{name}_seconds" in given:
            raise LimitError(f"{name!r} appears twice in {text!r}; valid: once")
        if name == "clock":
            given |= parse_clock(value)
        elif name in ("simulations", "memory_mb", "depth"):
            given[name] = _read(int, name, value, "a whole number")
        elif name in ("seconds", "margin"):
            given[name.replace("margin", "margin_seconds")] = _read(float, name, value, "a number")
        else:
            raise LimitError(
                f"{part!r} in {text!r} is not a limit; "
                "valid: simulations=N, seconds=S, clock=SECONDS or clock=SECONDS+INCREMENT, clock=N/SECONDS+INCREMENT, "
                "memory_mb=MB, depth=N, margin=S"
            )
    return BotLimit(**given)


def parse_clock(text: str) -> dict[str, Any]:
    """Return the fields of a BotLimit for a clock such as `10`, `10+0.1` or `40/60+0.5`. Raises LimitError."""
    moves, slash, time = text.rpartition("/")
    seconds, plus, increment = time.partition("+")
    what = "a number of seconds, SECONDS+INCREMENT or MOVES/SECONDS+INCREMENT"
    given: dict[str, Any] = {
        "clock_seconds": _read(float, "clock", seconds, what, text),
        "increment_seconds": _read(float, "clock", increment, what, text) if plus else 0.0,
    }
    return {**given, "clock_moves": _read(int, "clock", moves, what, text)} if slash else given


def limits_of_bots(num_bots: int, common: BotLimit, own: Iterable[str]) -> tuple[BotLimit, ...]:
    """Return the limit of each bot.

    Args:
        num_bots: number of bots.
        common: limit of all bots.
        own: texts NUMBER:LIMIT, such as `2:simulations=1000,clock=5`, whose values override `common` for one bot.
            Numbers begin at 1.

    Raises:
        LimitError: a text has another form, or no bot has the number.
    """
    limits = [common] * num_bots
    for text in own:
        given, colon, limit = text.partition(":")
        number = bot_number(given, num_bots)
        if not colon or number is None:
            raise LimitError(
                f"{text!r} is not the limit of a bot; valid: NUMBER:LIMIT as in 1:simulations=1000, "
                f"the number from 1 to {num_bots}"
            )
        limits[number - 1] = limits[number - 1].overridden_by(parse_bot_limit(limit))
    return tuple(limits)


class Clock:
    """Clock of one seat in one game. Without a limit, it never runs out."""

    def __init__(self, limit: BotLimit) -> None:
        self._limit = limit
        self._remaining = math.inf if limit.clock_seconds is None else limit.clock_seconds
        self._moves = limit.clock_moves
        self._margin = limit.margin_seconds or 0.0

    def face(self) -> ClockFace | None:
        """Return the clock as all players see it; None without a limit."""
        if self._remaining == math.inf:
            return None
        return ClockFace(self._remaining, self._limit.increment_seconds, self._moves, self._margin)

    def spend(self, seconds: float) -> bool:
        """Subtract the time of a decision and add what it earns. Return False if the clock has run out.

        An overrun within the margin leaves 0.
        """
        if seconds > self._remaining + self._margin:
            self._remaining = 0.0
            return False
        self._remaining = max(self._remaining - seconds, 0.0) + self._limit.increment_seconds
        if self._moves is not None:
            self._moves -= 1
            if self._moves == 0:
                self._moves = self._limit.clock_moves
                self._remaining += self._limit.clock_seconds or 0.0
        return True

    def left_after(self, seconds: float) -> float | None:
        """Spend the time of a decision. Return what remains; None without a limit."""
        self.spend(seconds)
        return None if self._remaining == math.inf else self._remaining


@lru_cache(maxsize=1024)
def plain_turn_limit(limit: BotLimit, deadline_seconds: float) -> TurnLimit:
    """Return the limit of a decision in a game without clocks."""
    return turn_limit(limit, deadline_seconds, ())


def turn_limit(limit: BotLimit, deadline_seconds: float, clocks: tuple[ClockFace | None, ...]) -> TurnLimit:
    """Return the limit of a decision, with the clocks of all seats."""
    longest = limit.longest_seconds(deadline_seconds)
    return TurnLimit(limit.simulations, limit.seconds, limit.memory_mb, clocks, longest, limit.depth)


def _read(kind: type, name: str, value: str, what: str, whole: str | None = None) -> Any:
    try:
        return kind(value)
    except ValueError:
        shown = value if whole is None else whole
        raise LimitError(f"{name}={shown!r} is not valid; valid: {what}") from None


def _short(value: float) -> str:
    return f"{value:g}" if float(f"{value:g}") == value else repr(value)
