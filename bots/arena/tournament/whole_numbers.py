"""Whole numbers of any type, such as numpy's, as ints in a range."""

from __future__ import annotations

import operator
from typing import Any

from ...errors import TournamentError


def whole_number(name: str, value: Any, low: int | None = None, high: int | None = None) -> int:
    """The value as an int, whatever type of whole number it has. Raises TournamentError."""
    try:
        number = None if isinstance(value, bool) else operator.index(value)
    except TypeError:
        number = None
    if number is None or (low is not None and number < low) or (high is not None and number > high):
        valid = "a whole number" if low is None else f"a whole number from {low} to {high}"
        raise TournamentError(f"{name}={_shown(value)} is not valid; valid: {valid}")
    return number


def _shown(value: Any) -> str:
    try:
        text = repr(value)
    except ValueError:  # Python writes out no whole number of more than some thousand digits
        return "a number of very many digits"
    return text if len(text) <= 80 else f"{text[:77]}..."
