"""The picture of mnk."""

from __future__ import annotations

from cext.game.game import State, View

from ..facts import board_of, last_marks, seats_of
from ..lines import runs
from ..parts import Board, O, Picture, X


def picture(position: State | View) -> Picture:
    """Return the board, with the line that wins."""
    columns = position.game.parameters["m"]
    text = position.to_dict()["board"]
    cells = board_of(
        text,
        columns,
        {"x": X, "o": O},
        last=last_marks(position),
        winning=runs(text, columns, position.game.parameters["k"]),
    )
    return Picture(((Board(columns, cells),),), seats=seats_of(position, (X, O)))
