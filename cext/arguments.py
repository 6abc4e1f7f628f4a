"""Checks of arguments: whole numbers of any type, seeds, classes; values and counts as text for messages."""

from collections.abc import Iterable
from difflib import get_close_matches
from operator import index
from typing import Any

MOST_SHOWN = 100
"""Characters of a value in a message."""
_SEED_MASK = 0xFFFF_FFFF_FFFF_FFFF


def shown(value: Any) -> str:
    """Return the repr of a value for a message, cut to `MOST_SHOWN` characters.

    It never raises: Python has no text for integers of more than 4,300 digits, and a `__repr__` may raise.
    """
    try:
        if type(value) in (str, bytes):  # a long one is cut first: its repr may need four times the memory
            text = repr(value[:MOST_SHOWN])
            return text if len(value) <= MOST_SHOWN else f"{text}..."
        text = repr(value)
    except Exception:
        return "a very large integer" if isinstance(value, int) else f"<{type(value).__name__} without a repr>"
    return text if len(text) <= MOST_SHOWN else f"{text[:MOST_SHOWN]}..."


def spelled_like(name: str, names: Iterable[str]) -> list[str]:
    """Return the names that are spelled like another one, the nearest first, three at most."""
    return get_close_matches(name.lower(), list(names))


def valid_names(name: str, names: Iterable[str]) -> str:
    """Return the end of a message about an unknown name: those that may be meant, and all.

    Example:
        >>> from cext.arguments import valid_names
        >>> valid_names("exploraton", ["selection", "exploration"])
        'did you mean exploration? valid: selection, exploration'
    """
    valid = list(names)
    near = [name] if name in valid else spelled_like(name, valid)
    meant = f"did you mean {' or '.join(near)}? " if near else ""
    return f"{meant}valid: {', '.join(valid)}"


def counted(number: int, one: str, several: str | None = None) -> str:
    """Return a number with its noun: `1 game`, `1,200 games`.

    Args:
        number: how many.
        one: the words after 1, such as `game` or `game is`.
        several: the words after another number; None: `one` and an s.
    """
    return f"{number:,} {one if number == 1 else several or f'{one}s'}"


def whole_number(name: str, value: Any, valid: str = "a whole number") -> int:
    """Return an int, or anything with `__index__` such as numpy's integers, as an int.

    Raises:
        TypeError: the value is something else. The message has `name`, the value and `valid`.
    """
    try:
        return index(value)
    except TypeError:
        raise TypeError(f"{name} is {shown(value)}; valid: {valid}") from None


def whole_number_in(
    name: str, value: Any, low: int | None, high: int | None, error: type[Exception], more: str = ""
) -> int:
    """Return a whole number in a range, whatever its type, as an int. True and False are not numbers.

    Args:
        name: of the argument, for the message.
        value: the argument.
        low, high: the range, both included; None for no range.
        error: raised where the value is something else.
        more: other valid values, as the end of the message.
    """
    try:
        number = None if isinstance(value, bool) else index(value)
    except TypeError:
        number = None
    if number is None or (low is not None and number < low) or (high is not None and number > high):
        valid = "a whole number" if low is None else f"a whole number from {low} to {high}"
        raise error(f"{name}={shown(value)} is not valid; valid: {valid}{more}")
    return number


def seed_bits(seed: Any) -> int:
    """Return a seed modulo 2**64: the lowest 64 bits of any whole number.

    Raises:
        TypeError: the seed is not a whole number.
    """
    return whole_number("seed", seed) & _SEED_MASK


def require(kind: type, value: Any, valid: str) -> None:
    """Raise TypeError unless a value is an instance of a class. `valid` says how to get one."""
    if not isinstance(value, kind):
        raise TypeError(f"{shown(value)} is not a {kind.__name__}; valid: {valid}")
