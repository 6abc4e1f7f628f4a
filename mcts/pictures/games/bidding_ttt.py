"""The picture of bidding_ttt."""

from __future__ import annotations

import re

from cext.arguments import counted
from cext.game.game import State, View

from ..facts import board_picture, last_steps
from ..parts import Picture

_BID = re.compile(r"bid\((\d+)(,tiebreaker)?\)")


def picture(position: State | View) -> Picture:
    """Return the board, coins, tiebreaker, and the bids that were revealed last."""
    data = position.to_dict()
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
    heading = ""
    if not position.is_terminal():
        heading = "Both bid, in secret" if data["control"] is None else f"{data['control']} marks a cell"
    return board_picture(position, 3, 3, heading=heading, more=more)


def _last_bids(position: State | View) -> dict[int, str]:
    """Return player -> the bid that was revealed last, such as `bid 2 + t`."""
    for step in last_steps(position, 2):
        found = {player: _BID.fullmatch(text) for player, text in step.items()}
        if found and all(found.values()):
            return {player: f"bid {bid[1]}{' + tb' if bid[2] else ''}" for player, bid in found.items() if bid}
    return {}
