"""Limits of one decision of a search or a bot."""

from __future__ import annotations

import math
from dataclasses import dataclass
from numbers import Real
from typing import Any

from cext.arguments import shown, whole_number_in

from .errors import LimitError


@dataclass(frozen=True)
class Limit:
    """Limits of one decision. None means no limit.

    Args:
        simulations: greatest number of simulations, 1 to 2**31 - 1.
        seconds: greatest wall-clock time in seconds, above 0.
        memory_mb: greatest memory of search trees in megabytes, 1 to 32,000.

    Raises:
        LimitError: a value is out of range.
    """

    simulations: int | None = None
    seconds: float | None = None
    memory_mb: int | None = None

    def __post_init__(self) -> None:
        if self.simulations is not None:
            object.__setattr__(self, "simulations", check_whole("simulations", self.simulations, 1, 2**31 - 1))
        if self.memory_mb is not None:
            object.__setattr__(self, "memory_mb", check_whole("memory_mb", self.memory_mb, 1, 32_000))
        if self.seconds is not None:
            object.__setattr__(self, "seconds", read_seconds("seconds", self.seconds, ", or None"))


def search_limit(limit: Limit | int | None, simulations: int | None, seconds: float | None) -> Limit:
    """Return the limit of a search from the arguments of its `run`.

    Args:
        limit: a Limit, or a number of simulations.
        simulations, seconds: the same as keywords; not together with a Limit.

    Raises:
        LimitError: neither simulations nor seconds are limited, one is given twice, or a value is out of range.
    """
    if isinstance(limit, Limit):
        if simulations is not None or seconds is not None:
            given = f"simulations={simulations!r}" if simulations is not None else f"seconds={seconds!r}"
            raise LimitError(
                f"{given} is given beside {limit!r}; valid: a Limit, or the keywords simulations and seconds"
            )
    else:
        if limit is not None and simulations is not None:
            raise LimitError(f"simulations={simulations!r} is given beside {limit!r}; valid: one number of simulations")
        if limit is not None and (isinstance(limit, bool) or not hasattr(limit, "__index__")):
            raise LimitError(f"{limit!r} is not a limit; valid: mcts.Limit(...), or a whole number of simulations")
        limit = Limit(simulations=simulations if limit is None else limit, seconds=seconds)
    if limit.simulations is None and limit.seconds is None:
        raise LimitError("a search needs a limit: simulations, seconds, or both")
    return limit


def read_seconds(name: str, seconds: Any, more: str = "") -> float:
    """Return a time as a float. Raise LimitError for anything else; `more` are other valid values for its message."""
    try:
        if isinstance(seconds, bool) or not isinstance(seconds, Real):
            raise TypeError
        number = float(seconds)
        if not (math.isfinite(number) and number > 0):
            raise ValueError
    except (TypeError, ValueError, OverflowError):
        raise LimitError(f"{name}={shown(seconds)} is not valid; valid: a number above 0{more}") from None
    return number


def read_whole(name: str, value: Any, low: int, high: int) -> int:
    """Return a whole number in [low, high] as an int. Raise LimitError for anything else."""
    return whole_number_in(name, value, low, high, LimitError)


def check_whole(name: str, value: Any, low: int, high: int) -> int | None:
    """Return None, or a whole number in [low, high] as an int. Raise LimitError for anything else."""
    return None if value is None else whole_number_in(name, value, low, high, LimitError, ", or None")
