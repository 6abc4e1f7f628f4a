"""The picture of points_ttt."""

from __future__ import annotations

from cext.game.game import State, View

from ..facts import board_picture, last_steps, legal_texts
from ..parts import Picture

_COSTS = ("3", "2", "3", "2", "4", "2", "3", "2", "3")


def picture(position: State | View) -> Picture:
    """Return the board with the costs of blank cells, and the balances."""
    data = position.to_dict()
    step = next(iter(last_steps(position, 1)), {})
    more = [
        {
            "detail": f"balance {_signed(balance)}",
            "number": _signed(balance),
            "note": "passed" if step.get(player) == "pass" else "",
        }
        for player, balance in enumerate(data["balances"])
    ]
    heading = ""
    if data["to_move"] is not None and legal_texts(position) == {"pass"}:
        heading = f"{data['to_move']} must pass"
    return board_picture(position, 3, 3, heading=heading, more=more, back=1, notes=_COSTS)


def _signed(value: int) -> str:
    return f"\u2212{-value}" if value < 0 else str(value)
