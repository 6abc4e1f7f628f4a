"""The least that the rival can have bid in a game of which only a player's own bids are known."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

from ...errors import StateError
from .bid_text import TILES


def explain_bids(given: dict[str, Any], player: int, chips: int) -> dict[str, Any]:
    """A whole state that explains what a view shows: the rival's bids are the least that lead to the tiles shown.

    If the view was of a real game, that state can be reached: where the least bid has chips the true one had as many or
    more, so that the least one breaks no rule that the true one kept. A dict that is no view comes out wrong or as it
    was, and is refused when a state is made of it.

    Args:
        given: as `View.to_dict` has it; not changed.
        player: the viewing player.
        chips: what each player had at the start.

    Raises:
        StateError: it is not a view of this player.
    """
    filled = deepcopy(given)
    try:
        if filled["chips"][player] is None or filled["chips"][1 - player] is not None:
            raise ValueError
        own, rival = ("r", "b") if player == 0 else ("b", "r")
        before = "." * TILES
        spent = 0
        for finished in filled.get("history", ()):
            after, mine = finished["tiles"], finished["bids"][player]
            if finished["bids"][1 - player] is not None:
                raise ValueError
            least = [_least_bid(*tile, own, rival) for tile in zip(before, after, mine, strict=True)]
            finished["bids"][1 - player] = least
            spent += sum(least)
            before = after
        filled["chips"][1 - player] = chips - spent
    except (AttributeError, IndexError, KeyError, TypeError, ValueError):
        raise StateError(f"this is no view of player {player + 1}, with null for the rival's chips and bids") from None
    return filled


def _least_bid(before: str, after: str, mine: int, own: str, rival: str) -> int:
    """The least bid of the rival on a tile, by its owners before and after the bids."""
    if after == rival:
        return mine if before == rival else mine + 1
    return 0 if after == own else mine
