"""The picture of points_ttt."""

from __future__ import annotations

from cext.game.game import State, View

from ..facts import board_of, heading_of, last_marks, last_steps, legal_texts, seats_of
from ..lines import runs
from ..parts import Board, O, Picture, X

_COLUMNS = 3
_COSTS = ("3", "2", "3", "2", "4", "2", "3", "2", "3")


def picture(position: State | View) -> Picture:
    """Return the board with the costs of blank cells, and the balances."""
    data = position.to_dict()
    text = data["board"]
    cells = board_of(
        text,
        _COLUMNS,
        {"x": X, "o": O},
        last=last_marks(position, back=1),
        winning=runs(text, _COLUMNS, 3),
        notes=_COSTS,
    )
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
    return Picture(
        ((Board(_COLUMNS, cells),),), seats=seats_of(position, (X, O), more), heading=heading or heading_of(position)
    )


def _signed(value: int) -> str:
    return f"\u2212{-value}" if value < 0 else str(value)
