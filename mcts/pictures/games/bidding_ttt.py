"""The picture of bidding_ttt."""

from __future__ import annotations

import re

from cext.arguments import counted
from cext.game.game import State, View

from ..facts import board_of, heading_of, last_marks, last_steps, seats_of
from ..lines import runs
from ..parts import Board, O, Picture, X

_COLUMNS = 3
_BID = re.compile(r"bid\((\d+)(,tiebreaker)?\)")


def picture(position: State | View) -> Picture:
    """Return the board, coins, tiebreaker, and the bids that were revealed last."""
    data = position.to_dict()
    text = data["board"]
    winning = runs(text, _COLUMNS, 3)
    cells = board_of(text, _COLUMNS, {"x": X, "o": O}, last=last_marks(position), winning=winning)
    bids = _last_bids(position)
    more = []
    for player, mark in enumerate("xo"):
        coins = data["coins"][player]
        more.append(
            {
                "coins": coins,
                "detail": counted(coins, "coin"),
                "number": str(coins),
                "badge": "tiebreaker" if data["tiebreaker"] == mark else "",
                "note": bids.get(player, ""),
            }
        )
    heading = heading_of(position)
    if not position.is_terminal():
        heading = "Both bid, in secret" if data["control"] is None else f"{data['control']} marks a cell"
    return Picture(((Board(_COLUMNS, cells),),), seats=seats_of(position, (X, O), more), heading=heading)


def _last_bids(position: State | View) -> dict[int, str]:
    """Return player -> the bid that was revealed last, such as `bid 2 + t`."""
    for step in last_steps(position, 2):
        found = {player: _BID.fullmatch(text) for player, text in step.items()}
        if found and all(found.values()):
            return {player: f"bid {bid[1]}{' + tb' if bid[2] else ''}" for player, bid in found.items() if bid}
    return {}
