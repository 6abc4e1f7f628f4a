"""The picture of dice_ttt."""

from __future__ import annotations

from cext.game.game import State, View

from ..facts import board_of, heading_of, last_marks, seats_of
from ..lines import runs
from ..parts import Board, O, Picture, X

_COLUMNS = 3


def picture(position: State | View) -> Picture:
    """Return the board, with the row that the die has named."""
    data = position.to_dict()
    text, row = data["board"], data["row"]
    cells = board_of(
        text,
        _COLUMNS,
        {"x": X, "o": O},
        last=last_marks(position),
        winning=runs(text, _COLUMNS, 3),
        offered_row=None if row is None else row - 1,
    )
    heading = heading_of(position)
    if position.is_chance():
        heading = f"The die is thrown for {data['to_move']}"
    elif not position.is_terminal():
        heading = f"{data['to_move']} must mark in row {row}"
    return Picture(((Board(_COLUMNS, cells),),), seats=seats_of(position, (X, O)), heading=heading)
