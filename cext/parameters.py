"""Kinds of parameters of games, searchers and bots, and the check of given values."""

from __future__ import annotations

import math
from collections.abc import Collection
from dataclasses import dataclass
from operator import index
from typing import Any

from .arguments import shown, valid_names
from .errors import ParameterError


@dataclass(frozen=True)
class Integer:
    """A whole number in [low, high].

    Args:
        default: the value if none is given; may be None, which is then valid too.
        low: least value.
        high: greatest value.
    """

    default: int | None
    low: int
    high: int

    def read(self, name: str, value: Any) -> int | None:
        """Return the value as an int. `value` is an int or its decimal text. Raises ParameterError."""
        if value is None and self.default is None:
            return None
        try:
            number = int(value, 10) if isinstance(value, str) else _exact_int(value)
        except (TypeError, ValueError, OverflowError):
            raise ParameterError(
                f"{name}={shown(value)} is not a whole number; valid: {self.low} to {self.high}"
            ) from None
        if not self.low <= number <= self.high:
            raise ParameterError(f"{name}={shown(number)} is out of range; valid: {self.low} to {self.high}")
        return number

    def invalid(self) -> list[Any]:
        """Return values that `read` refuses."""
        beyond = [self.low - 1, str(self.high + 1), 10**400]
        return [*_never(self.default), "x", True, *beyond, self.low + 0.5, math.inf, math.nan]


@dataclass(frozen=True)
class Real:
    """A finite number in [low, high].

    Args:
        default: the value if none is given; may be None, which is then valid too.
        low: least value.
        high: greatest value.
    """

    default: float | None
    low: float
    high: float

    def read(self, name: str, value: Any) -> float | None:
        """Return the value as a float. `value` is a number or its text. Raises ParameterError."""
        if value is None and self.default is None:
            return None
        try:
            if isinstance(value, bool):
                raise TypeError
            number = float(value)
        except (TypeError, ValueError, OverflowError):
            raise ParameterError(
                f"{name}={shown(value)} is not a number; valid: {self.low:g} to {self.high:g}"
            ) from None
        if not (math.isfinite(number) and self.low <= number <= self.high):
            raise ParameterError(f"{name}={shown(value)} is out of range; valid: {self.low:g} to {self.high:g}")
        return number

    def invalid(self) -> list[Any]:
        """Return values that `read` refuses."""
        beyond = [math.nextafter(self.low, -math.inf), math.nextafter(self.high, math.inf)]
        return [*_never(self.default), "x", True, *beyond, "nan", math.inf, 10**400]


@dataclass(frozen=True)
class Choice:
    """One of a collection of words.

    Args:
        default: the value if none is given; may be None, which is then valid too.
        options: the words.
    """

    default: str | None
    options: Collection[str]

    def read(self, name: str, value: Any) -> str | None:
        """Return the value, one of `options`. Raises ParameterError."""
        if value is None and self.default is None:
            return None
        if not isinstance(value, str) or value not in self.options:
            raise ParameterError(f"{name}={shown(value)} is unknown; valid: {', '.join(self.options)}")
        return str(value)

    def invalid(self) -> list[Any]:
        """Return values that `read` refuses."""
        return [*_never(self.default), "?", *(option + "?" for option in self.options), 1]


@dataclass(frozen=True)
class Flag:
    """A truth value.

    Args:
        default: the value if none is given; may be None, which is then valid too.
    """

    default: bool | None

    def read(self, name: str, value: Any) -> bool | None:
        """Return the value as a bool. `value` is a bool or the text true or false. Raises ParameterError."""
        if value is None and self.default is None:
            return None
        if isinstance(value, bool):
            return value
        if isinstance(value, str) and value.lower() in ("true", "false"):
            return value.lower() == "true"
        raise ParameterError(f"{name}={shown(value)} is not a truth value; valid: true, false")

    def invalid(self) -> list[Any]:
        """Return values that `read` refuses."""
        return [*_never(self.default), "yes", 0, 1]


@dataclass(frozen=True)
class Text:
    """A text that is not blank.

    Args:
        default: the value if none is given; may be None, which is then valid too.
        names: where other texts are paths of files, those that are not.
        is_path: a text may be the path of a file, or lead to one. Servers refuse such texts from clients.
    """

    default: str | None
    names: tuple[str, ...] = ()
    is_path: bool = True

    def read(self, name: str, value: Any) -> str | None:
        """Return the value, a text. Raises ParameterError."""
        if value is None and self.default is None:
            return None
        if not isinstance(value, str) or not value.strip():
            raise ParameterError(f"{name}={shown(value)} is not a text; valid: any text that is not blank")
        return value

    def invalid(self) -> list[Any]:
        """Return values that `read` refuses."""
        return [*_never(self.default), 1, True]

    def may_be_path(self, value: str | None) -> bool:
        """Return True for a text that may be the path of a file."""
        return self.is_path and value not in (self.default, *self.names)


Parameter = Integer | Real | Choice | Flag | Text

_ELSEWHERE = {
    **dict.fromkeys(("c", "c_puct", "cpuct", "c_uct", "uct_c", "exploration_constant"), "exploration"),
    **dict.fromkeys(("iterations", "rollouts", "playouts", "visits", "nodes", "num_simulations"), "simulations"),
    **dict.fromkeys(("time", "movetime", "time_limit"), "seconds"),
    **{"fpu": "first_play_urgency", "dirichlet_alpha": "noise_alpha", "dirichlet_epsilon": "root_noise"},
}
"""Names that other programs have for a parameter -> its name here, for messages."""


def read_parameters(what: str, kinds: dict[str, Parameter], given: dict[str, Any]) -> dict[str, Any]:
    """Return the value of each parameter in `kinds`, in that order: the given value after a check, or the default.

    Args:
        what: the name of the game, searcher or bot for the message, e.g. `bidding_ttt`.
        kinds: name -> kind.
        given: name -> value or its text.

    Raises:
        ParameterError: a name is unknown or a value is not valid; the message shows the valid ones.
    """
    if "" in given:
        raise ParameterError(f"{what} takes its parameters by name; valid: key=value instead of {shown(given[''])}")
    for name in given:
        if name not in kinds:
            raise ParameterError(f"{what} has no parameter {name!r}; {valid_parameters(name, kinds)}")
    return {
        name: kind.read(f"{what}: {name}", given[name]) if name in given else kind.default
        for name, kind in kinds.items()
    }


def valid_parameters(name: str, kinds: Collection[str]) -> str:
    """Return the end of a message about an unknown parameter: those that may be meant, and all."""
    if not kinds:
        return "valid: none, it takes no parameters"
    return valid_names(_ELSEWHERE.get(name.lower(), name), kinds)


def _never(default: Any) -> tuple[Any, ...]:
    """Return values that no kind of parameter with this default accepts."""
    return ("", " ", [], object, *(() if default is None else (None,)))


def _exact_int(value: Any) -> int:
    if isinstance(value, bool):
        raise TypeError
    if hasattr(value, "__index__"):
        return index(value)
    if int(value) != value:
        raise TypeError
    return int(value)
