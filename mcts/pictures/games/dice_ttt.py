"""The picture of dice_ttt."""

from __future__ import annotations

from cext.game.game import State, View

from ..facts import board_picture
from ..parts import Picture


def picture(position: State | View) -> Picture:
    """Return the board, with the row that the die has named."""
    data = position.to_dict()
    mover, row = data["to_move"], data["row"]
    heading = ""
    if position.is_chance():
        heading = f"The die is thrown for {mover}"
    elif not position.is_terminal():
        heading = f"{mover} must mark in row {row}"
    return board_picture(position, 3, 3, heading=heading, offered_row=None if row is None else row - 1)
