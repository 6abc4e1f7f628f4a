"""Whole numbers that describe a tournament."""

from __future__ import annotations

from typing import Any

from mcts.arguments import whole_number_in

from ...errors import TournamentError


def whole_number(name: str, value: Any, low: int | None = None, high: int | None = None) -> int:
    """Return a whole number of any type as an int. Raise TournamentError for anything else and out of range."""
    return whole_number_in(name, value, low, high, TournamentError)
