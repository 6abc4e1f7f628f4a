"""The least bids of the other player that are consistent with a view."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

from ...errors import StateError
from .bid_text import TILES


def explain_bids(given: dict[str, Any], player: int, chips: int) -> dict[str, Any]:
    """Return the dict of a state with this view, in which the opponent's bids are the least that lead to its tiles.

    If the view is of a real game, play can reach that state: on each tile the true bid was at least the least bid, so
    the least bid breaks no rule that the true one kept. For other dicts the result is not a valid state, and
    `state_from_dict` refuses it.

    Args:
        given: the dict of `View.to_dict`; does not change.
        player: the viewing player.
        chips: chips of each player at the start.

    Raises:
        StateError: `given` is not a view of this player.
    """
    try:
        filled = deepcopy(given)
    except Exception as error:  # an object of any class may be in the dict
        raise StateError(f"the view of player {player + 1} has a value that is not plain: {error}") from None
    try:
        if filled["chips"][player] is None or filled["chips"][1 - player] is not None:
            raise ValueError
        own, opponent = ("r", "b") if player == 0 else ("b", "r")
        before = "." * TILES
        spent = 0
        for finished in filled.get("history", ()):
            after, mine = finished["tiles"], finished["bids"][player]
            if finished["bids"][1 - player] is not None:
                raise ValueError
            least = [_least_bid(*tile, own, opponent) for tile in zip(before, after, mine, strict=True)]
            finished["bids"][1 - player] = least
            spent += sum(least)
            before = after
        filled["chips"][1 - player] = chips - spent
    except (AttributeError, IndexError, KeyError, TypeError, ValueError):
        raise StateError(
            f"this is not a view of player {player + 1}, with null for the opponent's chips and bids"
        ) from None
    return filled


def _least_bid(before: str, after: str, mine: int, own: str, opponent: str) -> int:
    """Return the least bid of the opponent on a tile, from its owners before and after the bids."""
    if after == opponent:
        return mine if before == opponent else mine + 1
    return 0 if after == own else mine
