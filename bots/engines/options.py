"""Options of engines: reading and writing the lines that announce them."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from mcts import ParameterError
from mcts.parameters import Choice, Flag, Integer, Parameter

EMPTY = "<empty>"
"""Text for an empty text or a missing value."""
_KEYS = ("name", "type", "default", "min", "max", "var")
_MOST_DIGITS = 30
_MOST_SHOWN = 50


@dataclass(frozen=True)
class EngineOption:
    """An option of an engine, from its announcement."""

    name: str
    kind: str = "string"
    """One of spin, check, combo, button and string."""
    low: int | None = None
    """Minimum of a spin."""
    high: int | None = None
    """Maximum of a spin."""
    choices: tuple[str, ...] = ()
    """Values of a combo."""

    def check(self, value: str) -> str:
        """Return a value in the form to be sent. Raises ParameterError with the valid values."""
        choices = ("true", "false") if self.kind == "check" else self.choices
        if choices and self.kind in ("check", "combo"):
            found = [choice for choice in choices if choice.lower() == value.lower()]
            if found:
                return value if value in found else found[0]
            valid = ", ".join(choices[:_MOST_SHOWN])
        elif self.kind == "spin":
            number = _whole(value)
            low, high = (-math.inf if self.low is None else self.low), (math.inf if self.high is None else self.high)
            if number is not None and low <= number <= high:
                return value
            least, most = ("any" if bound is None else bound for bound in (self.low, self.high))
            valid = f"a whole number from {least} to {most}"
        else:
            return value
        raise ParameterError(f"the option {self.name!r} is not {value!r}; valid: {valid}")


def read_option(line: str) -> EngineOption | None:
    """Return the option that a line `option name N type T ...` announces; None for any other line."""
    words = line.split()
    if words[:2] != ["option", "name"] or len(words) < 3:
        return None
    found: dict[str, list[str]] = {}
    choices: list[list[str]] = []
    into: list[str] = []
    for word in words[1:]:
        # A name may have words such as min or default before its type is said.
        if word in _KEYS and (word in ("name", "type") or "type" in found) and (word == "var" or word not in found):
            into = []
            if word == "var":
                choices.append(into)
            else:
                found[word] = into
        else:
            into.append(word)
    kind = " ".join(found.get("type", ["string"]))
    return EngineOption(
        name=" ".join(found["name"]),
        kind=kind,
        low=_whole(" ".join(found.get("min", []))),
        high=_whole(" ".join(found.get("max", []))),
        choices=tuple(" ".join(choice) for choice in choices),
    )


def plain_name(name: str) -> str:
    """Return the name of an option for comparisons, without differences in case, spaces, dashes and underscores."""
    return name.lower().replace(" ", "_").replace("-", "_")


def checked_options(given: dict[str, str], known: Iterable[EngineOption]) -> dict[str, str]:
    """Return options with the engine's own spelling of names and values.

    Args:
        given: name -> value; names are compared by `plain_name`.
        known: the options of the engine.

    Raises:
        ParameterError: the engine does not have the option, or the value is invalid. The message has the valid ones.
    """
    by_name = {plain_name(option.name): option for option in known}
    found = {}
    for name, value in given.items():
        option = by_name.get(plain_name(name))
        if option is None:
            names = sorted(option.name for option in by_name.values())
            valid = ", ".join(names[:_MOST_SHOWN]) or "none"
            raise ParameterError(f"the engine has no option {name!r}; valid: {valid}")
        found[option.name] = option.check(value)
    return found


def option_line(name: str, kind: Parameter, value: Any) -> str:
    """Return the line that announces a parameter as an option."""
    if isinstance(kind, Integer) and value is not None:
        form = f"type spin default {value} min {kind.low} max {kind.high}"
    elif isinstance(kind, Flag) and value is not None:
        form = f"type check default {'true' if value else 'false'}"
    elif isinstance(kind, Choice) and value is not None:
        form = " ".join(["type combo default", value, *(f"var {option}" for option in kind.options)])
    else:
        form = f"type string default {EMPTY if value is None or value == '' else value}"
    return f"option name {name} {form}"


def _whole(text: str) -> int | None:
    """Return an integer of at most _MOST_DIGITS characters, or None."""
    try:
        return int(text) if len(text) <= _MOST_DIGITS else None
    except ValueError:
        return None
