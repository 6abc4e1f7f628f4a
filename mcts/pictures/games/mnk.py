"""The picture of mnk."""

from __future__ import annotations

from cext.game.game import State, View

from ..facts import board_picture
from ..parts import Picture


def picture(position: State | View) -> Picture:
    """Return the board, with the line that wins."""
    columns, length = (position.game.parameters[name] for name in "mk")
    return board_picture(position, columns, length)
