"""Arguments from outside: whole numbers of any type, and values shown in messages whatever they are."""

from operator import index
from typing import Any

MOST_SHOWN = 100
_SEED_MASK = 0xFFFF_FFFF_FFFF_FFFF


def shown(value: Any) -> str:
    """The repr of a value for a message, cut to `MOST_SHOWN` letters; its type where it has no repr.

    Integers of more than 4,300 digits have none, nor have objects whose `__repr__` raises.
    """
    try:
        text = repr(value)
    except Exception:
        return f"<{type(value).__name__} without a repr>"
    return text if len(text) <= MOST_SHOWN else f"{text[:MOST_SHOWN]}..."


def whole_number(name: str, value: Any, valid: str = "a whole number") -> int:
    """The value of an int or of anything with `__index__`, as numpy's integers.

    Raises:
        TypeError: it is something else; the message has `name`, the value and `valid`.
    """
    try:
        return index(value)
    except TypeError:
        raise TypeError(f"{name} is {shown(value)}; valid: {valid}") from None


def seed_bits(seed: Any) -> int:
    """The lowest 64 bits of a seed, which may be any whole number.

    Raises:
        TypeError: it is not a whole number.
    """
    return whole_number("seed", seed) & _SEED_MASK


def require(kind: type, value: Any, valid: str) -> None:
    """Raise TypeError unless the value is of a class; the message has the value and `valid`, where such come from."""
    if not isinstance(value, kind):
        raise TypeError(f"{shown(value)} is not a {kind.__name__}; valid: {valid}")
